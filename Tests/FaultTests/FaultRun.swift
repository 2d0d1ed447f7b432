// An index on a fault disk, and beside it what must be in there.

import LimelightIndexing
import LimelightItems
import LimelightSegments
import LimelightSnapshots
import LimelightStorage
import Testing

/// Runs scripts and compares after every step.
final class FaultRun {
  typealias Items = [String: Item]

  private(set) var disk: FaultDisk
  /// How much of a section stays in memory while a file is written.
  private let spillBound: Int
  private var writer: IndexWriter?
  /// When changes are synced that do not say so themselves.
  let sync: ChangeSync
  /// What was acknowledged, change by change: the first state is on disk for certain.
  private var states: [Items] = [[:]]
  /// Whether what the disk has may end with any of these states.
  private var mayHaveLost = false
  /// What the index may hold instead once it is opened again: a change whose outcome is unknown.
  private var doubtful: Items?
  private(set) var failures = 0
  private(set) var poisonings = 0
  /// How often changes were gone that need not have been on disk.
  private(set) var losses = 0

  private static let options = IndexOptions(
    analyzerName: "words", analyzerVersion: 1, uuid: Array(repeating: 0x5A, count: 16))

  init(
    _ disk: FaultDisk, sync: ChangeSync = .now, spillBound: Int = SpillFile.standardBound
  ) {
    self.disk = disk
    self.sync = sync
    self.spillBound = spillBound
  }

  /// What was acknowledged.
  var items: Items { states[states.count - 1] }

  // MARK: Steps

  /// Runs steps while the disk has power; faults are passed over, disagreements fail the test.
  func run(_ steps: [FaultStep]) throws {
    for step in steps where !disk.isCut {
      do {
        try take(step)
      } catch let error as IndexingError {
        try pass(error)
      }
      try compare()
    }
  }

  private func take(_ step: FaultStep) throws {
    let writer = try opened()
    var next = items
    step.apply(to: &next)
    var outcome: ChangeOutcome?
    do throws(IndexingError) {
      switch step {
      case .put(let batch): outcome = try writer.put(batch)
      case .putWaiting(let batch, let sync): outcome = try writer.put(batch, sync: sync)
      case .load(let batch, let threads): try Self.load(batch, threads, writer)
      case .delete(let ids): outcome = try writer.delete(ids: ids)
      case .deleteAll: outcome = try writer.deleteAll()
      case .syncTime:
        writer.syncNow()
        // A failure is kept, and the next call tells it; without one everything is durable now.
        if sync == .soon, writer.durableGeneration < writer.root.snapshot.generation {
          _ = try writer.flush()
          Issue.record("the time to sync was over, and nothing was synced")
        }
      case .flush: _ = try writer.flush()
      case .checkpoint: try writer.checkpoint()
      case .merge(let count): try writer.merge(into: count)
      case .reopen:
        defer { self.writer = nil }
        try writer.close()
      case .abandon: self.writer = nil
      }
    } catch {
      // Any other failure says that the change has not happened.
      if next != items, disk.isCut || error.isPoisoned { doubtful = next }
      throw error
    }
    // A change that has failed stands behind nothing that came later.
    if next != items { doubtful = nil }
    let isDurable = step.makesDurable(sync)
    if isDurable, let outcome { #expect(outcome.isDurable) }
    states = isDurable || outcome?.isDurable == true ? [next] : states + [next]
  }

  private static func load(
    _ items: [Item], _ threads: Int, _ writer: IndexWriter
  ) throws(IndexingError) {
    var start = 0
    do {
      _ = try writer.load(
        threads: threads, memoryBudget: 1 << 20,
        next: {
          guard start < items.count else { return nil }
          defer { start += 2 }
          return .items(Array(items[start..<min(start + 2, items.count)]), firstPosition: start)
        }, progress: { _ in true })
    } catch let error as IndexingError {
      throw error
    } catch {
      throw .snapshot(SnapshotError(.damaged, file: "", "\(error)"))
    }
  }

  /// The writer, opened when need be: then a change whose outcome was unknown has one.
  private func opened() throws -> IndexWriter {
    if let writer { return writer }
    // Nothing is synced by the clock: the steps of a script come one after the other on any machine.
    let made = try IndexWriter(
      .faulty(disk), creating: Self.options, waiting: 5000, sync: sync, syncDelay: 3_600_000,
      spillBound: spillBound)
    settle(try Self.contents(made.root))
    writer = made
    return made
  }

  /// Takes the state that was found for the one that holds, if it may be; true if so.
  @discardableResult
  private func settle(_ found: Items) -> Bool {
    let isPossible = found == doubtful || (mayHaveLost ? states.contains(found) : found == items)
    if isPossible, found != items, found != doubtful { losses += 1 }
    states = [isPossible ? found : items]
    doubtful = nil
    mayHaveLost = false
    return isPossible
  }

  /// Lets a fault of the disk pass, and nothing else; a poisoned index is closed.
  private func pass(_ error: IndexingError) throws {
    failures += 1
    switch error {
    case .storage: break
    case .snapshot(let reason):
      try #require(disk.isCut || error.isPoisoned || reason.storage != nil, "\(reason)")
    case .corrupt, .segment, .analyzer, .cancelled: throw error
    }
    guard error.isPoisoned else { return }
    poisonings += 1
    mayHaveLost = true
    // Closing says that it cannot write a checkpoint; the lock is free all the same.
    try? writer?.close()
    writer = nil
  }

  /// Compares what is seen with the truth; the fault may fall on the reading of a thumbnail.
  private func compare() throws {
    while let writer, !disk.isCut {
      do {
        let found = try Self.contents(writer.root)
        try #require(found == items, "\(Self.difference(found, items))")
        return
      } catch let error as IndexingError {
        try pass(error)
      }
    }
  }

  // MARK: Afterwards

  /// What a power cut at this moment leaves, to a reader and then to a writer that goes on with it.
  ///
  /// Gives how often that took changes.
  @discardableResult
  func checkAfterPowerCut(seed: UInt64) throws -> Int {
    let found = afterPowerCut(seed: seed)
    try found.checkReader()
    try found.finish()
    return found.losses
  }

  /// The run that goes on with what a power cut at this moment leaves.
  func afterPowerCut(seed: UInt64) -> FaultRun {
    let found = FaultRun(disk.powerCut(seed: seed), sync: sync, spillBound: spillBound)
    (found.states, found.doubtful, found.mayHaveLost) = (states, doubtful, true)
    return found
  }

  /// Ends the run on the disk as it is: everything must work again.
  func finish() throws {
    writer = nil
    try run([.put([]), .put([FaultStep.item("last", 10, thumbnail: 5)])])
    try #require(failures == 0 || !disk.isCut)
    let writer = try opened()
    try writer.checkpoint()
    for view in writer.root.snapshot.views {
      let damage = view.segment.verify()
      #expect(damage.isEmpty)
    }
    try writer.close()
    self.writer = nil
    try checkFiles()
    try checkReader()
  }

  /// Only files that the manifest names are there.
  func checkFiles() throws {
    let folder = Folder.faulty(disk)
    let manifest = try IndexFolder.openForReading(folder).manifest
    let expected = Set(manifest.files.map(\.description)).union([FileNames.lock])
    #expect(Set(try folder.list()) == expected)
  }

  /// A reader sees what was acknowledged and not taken by a power cut, and writes nothing.
  private func checkReader() throws {
    let writes = disk.count() - disk.count(of: .read) - disk.count(of: .map)
    let found: Items
    do throws(IndexingError) {
      found = try Self.contents(try IndexFollower(.faulty(disk)).refresh())
    } catch {
      guard case .snapshot(let reason) = error, reason.kind == .noIndex else { throw error }
      found = [:]
    }
    let difference = Self.difference(found, items)
    // A writer that comes next must find the same.
    try #require(settle(found), "a reader: \(difference)")
    #expect(disk.count() - disk.count(of: .read) - disk.count(of: .map) == writes)
  }

  /// All items of a root, whole.
  static func contents(_ root: IndexRoot) throws(IndexingError) -> Items {
    do {
      var items: Items = [:]
      for (number, view) in root.snapshot.views.enumerated() {
        guard let stored = try view.segment.storedItems(), let ids = try view.segment.ids()
        else { continue }
        for document in 0..<UInt32(view.documentCount) where view.live.isLive(document) {
          var resolved = try ItemCodec.decode(try stored.record(of: document))
          if resolved.hasThumbnail {
            resolved.thumbnail = try root.thumbnail(view: number, document: document)
          }
          let item = resolved.item(registry: root.snapshot.registry)
          #expect(try ids.id(of: document) == item.id)
          #expect(items.updateValue(item, forKey: item.id) == nil, "\(item.id) is there twice")
        }
      }
      return items
    } catch let error as IndexingError {
      throw error
    } catch let error as CorruptionError {
      throw .corrupt(error)
    } catch {
      throw .snapshot(SnapshotError(.damaged, file: "", "\(error)"))
    }
  }

  private static func difference(_ found: Items, _ expected: Items) -> String {
    let ids = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
    return "wrong: \(ids.sorted()), found \(found.keys.sorted())"
  }
}

extension IndexingError {
  /// Whether the outcome of a change is unknown.
  fileprivate var isPoisoned: Bool {
    switch self {
    case .storage(let error): error.kind == .poisoned
    case .snapshot(let error): error.kind == .poisoned
    case .corrupt, .segment, .analyzer, .cancelled: false
    }
  }
}

/// Runs a body and says at which fault it was if that fails.
func attempt(_ what: String, _ body: () throws -> Void) throws {
  do {
    try body()
  } catch {
    Issue.record("\(what): \(error)")
    throw error
  }
}
