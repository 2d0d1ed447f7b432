// Writes the inverted lists of one or more tables as the fields of a segment.

internal import LimelightCodecs
internal import LimelightSegments

/// Reads the streams of tables in term order and hands their postings to `FieldsWriter`s.
///
/// Several threads may write a range of the terms each. Threads: any, once it is made.
final class FieldsFlush: @unchecked Sendable {
  private let parts: [FlushPart]
  private let terms: TermsInOrder
  private let documentCount: Int
  /// The attribute sets, if postings need codes.
  private let sets: AttributeSets?
  /// The attributes and sets to store; nil if there is no default attribute.
  private let stored: AttributeSets?
  private let codes: PostingCodes?

  /// Terms one behind the other, which a thread can write: about as many ranges as were asked for.
  let ranges: [Range<Int>]

  /// Sorts the terms of tables of so many documents and works out the attribute sets, in `threads`.
  init(_ parts: [FlushPart], documentCount: Int, setLimit: Int, threads: Int, ranges count: Int) {
    self.parts = parts
    self.documentCount = documentCount
    terms = TermsInOrder(parts, threads: threads)
    ranges = count == 1 ? [0..<terms.count] : terms.ranges(count)
    let attributes = Self.attributes(parts)
    if attributes.count > 1 {
      let codes = PostingCodes(
        parts, terms, ranges, attributes: attributes, limit: setLimit, threads: threads)
      sets = codes.sets
      stored = codes.sets
      self.codes = codes
    } else {
      stored = attributes.first.map { AttributeSets(attributes: [$0], sets: [[1]]) }
      sets = nil
      codes = nil
    }
  }

  /// The default attributes of all parts, most frequent first; of two that are as frequent, the one that
  /// was met first.
  private static func attributes(_ parts: [FlushPart]) -> [UInt16] {
    struct Known {
      let attribute: UInt16
      var tokens: UInt64
      /// The first document that has it, and its place among those that this document was first to have.
      var first: UInt32
      var place: Int
    }
    var known: [Known] = []
    for part in parts {
      for (number, attribute) in part.spans.known.enumerated() {
        let document = part.spans.firstDocuments[number]
        let first = part.documents?[document] ?? UInt32(truncatingIfNeeded: document)
        let tokens = part.spans.tokens[number]
        if let place = known.firstIndex(where: { $0.attribute == attribute }) {
          known[place].tokens &+= tokens
          if first < known[place].first {
            known[place].first = first
            known[place].place = number
          }
        } else {
          known.append(
            Known(attribute: attribute, tokens: tokens, first: first, place: number))
        }
      }
    }
    known.sort { a, b in
      if a.tokens != b.tokens { return a.tokens > b.tokens }
      return a.first != b.first ? a.first < b.first : a.place < b.place
    }
    return known.map(\.attribute)
  }

  /// Writes the attribute sets.
  func writeSets(to segment: SegmentWriter) {
    stored?.encode(into: segment.buffer(.attributeSets))
  }

  /// Writes the fields of a segment whose documents have `norms`.
  func write(to segment: SegmentWriter, norms: UnsafePointer<UInt8>) {
    let writer = FieldsWriter(
      segment: segment, documentCount: documentCount, norms: norms, sets: sets)
    for range in ranges.indices { write(range, to: writer) }
    writer.finish()
  }

  /// Writes the terms of a range, as a part of the fields of a segment.
  func part(
    _ range: Int, of segment: SegmentWriter, norms: UnsafePointer<UInt8>
  ) -> FieldsWriter {
    let writer = FieldsWriter(
      partOf: segment, documentCount: documentCount, norms: norms, sets: sets)
    write(range, to: writer)
    return writer
  }

  private func write(_ range: Int, to writer: FieldsWriter) {
    let block = PostingsBlock()
    var codePlaces = codes?.starts(ofRange: range) ?? []
    let streams = UnsafeMutablePointer<PostingStream>.allocate(capacity: parts.count)
    let owners = UnsafeMutablePointer<Int>.allocate(capacity: parts.count)
    defer {
      streams.deallocate()
      owners.deallocate()
    }
    for field in terms.keys.indices {
      let own = (terms.starts[field]..<terms.starts[field + 1]).clamped(to: ranges[range])
      guard !own.isEmpty else { continue }
      let codes = terms.keys[field] == .standard ? codes : nil
      writer.beginField(terms.keys[field])
      for term in own {
        let count = open(term, streams, owners, writer)
        writePostings(streams, owners, count, codes, &codePlaces, block, to: writer)
        writer.endTerm()
      }
      writer.endField()
    }
  }

  /// Begins a term and opens its streams; how many they are.
  private func open(
    _ term: Int, _ streams: UnsafeMutablePointer<PostingStream>,
    _ owners: UnsafeMutablePointer<Int>, _ writer: FieldsWriter
  ) -> Int {
    var count = 0
    var frequency = 0
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    for part in parts.indices {
      let number = terms.number(of: term, in: part)
      guard number != TermsInOrder.absent else { continue }
      let record = parts[part].table.terms + Int(number)
      frequency &+= Int(record.pointee.documentFrequency)
      (streams + count).initialize(
        to: PostingStream(
          parts[part].table.pool, record, documents: parts[part].documents))
      owners[count] = part
      count &+= 1
      bytes = parts[part].table.bytes(of: Int(number))
    }
    writer.beginTerm(bytes, documentFrequency: frequency)
    return count
  }

  /// Writes the postings of some streams, in the order of their documents, in blocks of 128.
  private func writePostings(
    _ streams: UnsafeMutablePointer<PostingStream>, _ owners: UnsafeMutablePointer<Int>,
    _ count: Int, _ codes: PostingCodes?, _ codePlaces: inout [Int], _ block: PostingsBlock,
    to writer: FieldsWriter
  ) {
    block.removeAll()
    while true {
      // The stream with the next document, and the document at which another one goes on.
      var next = 0
      var limit = PostingStream.end
      for i in 1..<count {
        if streams[i].document < streams[next].document {
          limit = streams[next].document
          next = i
        } else {
          limit = min(limit, streams[i].document)
        }
      }
      if streams[next].document == PostingStream.end { break }
      let owner = owners[next]
      var stream = streams[next]
      repeat {
        if let codes {
          block.codes[block.count] = codes.code(codePlaces[owner], in: owner)
          codePlaces[owner] &+= 1
        }
        block.take(&stream)
        if block.isFull { block.flush(codes != nil, to: writer) }
      } while stream.document < limit
      streams[next] = stream
    }
    block.flush(codes != nil, to: writer)
  }
}
