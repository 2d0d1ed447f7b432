// A page of memory that the child and its parent share: where the child is, and where it is to stop.

internal import Glibc
package import LimelightStorage
internal import Synchronization

/// What a thread of the child is doing.
package enum CrashOperation: UInt32, CaseIterable, Sendable {
  case none, opening, put, load, delete, commit, merge, closing
  /// Not a change of the plan: the engine's own thread.
  case background
}

/// Where a thread was: in which operation, and which step it reached last.
package struct CrashPlace: Hashable, Sendable {
  package let operation: CrashOperation
  package let phase: Phase

  package init(_ operation: CrashOperation, _ phase: Phase) {
    self.operation = operation
    self.phase = phase
  }
}

/// What is to happen when a step is reached.
package enum CrashTrap: UInt32, Sendable {
  case none
  /// The thread tells its parent and stays there.
  case stop
  /// The thread tells its parent and goes on.
  case tell
}

/// A mapped file of one page, which outlives the child.
///
/// Threads: any, of both processes.
package final class ControlPage: @unchecked Sendable {
  private typealias Word = Atomic<UInt32>
  /// A place for each worker, and the last one for the engine's own thread.
  static let slotCount = 8
  static let backgroundSlot = slotCount - 1
  private static let size = 4096

  private enum Place {
    static let trap = 0
    static let phase = 1
    static let operation = 2
    static let countdown = 3
    static let slots = 16
  }

  private let base: UnsafeMutableRawPointer

  /// Maps the file; `create` makes it, all zeros.
  package init?(path: String, create: Bool) {
    let number = open(path, create ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDWR | O_CLOEXEC, 0o600)
    guard number >= 0 else { return nil }
    defer { close(number) }
    guard !create || ftruncate(number, Self.size) == 0,
      let map = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0),
      map != MAP_FAILED
    else { return nil }
    base = map
  }

  deinit { munmap(base, Self.size) }

  private func word(_ place: Int) -> UnsafeMutablePointer<Word> {
    base.assumingMemoryBound(to: Word.self) + place
  }

  private func set(_ place: Int, _ value: UInt32) {
    word(place).pointee.store(value, ordering: .sequentiallyConsistent)
  }

  private func get(_ place: Int) -> UInt32 {
    word(place).pointee.load(ordering: .sequentiallyConsistent)
  }

  /// Sets the trap for the next child: the `count`-th time that a place is reached.
  package func arm(_ trap: CrashTrap, at place: CrashPlace?, count: Int) {
    for slot in 0..<Self.slotCount { set(Place.slots + slot, 0) }
    set(Place.trap, (place == nil ? CrashTrap.none : trap).rawValue)
    set(Place.phase, place?.phase.rawValue ?? 0)
    set(Place.operation, place?.operation.rawValue ?? 0)
    set(Place.countdown, UInt32(count))
  }

  /// Where the threads of the child were last.
  package var places: [CrashPlace] {
    (0..<Self.slotCount).compactMap { slot in
      let value = get(Place.slots + slot)
      guard let operation = CrashOperation(rawValue: value >> 16),
        let phase = Phase(rawValue: value & 0xFFFF)
      else { return nil }
      return CrashPlace(operation, phase)
    }
  }

  /// Says that the thread of a slot begins an operation, or ends it.
  func begin(_ operation: CrashOperation, slot: Int) {
    set(Place.slots + slot, operation.rawValue << 16)
  }

  /// Says that the thread of a slot has reached a step; gives the trap if this is the one.
  func reach(_ phase: UInt32, slot: Int) -> CrashTrap {
    var operation = get(Place.slots + slot) >> 16
    if slot == Self.backgroundSlot { operation = CrashOperation.background.rawValue }
    set(Place.slots + slot, operation << 16 | phase)
    guard let trap = CrashTrap(rawValue: get(Place.trap)), trap != .none,
      phase == get(Place.phase)
    else { return .none }
    let wanted = get(Place.operation)
    guard wanted == 0 || wanted == operation else { return .none }
    let left = word(Place.countdown).pointee
      .wrappingSubtract(1, ordering: .sequentiallyConsistent)
    return left.newValue == 0 ? trap : .none
  }
}
