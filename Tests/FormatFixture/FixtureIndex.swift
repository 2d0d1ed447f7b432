// Builds the index of a fixture: every kind of file, section, part, record and operation.

import LimelightIndexing
import LimelightItems
import LimelightSnapshots
import LimelightStorage

/// An index that is the same, byte by byte, each time it is built, but for the numbers of its journals.
package enum FixtureIndex {
  /// The index's uuid.
  package static let uuid: [UInt8] = Array(1...16)

  /// Builds the index in a folder that is there and empty, and calls `body` before it is closed: then the
  /// last changes stand in the journal alone.
  ///
  /// A checkpoint may come in between, as one does after a second of rest: who looks at the files has to
  /// see whether it did.
  package static func build(in path: String, then body: () throws -> Void) throws {
    let options = IndexOptions(
      analyzerName: "words", analyzerVersion: 1, storesItems: true, uuid: uuid)
    let writer = try IndexWriter(
      try Folder.open(path: path, create: false), creating: options, waiting: 0)
    try fill(writer)
    try body()
    try writer.close()
  }

  private static func fill(_ writer: IndexWriter) throws {
    // The same id twice in a load: both stand in the segment, one is dead.
    var items = (0..<FixtureItems.loadCount).map { FixtureItems.loaded($0) }
    items.append(FixtureItems.loaded(500, round: 2))
    var batches = [LoadBatch.items(items, firstPosition: 0)]
    _ = try writer.load(
      threads: 1, memoryBudget: 64 << 20, next: { batches.popLast() }, progress: { _ in true })
    _ = try writer.put((0..<12).map { FixtureItems.rich($0) })
    _ = try writer.delete(ids: (0..<40).map { "load/\($0 * 11)" })
    _ = try writer.setClientState(Array("the host's own state".utf8))
    try writer.checkpoint()

    // What only the journal holds: each kind of operation but deleting everything.
    _ = try writer.put([
      FixtureItems.late(1), FixtureItems.rich(3), FixtureItems.loaded(20, round: 3),
    ])
    _ = try writer.delete(ids: ["load/21", "rich/4", "not there"])
    _ = try writer.setClientState(nil)
    _ = try writer.put([FixtureItems.loaded(5000), FixtureItems.late(5)])
    _ = try writer.setClientState(Array("a later state".utf8))
  }
}
