// The table behind all handles: slots with generation and type, found without a lock.

internal import Glibc
internal import LimelightStorage
internal import Synchronization

/// What a handle stands for; the numbers are part of a handle's bits.
enum HandleKind: UInt8 {
  case index = 1
  case item, batch, receipt, query, weights, cancellation, results, highlights, stats
  case strings, string
}

/// What handles can stand for.
protocol HandleObject: AnyObject {
  static var kind: HandleKind { get }
}

/// All handles of the process.
///
/// The bits of a handle: 1, 31 of a generation, 24 of a slot's number, 8 of a kind. With the highest
/// bit set it is never an address of a program. Generations start at random, so that an invented
/// number is no handle; each use of a slot has the next one. The slot knows its kind as well, since a
/// host could change that of a handle.
///
/// A slot's state is one word: the generation, whether the handle is open, and how many calls are
/// using the object. A call counts itself in by compare and exchange, only while generation and
/// openness are right; so closing is seen by all calls that come later, and the object goes with the
/// last call that uses it. Slots never move and are never freed. A lock is only taken to open and
/// to retire.
///
/// **Fork.** A slot remembers in which process it was opened. In a child, the parent's objects are
/// neither used nor ended: their threads are not there and their locks may be held for ever. The
/// table's own lock is taken over a fork.
final class HandleTable: @unchecked Sendable {
  static let shared = HandleTable()

  struct Slot: ~Copyable {
    let state = Atomic<UInt64>(0)
    var object: Unmanaged<AnyObject>?
    var kind = HandleKind.index
    var forks = 0
    var nextFree: UInt32 = 0
  }

  private static let chunkBits = 10
  private static let slotLimit: UInt32 = 1 << 24
  private static let openBit: UInt64 = 1 << 31
  private static let pins: UInt64 = openBit - 1
  private static let noSlot = UInt32.max

  /// Pointers to chunks of slots; the table is as long as it will ever be.
  private let chunks: UnsafeMutablePointer<UnsafeMutablePointer<Slot>?>
  private let slotCount = Atomic<UInt32>(0)
  private let lock = Lock()
  private var firstFree = noSlot
  private var seed = UInt32.random(in: 0...UInt32.max)

  private init() {
    let count = Int(Self.slotLimit) >> Self.chunkBits
    chunks = .allocate(capacity: count)
    chunks.initialize(repeating: nil, count: count)
    pthread_atfork(
      { HandleTable.shared.lock.lock() }, { HandleTable.shared.lock.unlock() },
      { HandleTable.shared.lock.unlock() })
  }

  // MARK: Opening

  /// Gives an object a handle, which holds it.
  func open<Object: HandleObject>(_ object: Object) throws -> OpaquePointer? {
    let (number, slot) = try takeSlot()
    slot.pointee.object = Unmanaged.passRetained(object)
    slot.pointee.kind = Object.kind
    slot.pointee.forks = ForkCount.current
    let word = slot.pointee.state.load(ordering: .relaxed) | Self.openBit
    slot.pointee.state.store(word, ordering: .releasing)
    let bits = 1 << 63 | (word >> 32) << 32 | UInt64(number) << 8 | UInt64(Object.kind.rawValue)
    return OpaquePointer(bitPattern: UInt(bits))
  }

  private func takeSlot() throws -> (UInt32, UnsafeMutablePointer<Slot>) {
    lock.lock()
    defer { lock.unlock() }
    if firstFree != Self.noSlot {
      let number = firstFree
      guard let slot = slot(number) else { throw CallError.tooManyHandles }
      firstFree = slot.pointee.nextFree
      return (number, slot)
    }
    let number = slotCount.load(ordering: .relaxed)
    guard number < Self.slotLimit else { throw CallError.tooManyHandles }
    let chunk = Int(number) >> Self.chunkBits
    if chunks[chunk] == nil {
      let made = UnsafeMutablePointer<Slot>.allocate(capacity: 1 << Self.chunkBits)
      for place in 0..<(1 << Self.chunkBits) { (made + place).initialize(to: Slot()) }
      chunks[chunk] = made
    }
    guard let slot = slot(number) else { throw CallError.tooManyHandles }
    seed = seed &* 1_664_525 &+ 1_013_904_223
    slot.pointee.state.store(UInt64(seed >> 1) << 32, ordering: .relaxed)
    slotCount.store(number + 1, ordering: .releasing)
    return (number, slot)
  }

  private func slot(_ number: UInt32) -> UnsafeMutablePointer<Slot>? {
    chunks[Int(number) >> Self.chunkBits].map { $0 + Int(number) & (1 << Self.chunkBits - 1) }
  }

  // MARK: Using

  /// Runs a body with the object of a handle, which stays alive meanwhile.
  @inline(__always)
  func with<Object: HandleObject, Result>(
    _ handle: OpaquePointer?, _ type: Object.Type, _ body: (Object) throws -> Result
  ) throws -> Result {
    let (number, slot) = try pin(handle, Object.kind)
    defer { unpin(number, slot) }
    guard slot.pointee.forks == ForkCount.current else { throw CallError.forked }
    guard slot.pointee.kind == Object.kind, let object = slot.pointee.object else {
      throw CallError.badHandle(handle, Object.kind)
    }
    return try object._withUnsafeGuaranteedRef { try body(unsafeDowncast($0, to: Object.self)) }
  }

  /// Ends a handle.
  ///
  /// `body` is the last that happens through it. In a forked child nothing happens.
  func close<Object: HandleObject>(
    _ handle: OpaquePointer?, _ type: Object.Type, _ body: (Object) throws -> Void = { _ in }
  ) throws {
    let (number, slot) = try pin(handle, Object.kind)
    defer { unpin(number, slot) }
    guard slot.pointee.kind == Object.kind else { throw CallError.badHandle(handle, Object.kind) }
    guard slot.pointee.forks == ForkCount.current else { return }
    let before = slot.pointee.state.bitwiseAnd(~Self.openBit, ordering: .acquiringAndReleasing)
    guard before.oldValue & Self.openBit != 0, let object = slot.pointee.object else {
      throw CallError.badHandle(handle, Object.kind)
    }
    try object._withUnsafeGuaranteedRef { try body(unsafeDowncast($0, to: Object.self)) }
  }

  /// Counts a call in, if the handle says this kind and is open.
  ///
  /// Whether the slot has an object of this kind can only be seen afterwards.
  @inline(__always)
  private func pin(
    _ handle: OpaquePointer?, _ kind: HandleKind
  ) throws -> (UInt32, UnsafeMutablePointer<Slot>) {
    let bits = UInt64(UInt(bitPattern: handle))
    let number = UInt32(truncatingIfNeeded: bits >> 8) & (Self.slotLimit - 1)
    guard bits >> 63 == 1, bits & 0xFF == UInt64(kind.rawValue),
      number < slotCount.load(ordering: .acquiring), let slot = slot(number)
    else { throw CallError.badHandle(handle, kind) }
    let generation = bits >> 32 & 0x7FFF_FFFF
    var word = slot.pointee.state.load(ordering: .relaxed)
    while true {
      guard word >> 32 == generation, word & Self.openBit != 0 else {
        throw CallError.badHandle(handle, kind)
      }
      let (exchanged, original) = slot.pointee.state.weakCompareExchange(
        expected: word, desired: word &+ 1, ordering: .acquiring)
      if exchanged { return (number, slot) }
      word = original
    }
  }

  /// Counts a call out; the last one of a closed handle ends the object and frees the slot.
  @inline(__always)
  private func unpin(_ number: UInt32, _ slot: UnsafeMutablePointer<Slot>) {
    let word = slot.pointee.state.subtract(1, ordering: .acquiringAndReleasing).newValue
    if word & (Self.openBit | Self.pins) == 0 { retire(number, slot) }
  }

  private func retire(_ number: UInt32, _ slot: UnsafeMutablePointer<Slot>) {
    let object = slot.pointee.object
    slot.pointee.object = nil
    let generation = (slot.pointee.state.load(ordering: .relaxed) >> 32 &+ 1) & 0x7FFF_FFFF
    slot.pointee.state.store(generation << 32, ordering: .relaxed)
    lock.withLock {
      slot.pointee.nextFree = firstFree
      firstFree = number
    }
    object?.release()
  }
}
