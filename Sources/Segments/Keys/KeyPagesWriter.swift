// Writes a sorted dictionary: pages of 32 front-coded keys behind an array of key prefixes.

internal import LimelightCodecs

/// Writes keys, in ascending order, each with a payload.
///
/// Index:
///
///     0   length of the prefix that all keys share u32, number of keys u32
///     8   that prefix, then zeros up to a multiple of 8
///     -   for each page the first 8 bytes of its first key (after the shared prefix), u64 whose
///         order is the keys' order
///     -   for each page where it starts among the pages: u64
///
/// Page, for each of its 1 to 32 keys (without the shared prefix):
///
///     varint  bytes in common with the key before (left out for a page's first key)
///     varint  number of the other bytes, then these
///     payload a varint, or a varint length and bytes, as the dictionary's owner has it
///
/// Equal keys may follow each other. A search looks at the u64s only, unless keys agree in all of
/// them, and then at one page: 0.2 to 0.5 us.
struct KeyPagesWriter {
  static let keysPerPage = 32

  private let index: ByteWriter
  private let pages: SectionBuffer
  private let indexStart: Int
  private let shared: Int
  private(set) var added = 0
  private var offsets: [UInt64] = []
  private var previous: UnsafeRawBufferPointer?

  /// Begins a dictionary of keys of which the first `shared` bytes are those of `first`; its pages are
  /// all of `pages`, which is empty.
  init(
    index: ByteWriter, pages: SectionBuffer, first: UnsafeRawBufferPointer, shared: Int
  ) {
    self.index = index
    self.pages = pages
    self.shared = shared
    indexStart = index.count
    index.u32(UInt32(truncatingIfNeeded: shared))
    index.u32(0)
    index.bytes(UnsafeRawBufferPointer(rebasing: first[0..<shared]))
    index.zeros((0 &- shared) & 7)
  }

  /// Adds a key, whose bytes must stay where they are until the next one is added.
  ///
  /// The caller appends the payload to the pages afterwards, and may then have them spilled.
  mutating func add(_ key: UnsafeRawBufferPointer) {
    let rest = UnsafeRawBufferPointer(rebasing: key[min(shared, key.count)...])
    var common = 0
    if added % Self.keysPerPage == 0 {
      offsets.append(UInt64(pages.count))
      index.u64(KeyBytes.prefix(rest))
    } else {
      if let previous { common = KeyBytes.sharedLength(previous, rest) }
      pages.bytes.varint(UInt64(common))
    }
    pages.bytes.varint(UInt64(rest.count - common))
    pages.bytes.bytes(UnsafeRawBufferPointer(rebasing: rest[common...]))
    previous = rest
    added += 1
  }

  /// Ends the index.
  func finish() {
    index.patchU32(at: indexStart + 4, UInt32(truncatingIfNeeded: added))
    for offset in offsets { index.u64(offset) }
  }
}
