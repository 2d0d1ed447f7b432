// The terms of the segment being built: one hash table, one arena of bytes, a stream of postings each.

internal import Glibc
internal import LimelightCodecs

/// What is known of a term while its segment is being built.
struct TermRecord {
  /// Where its bytes stand in the arena, and how many they are.
  var bytes: UInt32
  var length: UInt16
  /// The field, as a number within the table.
  var field: UInt16
  /// The stream of its postings.
  var first: UInt32
  var place: UInt32
  var end: UInt32
  var lastDocument: UInt32
  var lastPosition: UInt32
  var documentFrequency: UInt32
}

/// An inverted index in memory, built token by token.
///
/// The stream of a term holds, for each token: a varint whose low bit says whether the token starts a
/// new document. If so the rest is the document minus the one before, and the position follows as a
/// varint; else the rest is the position minus the one before. So a token of a long text costs one or
/// two bytes, and nothing is allocated for it.
struct TermTable {
  /// Slots: the high half of the hash above the number of the term plus one; 0 is empty.
  private var slots: UnsafeMutablePointer<UInt64>
  private var mask: Int
  private(set) var terms: UnsafeMutablePointer<TermRecord>
  private(set) var count = 0
  /// The postings of all terms.
  private(set) var postingCount = 0
  private var termCapacity: Int
  private(set) var arena: UnsafeMutableRawPointer
  private var arenaUsed = 0
  private var arenaCapacity: Int
  private(set) var pool = SlicePool()

  private static let smallSlots = 1 << 10

  init() {
    mask = Self.smallSlots - 1
    slots = .allocate(capacity: Self.smallSlots)
    slots.initialize(repeating: 0, count: Self.smallSlots)
    termCapacity = 512
    terms = .allocate(capacity: termCapacity)
    arenaCapacity = 8192
    arena = .allocate(byteCount: arenaCapacity, alignment: 16)
  }

  func deallocate() {
    slots.deallocate()
    terms.deallocate()
    arena.deallocate()
    pool.deallocate()
  }

  /// The bytes of memory in use.
  var memory: Int {
    pool.used &+ arenaUsed &+ count &* MemoryLayout<TermRecord>.stride &+ (mask &+ 1) &* 8
  }

  /// Whether the offsets of a stream may run out with another value of up to 64 MiB.
  var isNearlyFull: Bool {
    pool.used > SlicePool.limit &- (1 << 30) || arenaUsed > Int(UInt32.max) &- (1 << 30)
  }

  /// Forgets everything; memory of up to `bytes` in each part stays for the next segment.
  mutating func removeAll(keeping bytes: Int = 1 << 20) {
    if (mask &+ 1) &* 8 > bytes {
      slots.deallocate()
      mask = Self.smallSlots - 1
      slots = .allocate(capacity: Self.smallSlots)
    }
    slots.initialize(repeating: 0, count: mask &+ 1)
    if termCapacity &* MemoryLayout<TermRecord>.stride > bytes {
      terms.deallocate()
      termCapacity = 512
      terms = .allocate(capacity: termCapacity)
    }
    if arenaCapacity > bytes {
      arena.deallocate()
      arenaCapacity = 8192
      arena = .allocate(byteCount: arenaCapacity, alignment: 16)
    }
    count = 0
    postingCount = 0
    arenaUsed = 0
    pool.removeAll(keeping: bytes)
  }

  /// The bytes of a term.
  @inline(__always)
  func bytes(of term: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: arena + Int(terms[term].bytes), count: Int(terms[term].length))
  }

  @inline(__always)
  private static func hash(
    _ term: UnsafePointer<UInt8>, _ length: Int, _ field: UInt16
  ) -> UInt64 {
    // A multiply-and-fold mix of 8 bytes at a time (the shape of wyhash and its kin).
    let key: UInt64 = 0x9E37_79B9_7F4A_7C15
    var state = UInt64(field) &* 0xA24B_AED4_963E_E407 ^ UInt64(length)
    let raw = UnsafeRawPointer(term)
    var i = 0
    while i &+ 8 <= length {
      let product = (state ^ raw.loadUnaligned(fromByteOffset: i, as: UInt64.self))
        .multipliedFullWidth(by: key)
      state = product.high ^ product.low
      i &+= 8
    }
    if i < length {
      // Token buffers can be read 8 bytes beyond their end.
      let kept = UInt64(truncatingIfNeeded: (length &- i) &* 8)
      let word = raw.loadUnaligned(fromByteOffset: i, as: UInt64.self) & ((1 &<< kept) &- 1)
      let product = (state ^ word).multipliedFullWidth(by: key)
      state = product.high ^ product.low
    }
    let product = (state ^ key).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }

  /// Whether two terms of a length are equal; both can be read 8 bytes beyond their end.
  @inline(__always)
  private static func isEqual(
    _ a: UnsafeMutableRawPointer, _ b: UnsafePointer<UInt8>, _ length: Int
  ) -> Bool {
    let other = UnsafeRawPointer(b)
    var i = 0
    while i &+ 8 <= length {
      let difference =
        a.loadUnaligned(fromByteOffset: i, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: i, as: UInt64.self)
      if difference != 0 { return false }
      i &+= 8
    }
    if i == length { return true }
    let difference =
      a.loadUnaligned(fromByteOffset: i, as: UInt64.self)
      ^ other.loadUnaligned(fromByteOffset: i, as: UInt64.self)
    return difference &<< UInt64(truncatingIfNeeded: 64 &- (length &- i) &* 8) == 0
  }

  /// Adds a token.
  ///
  /// `term` can be read 8 bytes beyond its end.
  ///
  /// Documents come in ascending order, and in each the positions of a term; a second token of a term
  /// at the same position is dropped.
  @inline(__always)
  mutating func add(
    _ term: UnsafePointer<UInt8>, _ length: Int, field: UInt16, document: UInt32, position: UInt32
  ) {
    let hash = Self.hash(term, length, field)
    let tag = hash & 0xFFFF_FFFF_0000_0000
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let value = slots[slot]
      if value == 0 { break }
      if value & 0xFFFF_FFFF_0000_0000 == tag {
        let number = Int(truncatingIfNeeded: value & 0xFFFF_FFFF) &- 1
        let record = terms + number
        if Int(record.pointee.length) == length && record.pointee.field == field
          && Self.isEqual(arena + Int(record.pointee.bytes), term, length)
        {
          append(record, document, position)
          return
        }
      }
      slot = (slot &+ 1) & mask
    }
    insert(term, length, field, tag, slot, document, position)
  }

  @inline(__always)
  private mutating func append(
    _ record: UnsafeMutablePointer<TermRecord>, _ document: UInt32, _ position: UInt32
  ) {
    if record.pointee.lastDocument == document {
      let gap = position &- record.pointee.lastPosition
      guard gap > 0 else { return }
      pool.append(varint: gap &<< 1, &record.pointee.place, &record.pointee.end)
    } else {
      let gap = document &- record.pointee.lastDocument
      pool.append(varint: gap &<< 1 | 1, &record.pointee.place, &record.pointee.end)
      pool.append(varint: position, &record.pointee.place, &record.pointee.end)
      record.pointee.lastDocument = document
      record.pointee.documentFrequency &+= 1
      postingCount &+= 1
    }
    record.pointee.lastPosition = position
  }

  @inline(never)
  private mutating func insert(
    _ term: UnsafePointer<UInt8>, _ length: Int, _ field: UInt16, _ tag: UInt64, _ slot: Int,
    _ document: UInt32, _ position: UInt32
  ) {
    if count == termCapacity { growTerms() }
    if arenaUsed &+ length &+ 8 > arenaCapacity { growArena(length) }
    memcpy(arena + arenaUsed, term, length)
    let stream = pool.start()
    (terms + count).initialize(
      to: TermRecord(
        bytes: UInt32(truncatingIfNeeded: arenaUsed), length: UInt16(truncatingIfNeeded: length),
        field: field, first: stream.place, place: stream.place, end: stream.end, lastDocument: 0,
        lastPosition: position, documentFrequency: 1))
    arenaUsed &+= length
    let record = terms + count
    pool.append(varint: document &<< 1 | 1, &record.pointee.place, &record.pointee.end)
    pool.append(varint: position, &record.pointee.place, &record.pointee.end)
    record.pointee.lastDocument = document
    count &+= 1
    postingCount &+= 1
    slots[slot] = tag | UInt64(truncatingIfNeeded: count)
    if count &* 2 > mask { growSlots() }
  }

  private mutating func growTerms() {
    let next = UnsafeMutablePointer<TermRecord>.allocate(capacity: termCapacity &* 2)
    next.moveInitialize(from: terms, count: count)
    terms.deallocate()
    terms = next
    termCapacity &*= 2
  }

  private mutating func growArena(_ length: Int) {
    let larger = max(arenaCapacity &* 2, arenaUsed &+ length &+ 8)
    let next = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    next.copyMemory(from: arena, byteCount: arenaUsed)
    arena.deallocate()
    arena = next
    arenaCapacity = larger
  }

  private mutating func growSlots() {
    slots.deallocate()
    mask = (mask &+ 1) &* 2 &- 1
    slots = .allocate(capacity: mask &+ 1)
    slots.initialize(repeating: 0, count: mask &+ 1)
    for number in 0..<count {
      let record = terms[number]
      // Bytes behind the last term may be anything: the arena has 8 spare ones.
      let hash = Self.hash(
        (arena + Int(record.bytes)).assumingMemoryBound(to: UInt8.self), Int(record.length),
        record.field)
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot &+ 1) & mask }
      slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(truncatingIfNeeded: number &+ 1)
    }
  }
}
