// Codecs: integers and bytes packed and unpacked. No files, no items: pointers in, pointers out.
//
// Two kinds of code live here. What a caller does per byte or per word (`ByteWriter`, `ByteReader`,
// `Varint`, `BitSet`, `ByteMask`, `Ordered`) is inlinable, so that it costs the same as if it stood
// in the caller's own module. What works on a block (`BitPacking`, `PFOR`, `PackedIntegers`, `LZ4`,
// `XXH64`) is called once for up to 128 integers or some kilobytes and is an ordinary call.
//
// All bytes are little-endian. Decoders trust no byte: each is told how many bytes are readable and
// never reads past them, whatever the bytes say. They do not promise to notice wrong values; the
// checksums do that.

/// Sizes that all block codecs share.
@usableFromInline
package enum Codecs {
  /// Integers in a full block of a list.
  @inlinable package static var blockLength: Int { 128 }
}
