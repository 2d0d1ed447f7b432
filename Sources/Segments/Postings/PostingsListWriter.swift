// Writes one list after the other into the sections postings, positions, skips and bitSets.

internal import LimelightCodecs

/// Writes the lists of terms, block by block.
///
/// A list of one posting goes into the dictionary entry. One of up to 128 is a varint with the first
/// document and one block. A longer one has its skip area (`SkipLayout`) and blocks of 128; if it
/// holds more than an eighth of the documents, these are a bit set of 64-bit words.
struct PostingsListWriter {
  private let postings: SectionBuffer
  private let positions: SectionBuffer
  private let skips: SectionBuffer
  private let bitSets: SectionBuffer
  private let documentCount: Int
  private let norms: UnsafePointer<UInt8>
  private let setSignatures: [UInt16]?
  private var block = PostingsBlockWriter()
  private var blockImpacts = ImpactBuilder()
  private var superImpacts = ImpactBuilder()

  // The list at hand.
  private var documentFrequency = 0
  private var postingsStart = 0
  private var positionsStart = 0
  private var bitSetStart = 0
  private var isDense = false
  private var isLong = false
  private var hasSets = false
  private var signature: UInt16 = 0
  private var entry = TermEntry()
  // Skip data of the list, an element a block.
  private let firstDocuments = ByteWriter()
  private let byteOffsets = ByteWriter()
  private let positionOffsets = ByteWriter()
  private let impacts = ByteWriter()
  private let signatures = ByteWriter()
  private let counts = ByteWriter()

  init(
    postings: SectionBuffer, positions: SectionBuffer, skips: SectionBuffer,
    bitSets: SectionBuffer,
    documentCount: Int, norms: UnsafePointer<UInt8>, setSignatures: [UInt16]?
  ) {
    self.postings = postings
    self.positions = positions
    self.skips = skips
    self.bitSets = bitSets
    self.documentCount = documentCount
    self.norms = norms
    self.setSignatures = setSignatures
  }

  func deallocate() {
    block.deallocate()
    blockImpacts.deallocate()
    superImpacts.deallocate()
  }

  /// Starts the list of a term in `documentFrequency` documents.
  mutating func begin(documentFrequency: Int, hasSets: Bool) {
    self.documentFrequency = documentFrequency
    self.hasSets = hasSets
    postingsStart = postings.count
    positionsStart = positions.count
    isLong = documentFrequency > SkipLayout.postingsPerBlock
    isDense = SkipLayout.isDense(documentFrequency: documentFrequency, documents: documentCount)
    signature = 0
    entry = TermEntry()
    entry.documentFrequency = UInt32(truncatingIfNeeded: documentFrequency)
    guard isLong else { return }
    for writer in [firstDocuments, byteOffsets, positionOffsets, impacts, signatures, counts] {
      writer.removeAll(keepingCapacity: true)
    }
    if isDense {
      bitSetStart = bitSets.bytes.count
      bitSets.bytes.zeros(SkipLayout.bitSetBytes(documents: documentCount))
    }
  }

  /// Writes a block of 1 to 128 postings; a list of up to 128 comes as one block.
  mutating func append(
    documents: UnsafePointer<UInt32>, frequencies: UnsafePointer<UInt32>,
    codes: UnsafePointer<UInt32>?, count: Int, positions values: UnsafePointer<UInt32>
  ) {
    var blockSignature: UInt16 = 0
    if hasSets, let codes, let setSignatures {
      for i in 0..<count {
        let code = Int(codes[i])
        blockSignature |= code < setSignatures.count ? setSignatures[code] : 0xFFFF
      }
    }
    signature |= blockSignature
    if documentFrequency == 1 {
      entry.document = documents[0]
      entry.frequency = frequencies[0]
      entry.code = codes?[0] ?? 0
      entry.position = values[0]
      if frequencies[0] > 1 {
        block.positions(values, frequencies: frequencies, 1, into: positions.bytes)
        positions.spillIfLarge()
      }
      return
    }
    if isLong {
      for i in 0..<count {
        blockImpacts.add(frequency: frequencies[i], norm: norms[Int(documents[i])])
      }
      firstDocuments.u32(documents[0])
      byteOffsets.u32(UInt32(truncatingIfNeeded: postings.count &- postingsStart))
      positionOffsets.u32(UInt32(truncatingIfNeeded: positions.count &- positionsStart))
      let room = impacts.reserve(8).bindMemory(to: UInt8.self, capacity: 8)
      blockImpacts.finish(into: room)
      impacts.advance(8)
      signatures.u16(blockSignature)
      counts.u8(UInt8(truncatingIfNeeded: count &- 1))
    } else {
      postings.bytes.varint(UInt64(documents[0]))
    }
    if isDense {
      let words = bitSets.bytes.base + bitSetStart
      for i in 0..<count {
        let place = Int(documents[i] >> 3)
        let byte = words.load(fromByteOffset: place, as: UInt8.self) | 1 << UInt8(documents[i] & 7)
        words.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
      }
    } else {
      block.gaps(documents, count, into: postings.bytes)
    }
    block.frequencies(frequencies, count, into: postings.bytes)
    if hasSets, let codes { block.codes(codes, count, into: postings.bytes) }
    block.positions(values, frequencies: frequencies, count, into: positions.bytes)
    postings.spillIfLarge()
    positions.spillIfLarge()
  }

  /// Ends the list and returns what the dictionary keeps of it.
  mutating func end() -> TermEntry {
    entry.signature = hasSets ? signature : 0xFFFF
    entry.postingsLength = UInt64(postings.count &- postingsStart)
    entry.positionsLength = UInt64(positions.count &- positionsStart)
    guard isLong else { return entry }
    entry.isDense = isDense
    entry.blockCount = UInt32(truncatingIfNeeded: counts.count)
    writeSkips(SkipLayout(blocks: counts.count, hasSets: hasSets), into: skips.bytes)
    skips.spillIfLarge()
    // Not before the list ends: its bits are set in place.
    bitSets.spillIfLarge()
    return entry
  }

  private mutating func writeSkips(_ layout: SkipLayout, into skips: ByteWriter) {
    for writer in [firstDocuments, byteOffsets, positionOffsets, impacts] {
      skips.bytes(writer.written)
    }
    let pairs = UnsafePointer(impacts.base.assumingMemoryBound(to: UInt8.self))
    for superBlock in 0..<layout.supers {
      let end = min((superBlock &+ 1) &* SkipLayout.blocksPerSuper, layout.blocks)
      for block in (superBlock &* SkipLayout.blocksPerSuper)..<end {
        superImpacts.add(pairs: pairs + block &* 8)
      }
      superImpacts.finish(into: skips.reserve(8).bindMemory(to: UInt8.self, capacity: 8))
      skips.advance(8)
    }
    if hasSets {
      skips.bytes(signatures.written)
      for superBlock in 0..<layout.supers {
        let end = min((superBlock &+ 1) &* SkipLayout.blocksPerSuper, layout.blocks)
        var union: UInt16 = 0
        for block in (superBlock &* SkipLayout.blocksPerSuper)..<end {
          union |= signatures.base.load(fromByteOffset: block &* 2, as: UInt16.self).littleEndian
        }
        skips.u16(union)
      }
    }
    skips.bytes(counts.written)
    skips.align(to: 8)
  }
}
