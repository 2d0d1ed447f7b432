// FaultEntries: the names in a fault disk's folder, as they are shown and as the disk holds them.

/// The names of a fault disk; guarded by the lock of the disk.
struct FaultEntries {
  /// A change of a name that no sync of the folder has made durable yet.
  ///
  /// Changes speak of the file, not of the name it had: when one is lost, a later one that survives
  /// still means the same file.
  private enum Change {
    case enter(PlainName, FaultFile)
    case rename(FaultFile, PlainName)
    case remove(FaultFile)
  }

  typealias Names = [PlainName: FaultFile]

  /// What readers see.
  private(set) var shown: Names
  private var durable: Names
  private var unsynced: [Change] = []

  init(durable names: Names = [:]) {
    shown = names
    durable = names
  }

  mutating func enter(_ file: FaultFile, as name: PlainName) {
    record(.enter(name, file))
  }

  mutating func rename(_ file: FaultFile, to name: PlainName) {
    record(.rename(file, name))
  }

  mutating func remove(_ file: FaultFile) {
    record(.remove(file))
  }

  /// A sync of the folder that succeeds.
  mutating func sync() {
    for change in unsynced { FaultEntries.apply(change, to: &durable) }
    unsynced = []
  }

  /// A sync that fails: some changes reach the disk, and no later sync brings the others.
  mutating func loseSync(using generator: inout SeededGenerator) {
    durable = survivors(using: &generator)
    unsynced = []
  }

  /// The names that a power cut at this moment leaves: each change as a whole or not at all.
  ///
  /// None, all, the first ones, or any of them.
  func survivors(using generator: inout SeededGenerator) -> Names {
    var names = durable
    let style = generator.below(4)
    let first = generator.below(unsynced.count + 1)
    for (number, change) in unsynced.enumerated() {
      let survives =
        switch style {
        case 0: false
        case 1: true
        case 2: number < first
        default: generator.coin()
        }
      if survives { FaultEntries.apply(change, to: &names) }
    }
    return names
  }

  private mutating func record(_ change: Change) {
    FaultEntries.apply(change, to: &shown)
    unsynced.append(change)
  }

  private static func apply(_ change: Change, to names: inout Names) {
    switch change {
    case .enter(let name, let file):
      names[name] = file
    case .rename(let file, let name):
      drop(file, from: &names)
      names[name] = file
    case .remove(let file):
      drop(file, from: &names)
    }
  }

  private static func drop(_ file: FaultFile, from names: inout Names) {
    for (name, other) in names where other === file { names[name] = nil }
  }
}
