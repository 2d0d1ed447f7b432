// A naive picture of a segment's fields, and the segment written from it.

import LimelightCodecs
import LimelightSegments
import LimelightStorage

/// Terms with their postings, kept as plain arrays.
struct FieldsModel {
  struct Posting: Equatable {
    var document: UInt32
    var code: UInt32
    var positions: [UInt32]
  }

  struct Term {
    var bytes: [UInt8]
    var postings: [Posting]
  }

  var documentCount: Int
  var norms: [UInt8]
  var sets: AttributeSets?
  /// Fields in key order, their terms in byte order.
  var fields: [(key: FieldKey, terms: [Term])] = []

  /// A random model: lists of the given lengths in field 0, short lists in a named field.
  init(documents: Int, lengths: [Int], hasSets: Bool, seed: UInt64) {
    var random = Random(seed)
    documentCount = documents
    norms = (0..<documents).map { _ in UInt8.random(in: 0...120, using: &random) }
    let codes = 40
    if hasSets {
      sets = AttributeSets(
        attributes: Array(0..<UInt16(20)),
        sets: (0..<codes).map { code in [UInt64(1) << UInt64(code % 20) | UInt64(code & 3)] })
    }
    var terms: [Term] = []
    for (number, length) in lengths.enumerated() {
      terms.append(
        Term(
          bytes: Self.name(number),
          postings: Self.list(
            min(length, documents), documents, codes: hasSets ? codes : 1, &random)))
    }
    terms.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    fields.append((.standard, terms))
    fields.append(
      (
        .named(7),
        (0..<5).map { number in
          Term(
            bytes: Self.name(number),
            postings: Self.list(min(3, documents), documents, codes: 1, &random))
        }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      ))
  }

  /// Names that share long beginnings, hold zero bytes, and end within one another.
  private static func name(_ number: Int) -> [UInt8] {
    switch number % 4 {
    case 0: Array("word\(number)".utf8)
    case 1: Array("commonbeginningofmanyterms\(number)".utf8)
    case 2: [0x61] + [UInt8](repeating: 0, count: number % 23) + Array("\(number)".utf8)
    default: Array(String(repeating: "z", count: number % 200 + 1).utf8) + [UInt8(number & 255)]
    }
  }

  private static func list(
    _ length: Int, _ documents: Int, codes: Int, _ random: inout Random
  ) -> [Posting] {
    var chosen = Set<UInt32>()
    if length * 2 > documents {
      chosen = Set((0..<UInt32(documents)).shuffled(using: &random).prefix(length))
    } else {
      while chosen.count < length {
        chosen.insert(UInt32.random(in: 0..<UInt32(documents), using: &random))
      }
    }
    return chosen.sorted().map { document in
      var position: UInt32 = 0
      let count =
        Int.random(in: 0..<50, using: &random) == 0
        ? Int.random(in: 1...400, using: &random)
        : Int.random(in: 1...3, using: &random)
      let positions = (0..<count).map { _ in
        position += UInt32.random(in: 1...90, using: &random)
        return position
      }
      return Posting(
        document: document, code: UInt32.random(in: 0..<UInt32(codes), using: &random),
        positions: positions)
    }
  }

  /// The segment, written in blocks of random sizes.
  func image(seed: UInt64, spill: SpillFile? = nil) -> SegmentImage {
    var random = Random(seed)
    let segment = SegmentWriter(
      uuid: [UInt8](repeating: 7, count: 16), segmentID: 1, spill: spill)
    segment.meta.documentCount = UInt32(documentCount)
    segment.buffer(.norms).bytes(norms)
    let ids = IdsWriter()
    for document in 0..<documentCount { ids.add("id\(document)") }
    ids.finish(into: segment)
    if let sets { sets.encode(into: segment.buffer(.attributeSets)) }
    norms.withUnsafeBufferPointer { norms in
      guard let base = norms.baseAddress else { return }
      let writer = FieldsWriter(
        segment: segment, documentCount: documentCount, norms: base, sets: sets)
      for field in fields {
        writer.beginField(field.key)
        for term in field.terms {
          term.bytes.withUnsafeBytes {
            writer.beginTerm($0, documentFrequency: term.postings.count)
          }
          var start = 0
          while start < term.postings.count {
            let size = min(Int.random(in: 1...128, using: &random), term.postings.count - start)
            append(term.postings[start..<(start + size)], field.key, to: writer)
            start += size
          }
          writer.endTerm()
        }
        writer.endField()
      }
      writer.finish()
    }
    return segment.finish()
  }

  private func append(
    _ postings: ArraySlice<Posting>, _ key: FieldKey, to writer: FieldsWriter
  ) {
    let documents = postings.map(\.document)
    let frequencies = postings.map { UInt32($0.positions.count) }
    let codes = postings.map(\.code)
    let positions = postings.flatMap(\.positions)
    documents.withUnsafeBufferPointer { documents in
      frequencies.withUnsafeBufferPointer { frequencies in
        codes.withUnsafeBufferPointer { codes in
          positions.withUnsafeBufferPointer { positions in
            guard let d = documents.baseAddress, let f = frequencies.baseAddress,
              let p = positions.baseAddress
            else { return }
            writer.appendBlock(
              documents: d, frequencies: f,
              codes: sets != nil && key == .standard ? codes.baseAddress : nil,
              count: postings.count, positions: p)
          }
        }
      }
    }
  }
}
