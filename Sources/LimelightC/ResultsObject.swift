// The hits of a search behind a handle, and what was lent of them.

internal import CLimelight
internal import Limelight
internal import LimelightStorage

/// Results; each text of a hit is read once and then lent again.
final class ResultsObject: HandleObject {
  static let kind = HandleKind.results
  let results: Results
  private let lock = Lock()
  private let lender = Lender()
  private var ids: [Lent?] = []
  private var attributes: [Lent?] = []
  /// Domains by hit; nil inside stands for a hit without one.
  private var domains: [Lent??] = []
  private var scores: UnsafePointer<Float>?

  init(_ results: Results) { self.results = results }

  /// The hit at a place, which is checked.
  func hit(_ place: Int) throws -> Hit {
    try checkPlace(place, below: results.count)
    return results[place]
  }

  func lendID(_ place: Int) throws -> Lent {
    let hit = try hit(place)
    return try lock.withLock {
      if ids.isEmpty { ids = Array(repeating: nil, count: results.count) }
      if let known = ids[place] { return known }
      let lent = lender.lend(try hit.id)
      ids[place] = lent
      return lent
    }
  }

  func lendDomain(_ place: Int) throws -> Lent? {
    let hit = try hit(place)
    return try lock.withLock {
      if domains.isEmpty { domains = Array(repeating: nil, count: results.count) }
      if let known = domains[place] { return known }
      let lent = try hit.domain.map(lender.lend)
      domains[place] = .some(lent)
      return lent
    }
  }

  func lendAttributes(_ place: Int) throws -> Lent {
    let hit = try hit(place)
    return try lock.withLock {
      if attributes.isEmpty { attributes = Array(repeating: nil, count: results.count) }
      if let known = attributes[place] { return known }
      var json = JSONText()
      json.attributes(try hit.attributes())
      let lent = lender.lend(json.bytes)
      attributes[place] = lent
      return lent
    }
  }

  func lendScores() -> UnsafePointer<Float> {
    lock.withLock {
      if let scores { return scores }
      let place = lender.room(results.count * 4)
        .bindMemory(to: Float.self, capacity: max(results.count, 1))
      for (number, hit) in results.enumerated() { place[number] = hit.score }
      scores = UnsafePointer(place)
      return UnsafePointer(place)
    }
  }

  /// Some hits as lines of JSON.
  func lines(
    from first: Int, count: Int, withAttributes: Bool, highlights unit: TextUnit?
  ) throws -> [UInt8] {
    let first = min(limit(first), results.count)
    let end = first + min(limit(count), results.count - first)
    var json = JSONText()
    for place in first..<end {
      try json.hit(results[place], withAttributes: withAttributes, highlights: unit)
      json.endLine()
    }
    return json.bytes
  }
}

extension JSONText {
  /// A hit; a place found in it is `[start, end]`, in an attribute of several texts with the number of
  /// the text behind.
  fileprivate mutating func hit(
    _ hit: Hit, withAttributes: Bool, highlights unit: TextUnit?
  ) throws {
    try object { json in
      try json.member("id") { $0.text(try hit.id) }
      try json.member("domain") { $0.text(try hit.domain) }
      json.member("score") { $0.number(hit.score) }
      guard withAttributes || unit != nil else { return }
      let attributes = try hit.attributes()
      if withAttributes { json.member("attributes") { $0.attributes(attributes) } }
      guard let unit else { return }
      let highlights = try hit.highlights(unit: unit)
      json.member("highlights") { $0.highlights(highlights, of: attributes) }
    }
  }

  /// Highlights by attribute; those of one attribute follow each other.
  private mutating func highlights(_ highlights: [Highlight], of attributes: AttributeSet) {
    object { json in
      var start = 0
      while start < highlights.count {
        let attribute = highlights[start].attribute
        let end = highlights[start...].firstIndex { $0.attribute != attribute } ?? highlights.count
        let isSeveral = attributes[attribute]?.hasSeveralTexts ?? false
        let places = highlights[start..<end].flatMap { highlight in
          highlight.ranges.map { ($0, highlight.valueIndex) }
        }
        json.member(attribute.name) { json in
          json.array(of: places) { json, place in
            let (range, number) = place
            let ends = [range.lowerBound, range.upperBound]
            json.array(of: isSeveral ? ends + [number] : ends) { $0.number($1) }
          }
        }
        start = end
      }
    }
  }
}

extension Value {
  /// Whether the value may hold more than one text.
  fileprivate var hasSeveralTexts: Bool {
    switch self {
    case .texts, .localized, .persons, .dictionary: true
    default: false
    }
  }
}

/// The highlights of a hit; all of them are lent from the start.
final class HighlightsObject: HandleObject {
  static let kind = HandleKind.highlights

  /// The places in one text.
  struct Entry {
    let attribute: Lent
    let number: Int
    let ranges: UnsafePointer<UInt64>
    let count: Int
  }

  private let lender = Lender()
  let entries: [Entry]

  init(_ highlights: [Highlight]) {
    let lender = lender
    entries = highlights.map { highlight in
      Entry(
        attribute: lender.lend(highlight.attribute.name), number: highlight.valueIndex,
        ranges: lender.lend(
          numbers: highlight.ranges.flatMap { [UInt64($0.lowerBound), UInt64($0.upperBound)] }),
        count: highlight.ranges.count)
    }
  }
}
