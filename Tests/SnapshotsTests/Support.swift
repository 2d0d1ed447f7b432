// What the tests of Snapshots share: chance that can be repeated, files made of given bytes.
import LimelightItems
import LimelightSnapshots
import LimelightStorage
import Testing

/// The generator SplitMix64: equal seeds, equal runs.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

/// The options of the tests' indexes.
let testOptions = IndexOptions(
  analyzerName: "words", analyzerVersion: 1, uuid: Array(repeating: 0xA5, count: 16))

/// A folder in memory with these files.
func folder(_ files: [String: [UInt8]]) throws -> Folder {
  let folder = Folder.inMemory()
  for (name, bytes) in files {
    let file = try folder.create(name)
    try file.append(bytes)
    file.close()
  }
  return folder
}

/// All files of a folder but the lock.
func files(of folder: Folder) throws -> [String: [UInt8]] {
  var files: [String: [UInt8]] = [:]
  for name in try folder.list() where name != FileNames.lock { files[name] = try folder.read(name) }
  return files
}

/// A record that puts one item.
func put(_ id: String, _ text: String = "text") throws -> EncodedRecord {
  try EncodedRecord([.put([item(id, text)])])
}

func item(_ id: String, _ text: String) -> ResolvedItem {
  ResolvedItem(id: id, domain: "a.b", values: [(id: 7, value: .text(text))])
}

/// All records that a follower has now.
func drain(_ follower: JournalFollower) throws -> [JournalRecord] {
  var records: [JournalRecord] = []
  while let record = try follower.next() { records.append(record) }
  return records
}

/// The error that `body` throws, when it is one of Snapshots.
func failure(_ body: () throws -> Void) -> SnapshotError? {
  do {
    try body()
  } catch {
    return error as? SnapshotError
  }
  return nil
}
