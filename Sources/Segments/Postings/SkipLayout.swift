// Where the flat arrays over the blocks of a long list stand.

/// The layout of the skip area of a list of more than one block.
///
/// The arrays stand outside the blocks, so that a search for a document touches first documents only,
/// and a search for a block worth scoring touches impacts only. For `n` blocks and `s = ceil(n / 32)`
/// super blocks, all little-endian, in the section `skips`, aligned to 8 bytes:
///
///     first document of each block      u32 x n
///     offset of the block in the list   u32 x n
///     offset of its positions           u32 x n
///     impacts of the block              (frequency u8, norm u8) x 4 x n
///     impacts of each super block       (frequency u8, norm u8) x 4 x s
///     attribute signatures, blocks      u16 x n      only in a field with attribute sets
///     attribute signatures, supers      u16 x s      only in a field with attribute sets
///     postings of the block, minus one  u8  x n
///     zeros up to a multiple of 8
package struct SkipLayout {
  package static let blocksPerSuper = 32
  package static let postingsPerBlock = 128

  package let blocks: Int
  package let supers: Int
  package let byteOffsets: Int
  package let positionOffsets: Int
  package let impacts: Int
  package let superImpacts: Int
  package let signatures: Int
  package let superSignatures: Int
  package let counts: Int
  package let byteCount: Int

  package init(blocks: Int, hasSets: Bool) {
    self.blocks = blocks
    supers = (blocks &+ 31) / 32
    byteOffsets = blocks &* 4
    positionOffsets = blocks &* 8
    impacts = blocks &* 12
    superImpacts = blocks &* 20
    signatures = superImpacts &+ supers &* 8
    superSignatures = signatures &+ (hasSets ? blocks &* 2 : 0)
    counts = superSignatures &+ (hasSets ? supers &* 2 : 0)
    byteCount = (counts &+ blocks &+ 7) & ~7
  }

  /// The bytes of the bit set of a dense list over `documents` documents.
  package static func bitSetBytes(documents: Int) -> Int { (documents &+ 63) / 64 &* 8 }

  /// Whether a list is kept as a bit set instead of gaps: more than an eighth of the documents.
  package static func isDense(documentFrequency: Int, documents: Int) -> Bool {
    documentFrequency > postingsPerBlock && documentFrequency > documents / 8
  }
}
