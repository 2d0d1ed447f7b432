// Writes the inverted lists of a table as the fields of a segment.

internal import LimelightCodecs
internal import LimelightSegments

/// Reads the streams of a `TermTable` in term order and hands their postings to a `FieldsWriter`.
struct FieldsFlush {
  let table: TermTable
  let spans: ValueSpans
  /// The key of each field number of the table.
  let fields: [FieldKey]
  let documentCount: Int
  let setLimit: Int

  private let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
  private let frequencies = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
  private let codes = UnsafeMutablePointer<UInt32>.allocate(capacity: 128)
  private let positions = ByteWriter(capacity: 4096)

  init(
    table: TermTable, spans: ValueSpans, fields: [FieldKey], documentCount: Int,
    setLimit: Int = Int(AttributeSets.overflowCode)
  ) {
    self.table = table
    self.spans = spans
    self.fields = fields
    self.documentCount = documentCount
    self.setLimit = setLimit
  }

  /// Writes the sections of fields and attribute sets.
  func write(to segment: SegmentWriter, norms: UnsafePointer<UInt8>) {
    defer {
      documents.deallocate()
      frequencies.deallocate()
      codes.deallocate()
    }
    let rankOrder = fields.indices.sorted { fields[$0] < fields[$1] }
    var ranks = [UInt16](repeating: 0, count: fields.count)
    for (rank, number) in rankOrder.enumerated() { ranks[number] = UInt16(rank) }
    let order = table.sorted(fieldRanks: ranks)

    let attributes = spans.known.indices
      .sorted {
        spans.tokens[$0] != spans.tokens[$1] ? spans.tokens[$0] > spans.tokens[$1] : $0 < $1
      }
    var sets: AttributeSets?
    var postingCodes: [UInt32] = []
    if attributes.count > 1 {
      (sets, postingCodes) = collectSets(order, attributes)
    } else if let only = spans.known.first {
      sets = AttributeSets(attributes: [only], sets: [[1]])
    }
    let hasCodes = attributes.count > 1
    if let sets, !sets.attributes.isEmpty {
      sets.encode(into: segment.buffer(.attributeSets))
    }
    let writer = FieldsWriter(
      segment: segment, documentCount: documentCount, norms: norms, sets: hasCodes ? sets : nil)
    var current: UInt16?
    var codePlace = 0
    for number in order {
      let term = Int(number)
      let field = table.terms[term].field
      if field != current {
        if current != nil { writer.endField() }
        writer.beginField(fields[Int(field)])
        current = field
      }
      writer.beginTerm(
        table.bytes(of: term), documentFrequency: Int(table.terms[term].documentFrequency))
      let isStandard = fields[Int(field)] == .standard
      forEachBlock(term) { count in
        if hasCodes && isStandard {
          for i in 0..<count { codes[i] = postingCodes[codePlace &+ i] }
          codePlace &+= count
        }
        writer.appendBlock(
          documents: documents, frequencies: frequencies,
          codes: hasCodes && isStandard ? UnsafePointer(codes) : nil, count: count,
          positions: UnsafePointer(positions.base.assumingMemoryBound(to: UInt32.self)))
      }
      writer.endTerm()
    }
    if current != nil { writer.endField() }
    writer.finish()
  }

  /// Decodes a stream into blocks of up to 128 postings.
  @inline(__always)
  private func forEachBlock(_ term: Int, _ body: (Int) -> Void) {
    let record = table.terms[term]
    var reader = SliceReader(table.pool, first: record.first, stop: record.place)
    var count = -1
    var document: UInt32 = 0
    var position: UInt32 = 0
    positions.removeAll(keepingCapacity: true)
    while !reader.isAtEnd {
      let value = reader.varint()
      if value & 1 == 1 {
        if count == 127 {
          body(128)
          positions.removeAll(keepingCapacity: true)
          count = -1
        }
        count &+= 1
        document &+= value &>> 1
        position = reader.varint()
        documents[count] = document
        frequencies[count] = 1
      } else {
        position &+= value &>> 1
        frequencies[count] &+= 1
      }
      positions.reserve(4).storeBytes(of: position, as: UInt32.self)
      positions.advance(4)
    }
    if count >= 0 { body(count &+ 1) }
  }

  /// Walks the postings of field 0 and gives each the code of its attribute set.
  private func collectSets(
    _ order: [UInt32], _ attributes: [Int]
  ) -> (AttributeSets, [UInt32]) {
    let words = (attributes.count + 63) / 64
    var rank = [Int](repeating: 0, count: spans.known.count)
    for (place, number) in attributes.enumerated() { rank[number] = place }
    var collector = SetCollector(attributes: attributes.count, limit: setLimit)
    var numbers: [UInt32] = []
    let set = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    defer { set.deallocate() }
    spans.starts.withUnsafeBufferPointer { starts in
      spans.attributes.withUnsafeBufferPointer { owners in
        spans.firstValue.withUnsafeBufferPointer { firstValue in
          for number in order where fields[Int(table.terms[Int(number)].field)] == .standard {
            forEachBlock(Int(number)) { count in
              let all = positions.base.assumingMemoryBound(to: UInt32.self)
              var place = 0
              for posting in 0..<count {
                set.update(repeating: 0, count: words)
                let document = Int(documents[posting])
                let end = Int(firstValue[document &+ 1])
                var value = Int(firstValue[document])
                for _ in 0..<frequencies[posting] {
                  while value &+ 1 < end && starts[value &+ 1] <= all[place] { value &+= 1 }
                  let bit = rank[Int(owners[value])]
                  set[bit >> 6] |= 1 &<< UInt64(bit & 63)
                  place &+= 1
                }
                numbers.append(UInt32(truncatingIfNeeded: collector.number(of: set)))
              }
            }
          }
        }
      }
    }
    let (sets, codes) = collector.finish(attributes: attributes.map { spans.known[$0] })
    for i in numbers.indices { numbers[i] = codes[Int(numbers[i])] }
    return (sets, numbers)
  }
}
