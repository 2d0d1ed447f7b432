// The sorted dictionary of a string column while it is written.

internal import LimelightCodecs

/// Takes strings in their order and keeps index and pages apart, as the column has them one behind
/// the other.
final class ColumnDictionary {
  let index = ByteWriter(capacity: 64)
  let pages: SectionBuffer
  @exclusivity(unchecked) private var writer: KeyPagesWriter?

  init(_ spill: SpillFile?) { pages = SectionBuffer(spill) }

  /// Starts a dictionary whose smallest and largest folded forms these are.
  func begin(first: UnsafeRawBufferPointer, last: UnsafeRawBufferPointer) {
    writer = KeyPagesWriter(
      index: index, pages: pages, first: first, shared: KeyBytes.sharedLength(first, last))
  }

  /// The strings so far.
  var count: Int { writer?.added ?? 0 }

  /// Adds the next string, whose folded form must stay where it is until the one after it is added.
  func add(_ text: UnsafeRawBufferPointer, folded: UnsafeRawBufferPointer) {
    writer?.add(folded)
    StringForm.put(text, folded: folded, into: pages.bytes)
    pages.spillIfLarge()
  }

  func finish() { writer?.finish() }

  /// Begins anew, once the pages were moved to their section.
  func removeAll() {
    index.removeAll()
    writer = nil
  }
}
