// What an index must hold and find, kept beside it in sets.

import Limelight
import LimelightSnapshots
import LimelightStorage

/// An item of a trial.
struct TrialItem: Hashable {
  let id: String
  let domain: String
  let words: [String]
  let number: Int
  /// Bytes of a thumbnail; 0 for none.
  let thumbnail: Int

  /// The item as it is put.
  var item: Item {
    var item = Item(id: id, domain: domain)
    item.attributes[.title] = .text(words.joined(separator: " "))
    item.attributes[.pageCount] = .number(Double(number))
    if thumbnail > 0 {
      item.thumbnail = (0..<thumbnail).map { UInt8(truncatingIfNeeded: $0 &+ number) }
    }
    return item
  }
}

/// The items of an index, and which of them have a word or a domain.
struct TrialModel {
  private(set) var items: [String: TrialItem] = [:]
  private var byWord: [String: Set<String>] = [:]
  private var byDomain: [String: Set<String>] = [:]

  var count: Int { items.count }

  // MARK: Changes

  mutating func put(_ batch: [TrialItem]) {
    for item in batch {
      remove([item.id])
      items[item.id] = item
      for word in item.words { byWord[word, default: []].insert(item.id) }
      byDomain[item.domain, default: []].insert(item.id)
    }
  }

  mutating func remove(_ ids: some Sequence<String>) {
    for id in ids {
      guard let item = items.removeValue(forKey: id) else { continue }
      for word in item.words { byWord[word]?.remove(id) }
      byDomain[item.domain]?.remove(id)
    }
  }

  mutating func removeAll() { self = TrialModel() }

  func ids(word: String) -> Set<String> { byWord[word] ?? [] }

  /// The ids of a domain and of those below it.
  func ids(domain: String) -> Set<String> {
    var ids: Set<String> = []
    for (name, members) in byDomain where name == domain || name.hasPrefix(domain + ".") {
      ids.formUnion(members)
    }
    return ids
  }

  // MARK: Comparisons

  /// Compares one item.
  func check(_ index: Index, id: String) throws {
    let found = try index.get(id)
    guard found == items[id]?.item else {
      throw TrialFailure("\(id) is \(String(describing: found)), not \(items[id]?.number ?? -1)")
    }
    guard try index.contains(id) == (items[id] != nil) else {
      throw TrialFailure("\(id) is there and is not")
    }
  }

  /// Compares what a word finds.
  func check(_ index: Index, word: String) throws {
    try check(index, .term(word), ids(word: word))
  }

  /// Compares what a query finds: all of it, and the count of a call that lists nothing.
  func check(_ index: Index, _ query: Query, _ expected: Set<String>) throws {
    let found = try index.search(query, limit: expected.count + 5)
    let ids = Set(try found.map { try $0.id })
    let count = try index.count(query)
    guard ids == expected, found.total == expected.count, count == expected.count else {
      throw TrialFailure(
        "\(query) finds \(found.total), counts \(count), not \(expected.count): "
          + "\(ids.symmetricDifference(expected).sorted().prefix(5))")
    }
  }

  /// Compares everything, and verifies the index.
  func checkAll(_ index: Index) throws {
    let ids = try index.ids()
    guard Set(ids) == Set(items.keys), ids.count == items.count, try index.count == ids.count
    else {
      let wrong = Set(ids).symmetricDifference(items.keys).sorted().prefix(5)
      throw TrialFailure("\(ids.count) ids, not \(items.count): \(wrong)")
    }
    for id in ids { try check(index, id: id) }
    let problems = try index.verify()
    guard problems.isEmpty else { throw TrialFailure("\(problems)") }
  }

  /// The bytes of all files of an index.
  static func size(_ path: String) throws -> Int {
    let folder = try Folder.open(path: path, create: false)
    return try folder.list().reduce(0) { $0 + (try folder.size(of: $1)) }
  }

  /// After a clean end only the files that the manifest names are there.
  static func checkFiles(_ path: String) throws {
    let folder = try Folder.open(path: path, create: false)
    let manifest = try IndexFolder.openForReading(folder).manifest
    let expected = Set(manifest.files.map(\.description)).union([FileNames.lock])
    guard Set(try folder.list()) == expected else {
      throw TrialFailure("left over: \(Set(try folder.list()).symmetricDifference(expected))")
    }
  }
}

/// Chance that repeats: SplitMix64.
struct TrialChance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number of `0 ..< bound`.
  mutating func below(_ bound: Int) -> Int {
    bound > 1 ? Int(truncatingIfNeeded: next() % UInt64(bound)) : 0
  }
}
