// IndexModel: a small index over IndexFolder, and beside it the truth that it is compared with.
import LimelightItems
import LimelightSnapshots
import LimelightStorage
import Testing

/// What an index holds: texts by id, and the host's state.
struct ModelState: Equatable {
  var items: [String: String] = [:]
  var clientState: [UInt8]?
}

/// An index whose segments are lists of ids and texts.
///
/// `states` is the truth: the state after each record that was appended, kept apart from the files.
/// After a crash the files must give one of them, not older than what was acknowledged.
final class IndexModel {
  private struct Part {
    var file: UInt64
    var documents: [(id: String, text: String)]
    var live: LiveDocs
  }

  private var index: IndexFolder?
  private var parts: [Part] = []
  private var tail: [(id: String, text: String)] = []
  private var current = ModelState()
  private var sequence: UInt64 = 0
  private(set) var states: [UInt64: ModelState] = [0: ModelState()]
  private(set) var acknowledged: UInt64 = 0
  private(set) var wasOpened = false
  private(set) var checkpoints = 0
  private(set) var poisonings = 0

  // MARK: Opening

  /// Opens the index on a disk, and compares what it holds with the truth.
  func open(_ disk: FaultDisk) throws {
    index = nil
    let folder = Folder.faulty(disk)
    // Once an index was made it may never be gone.
    let index = try IndexFolder.openForWriting(folder, creating: wasOpened ? nil : testOptions)
    wasOpened = true
    try load(index, folder)
    try compare(current, sequence, "the writer")
    // Opening has made sure of all that it found.
    acknowledged = sequence
    states = states.filter { $0.key <= sequence }
    self.index = index
  }

  func close() {
    index?.close()
    index = nil
  }

  /// Compares what a reader finds on a disk with the truth.
  func checkReader(of disk: FaultDisk) throws {
    guard wasOpened else { return }
    let folder = Folder.faulty(disk)
    let reader = IndexModel()
    let writes = Self.writes(disk)
    try reader.load(try IndexFolder.openForReading(folder), folder)
    #expect(Self.writes(disk) == writes, "a reader has written")
    try compare(reader.current, reader.sequence, "a reader")
  }

  private static func writes(_ disk: FaultDisk) -> Int {
    disk.count() - disk.count(of: .read) - disk.count(of: .map)
  }

  private func compare(_ found: ModelState, _ sequence: UInt64, _ who: String) throws {
    try #require(
      sequence >= acknowledged, "\(who) lost records: \(sequence) of \(acknowledged)")
    let truth = try #require(states[sequence], "\(who) found record \(sequence), a ghost")
    try #require(found == truth, "\(who) found another state after record \(sequence)")
  }

  private func load(_ index: IndexFolder, _ folder: Folder) throws {
    let manifest = index.manifest
    parts = []
    tail = []
    current = ModelState(clientState: manifest.clientState)
    for segment in manifest.segments {
      let bytes = try folder.read(FileNames.segment(segment.file))
      let documents = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
        let fields = line.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        return (id: fields[0], text: fields.count == 2 ? fields[1] : "damaged")
      }
      try #require(documents.count == segment.documentCount, "a segment is not whole")
      for (number, document) in documents.enumerated() where segment.live.isLive(UInt32(number)) {
        try #require(current.items[document.id] == nil, "an item stands twice")
        current.items[document.id] = document.text
      }
      parts.append(Part(file: segment.file, documents: documents, live: segment.live))
    }
    sequence = manifest.sequence
    let follower = try index.follow()
    while let record = try follower.next() {
      try #require(record.sequence == sequence + 1)
      sequence = record.sequence
      for operation in record.operations { apply(operation) }
    }
  }

  // MARK: Changing

  private func apply(_ operation: JournalOperation) {
    switch operation {
    case .put(let items):
      for item in items {
        hide(item.id)
        guard case .text(let text)? = item.value(of: 7) else { continue }
        tail.append((item.id, text))
        current.items[item.id] = text
      }
    case .delete(let ids):
      for id in ids {
        hide(id)
        current.items[id] = nil
      }
    case .deleteAll:
      for part in parts.indices { parts[part].live.deleteAll() }
      tail = []
      current.items = [:]
    case .clientState(let state): current.clientState = state
    case .declare: break
    }
  }

  private func hide(_ id: String) {
    tail.removeAll { $0.id == id }
    for part in parts.indices {
      for (number, document) in parts[part].documents.enumerated() where document.id == id {
        _ = parts[part].live.delete(UInt32(number))
      }
    }
  }

  /// Appends a random batch, which need not be synced.
  func append(_ chance: inout Chance) throws {
    var operations: [JournalOperation] = []
    for _ in 0..<chance.below(4) {
      let id = "i\(chance.below(8))"
      switch chance.below(10) {
      case 0: operations.append(.deleteAll)
      case 1...2: operations.append(.delete(ids: [id, "i\(chance.below(8))"]))
      case 3: operations.append(.clientState(chance.below(3) == 0 ? nil : [UInt8(sequence & 255)]))
      default:
        let length = chance.below(8) == 0 ? 9_000 : 20
        let text = "\(sequence)." + String(repeating: "x", count: chance.below(length))
        operations.append(.put([item(id, text), item("j\(chance.below(4))", text)]))
      }
    }
    try append(operations)
    for operation in operations { apply(operation) }
    states[sequence] = current
  }

  /// Appends a record; one during which the power goes may be there afterwards.
  private func append(_ operations: [JournalOperation]) throws {
    let index = try opened()
    let outcome = IndexModel()
    (outcome.parts, outcome.tail, outcome.current) = (parts, tail, current)
    for operation in operations { outcome.apply(operation) }
    states[sequence + 1] = outcome.current
    do {
      let appended = try index.append(try EncodedRecord(operations))
      try #require(appended == sequence + 1)
      sequence = appended
    } catch {
      // A disk that is merely full takes nothing.
      if (error as? SnapshotError)?.storage?.kind == .noSpace { states[sequence + 1] = nil }
      throw error
    }
  }

  func sync() throws {
    try opened().sync(through: sequence)
    acknowledged = sequence
  }

  /// Writes the tail as a segment, at times all as one, with records coming in between.
  func checkpoint(_ chance: inout Chance) throws {
    let index = try opened()
    let (journal, sequence) = try index.rotate()
    acknowledged = max(acknowledged, sequence)
    let merges = chance.below(3) == 0
    let old = parts
    let documents =
      (merges
        ? old.flatMap { part in
          part.documents.enumerated().filter { part.live.isLive(UInt32($0.offset)) }
            .map(\.element)
        } : []) + tail
    let clientState = current.clientState
    let (number, file) = try index.create(.segment)
    var new = merges ? [] : old
    new.append(Part(file: number, documents: documents, live: LiveDocs(count: documents.count)))
    do {
      let text = documents.map { $0.id + "=" + $0.text + "\n" }.joined()
      try file.append(Array(text.utf8))
      try file.sync()
      var manifest = index.manifest
      (manifest.journal, manifest.sequence) = (journal, sequence)
      manifest.clientState = clientState
      manifest.segments = new.map { .init(file: $0.file, segmentID: $0.file, live: $0.live) }
      // Records that come while the checkpoint is under way are not in it.
      var later: [JournalOperation] = []
      if chance.below(2) == 0 {
        later = [.put([item("late", "\(sequence)")])]
        do {
          try append(later)
        } catch {
          later = []
          throw error
        }
        if chance.below(2) == 0 { try sync() }
      }
      defer { for operation in later { apply(operation) } }
      try index.publish(manifest)
      (parts, tail) = (new, [])
      checkpoints += 1
    } catch {
      index.discard(.segment, number)
      throw error
    }
  }

  private func opened() throws -> IndexFolder {
    guard let index else { throw SnapshotError(.notWritable, file: "", "the model is closed") }
    return index
  }

  // MARK: A run

  /// Runs a script; errors are what the disk's faults make of it, comparisons fail the test.
  ///
  /// A poisoned index is opened again, as a host would do.
  func run(_ disk: FaultDisk, seed: UInt64, steps: Int) throws {
    var chance = Chance(seed)
    for _ in 0..<steps where !disk.isCut {
      do {
        guard index != nil else {
          try open(disk)
          continue
        }
        switch chance.below(12) {
        case 0...4: try append(&chance)
        case 5...8: try sync()
        case 9...10: try checkpoint(&chance)
        default: close()
        }
      } catch let error as SnapshotError {
        // Without a power cut nothing may look damaged, and no index may be gone.
        let isFault = error.storage != nil || error.kind == .notWritable
        try #require(disk.isCut || isFault, "\(error)")
        if error.kind == .poisoned {
          poisonings += 1
          close()
        }
      } catch let error as StorageError {
        try #require(disk.isCut || error.kind != .notFound, "\(error)")
      }
    }
    close()
  }
}
