// Writes the model's items as a segment.

import LimelightCodecs
import LimelightItems
import LimelightSegments
import LimelightStorage
import Testing

/// The posting of a word in an item of the model.
struct ModelPosting {
  var positions: [UInt32] = []
  var attributes: Set<UInt16> = []
}

/// Inverts items and writes them with the writers of the segment format.
struct ModelSegment {
  private let documents: [ModelDocument]
  private let knownSets: Int
  private var fields: [FieldKey: [String: [(document: UInt32, posting: ModelPosting)]]] = [:]
  private var lengths: [Int] = []

  init(_ documents: [ModelDocument], knownSets: Int) {
    self.documents = documents
    self.knownSets = knownSets
    for (number, document) in documents.enumerated() {
      let postings = Self.invert(document)
      for (key, terms) in postings {
        for (term, posting) in terms {
          fields[key, default: [:]][term, default: []].append((UInt32(number), posting))
        }
      }
      lengths.append(Self.length(document))
    }
  }

  static func isNamed(_ attribute: UInt16) -> Bool {
    ModelAttributes.named.contains { $0.id == attribute }
  }

  /// The tokens of standard attributes.
  static func length(_ document: ModelDocument) -> Int {
    document.values.reduce(0) { $0 + (isNamed($1.attribute) ? 0 : $1.words.count) }
  }

  /// The postings of an item by field and term.
  static func invert(_ document: ModelDocument) -> [FieldKey: [String: ModelPosting]] {
    var result: [FieldKey: [String: ModelPosting]] = [:]
    var next: [FieldKey: UInt32] = [:]
    for (attribute, words) in document.values {
      let key: FieldKey = isNamed(attribute) ? .named(attribute) : .standard
      let start = next[key] ?? 0
      for (place, word) in words.enumerated() {
        result[key, default: [:]][word, default: ModelPosting()].positions.append(
          start + UInt32(place))
        result[key, default: [:]][word, default: ModelPosting()].attributes.insert(attribute)
      }
      next[key] = start + UInt32(words.count) + 8
    }
    return result
  }

  /// The sets that occur, most frequent first, and the attributes in them likewise.
  private func attributeSets() -> (AttributeSets, [Set<UInt16>: UInt32]) {
    var counts: [UInt16: Int] = [:]
    var setCounts: [Set<UInt16>: Int] = [:]
    for postings in (fields[.standard] ?? [:]).values {
      for (_, posting) in postings {
        setCounts[posting.attributes, default: 0] += 1
        for attribute in posting.attributes { counts[attribute, default: 0] += 1 }
      }
    }
    let attributes = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { $0.key }
    let sets = setCounts.sorted {
      ($1.value, $0.key.sorted().description) < ($0.value, $1.key.sorted().description)
    }.map { $0.key }.prefix(knownSets)
    var codes: [Set<UInt16>: UInt32] = [:]
    var bits: [[UInt64]] = []
    for (code, set) in sets.enumerated() {
      codes[set] = UInt32(code)
      var words = [UInt64](repeating: 0, count: (attributes.count + 63) / 64)
      for (place, attribute) in attributes.enumerated() where set.contains(attribute) {
        words[place / 64] |= 1 << UInt64(place % 64)
      }
      bits.append(words)
    }
    return (AttributeSets(attributes: attributes, sets: bits), codes)
  }

  func open(_ number: Int) throws -> Segment {
    try Segment.open(image(number).mappedBytes(), name: "segment.\(number)", verified: true)
  }

  /// The bytes of the segment.
  func bytes() throws -> [UInt8] {
    let mapped = image(0).mappedBytes()
    return Array(UnsafeRawBufferPointer(start: mapped.base, count: mapped.count))
  }

  private func image(_ number: Int) -> SegmentImage {
    let writer = SegmentWriter(
      uuid: Array(repeating: 7, count: 16), segmentID: UInt64(number + 1))
    writer.meta.documentCount = UInt32(documents.count)
    writer.meta.tokenCount = UInt64(lengths.reduce(0, +))
    let norms = lengths.map { Norm.encode(UInt32($0)) }
    writer.buffer(.norms).bytes(norms)
    let (sets, codes) = attributeSets()
    sets.encode(into: writer.buffer(.attributeSets))
    writeFields(writer, norms, sets, codes)
    writeValues(writer)
    writeColumns(writer)
    return writer.finish()
  }

  private func writeFields(
    _ writer: SegmentWriter, _ norms: [UInt8], _ sets: AttributeSets,
    _ codes: [Set<UInt16>: UInt32]
  ) {
    norms.withUnsafeBufferPointer { norms in
      guard let base = norms.baseAddress else { return }
      let out = FieldsWriter(
        segment: writer, documentCount: documents.count, norms: base, sets: sets)
      for key in fields.keys.sorted() {
        out.beginField(key)
        let terms = (fields[key] ?? [:]).sorted {
          $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        }
        for (term, postings) in terms {
          Array(term.utf8).withUnsafeBytes {
            out.beginTerm($0, documentFrequency: postings.count)
          }
          for start in stride(from: 0, to: postings.count, by: 128) {
            let block = postings[start..<min(start + 128, postings.count)]
            out.appendBlock(
              documents: block.map { $0.document },
              frequencies: block.map { UInt32($0.posting.positions.count) },
              codes: block.map { codes[$0.posting.attributes] ?? AttributeSets.overflowCode },
              count: block.count, positions: block.flatMap { $0.posting.positions })
          }
          out.endTerm()
        }
        out.endField()
      }
      out.finish()
    }
  }

  private func writeValues(_ writer: SegmentWriter) {
    let table = ValueTableWriter(writer)
    for document in documents {
      table.add(
        document.values.map {
          ValueEntry(
            attribute: $0.attribute, positionCount: UInt32($0.words.count), start: 0,
            isNamed: Self.isNamed($0.attribute))
        }[...])
    }
    table.finish()
  }

  private func writeColumns(_ writer: SegmentWriter) {
    let columns = ColumnsWriter()
    let expiry = ExpiryWriter(writer)
    for (number, document) in documents.enumerated() {
      let number = UInt32(number)
      if let value = document.number, let attribute = ModelAttributes.number {
        columns.add(attribute.id, document: number, number: value)
      }
      if let value = document.date, let attribute = ModelAttributes.date {
        columns.add(attribute.id, document: number, date: value)
      }
      if let label = document.label, let attribute = ModelIndex.labelAttribute {
        Array(label.utf8).withUnsafeBytes { text in
          Array(modelFold(label).utf8).withUnsafeBytes {
            _ = columns.add(attribute.id, document: number, string: text, folded: $0)
          }
        }
      }
      if let domain = document.domain {
        DomainKey.encode(domain).withUnsafeBytes {
          _ = columns.add(SystemColumn.domain, document: number, string: $0, folded: $0)
        }
      }
      if let date = document.expiry { expiry.add(document: number, date: date) }
    }
    columns.finish(into: writer, documentCount: documents.count)
    expiry.finish()
  }
}

/// Folds the few letters that labels have.
func modelFold(_ text: String) -> String {
  String(text.lowercased().map { $0 == "é" ? "e" : $0 })
}
