// The changes in the journals of a damaged index, as calls that can be made again.

internal import LimelightItems
internal import LimelightSnapshots
internal import LimelightStorage

/// Gives the changes behind a manifest one after the other, and keeps account of those that are lost.
///
/// Neighbouring puts come as one. Custom attributes are known by their order: behind a record that is
/// lost, and may have declared some, only items are taken whose attributes were declared before.
/// For one thread.
struct ChangeSalvage {
  /// A change by names, not by numbers.
  enum Change {
    case put([Item])
    case delete(ids: [String])
    case deleteAll
    case declare(ResolvedAttribute)
    case clientState([UInt8]?)
  }

  private let journal: JournalSalvage
  private var registry = AttributeRegistry()
  /// Changes that were read and not given yet, last first.
  private var waiting: [Change] = []
  private var puts: [Item] = []
  private var damage: Damage?

  /// Puts are given together up to this many items.
  private static let putLimit = 1000

  init(_ folder: Folder, _ manifest: Manifest) throws(IndexingError) {
    journal = try indexing { try JournalSalvage(folder, behind: manifest) }
    do throws(ItemDecodingError) {
      registry = try registry.adding(manifest.registry)
    } catch {
      throw .snapshot(
        .damaged(FileNames.manifest(manifest.number), at: error.offset, "\(error.what)"))
    }
  }

  /// The next change; nil at the end.
  ///
  /// Items that it puts or deletes are lost no longer; those of its items that cannot be taken are.
  mutating func next(_ outcome: inout RepairOutcome) throws(IndexingError) -> Change? {
    while true {
      if let change = waiting.popLast() {
        // What was put before another change comes before it.
        guard !puts.isEmpty else { return change }
        waiting.append(change)
        return takePuts()
      }
      if puts.count >= Self.putLimit { return takePuts() }
      guard let record = try indexing({ try journal.next() }) else {
        return puts.isEmpty ? nil : takePuts()
      }
      for operation in record.operations {
        read(operation, isAfterGap: record.isAfterGap, &outcome)
      }
      waiting.reverse()
    }
  }

  private mutating func takePuts() -> Change {
    defer { puts = [] }
    return .put(puts)
  }

  /// Turns an operation into a change; puts gather as long as nothing else waits.
  private mutating func read(
    _ operation: JournalOperation, isAfterGap: Bool, _ outcome: inout RepairOutcome
  ) {
    switch operation {
    case .put(let batch):
      var items: [Item] = []
      for item in batch {
        guard item.values.allSatisfy({ registry.attribute(id: $0.id) != nil }) else {
          outcome.lost.insert(item.id)
          continue
        }
        outcome.lost.remove(item.id)
        outcome.withoutThumbnail.remove(item.id)
        items.append(item.item(registry: registry))
      }
      if waiting.isEmpty { puts += items } else { waiting.append(.put(items)) }
    case .delete(let ids):
      outcome.lost.subtract(ids)
      outcome.withoutThumbnail.subtract(ids)
      waiting.append(.delete(ids: ids))
    case .deleteAll:
      outcome.lost = []
      outcome.withoutThumbnail = []
      outcome.unidentified = []
      waiting.append(.deleteAll)
    case .clientState(let bytes): waiting.append(.clientState(bytes))
    case .declare(let bytes):
      guard !isAfterGap else { return }
      let known = registry.custom.count
      guard let next = try? registry.adding(bytes) else {
        damage = Damage(file: "journal", "a declaration of attributes cannot be read")
        return
      }
      registry = next
      for attribute in registry.custom.dropFirst(known) { waiting.append(.declare(attribute)) }
    }
  }

  /// Adds what is wrong with the journals.
  func add(to outcome: inout RepairOutcome) {
    for damage in journal.damages.map({ Damage($0) }) + (damage.map { [$0] } ?? [])
    where !outcome.damages.contains(damage) { outcome.damages.append(damage) }
    outcome.lostChanges = Int(clamping: journal.lostCount)
  }
}

extension AttributeRegistry {
  /// The registry with encoded custom attributes behind those that are known.
  fileprivate func adding(_ bytes: [UInt8]) throws(ItemDecodingError) -> AttributeRegistry {
    var next = self
    var failure: ItemDecodingError?
    bytes.withUnsafeBytes { bytes in
      do throws(ItemDecodingError) { try next.append(decoding: bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    return next
  }
}
