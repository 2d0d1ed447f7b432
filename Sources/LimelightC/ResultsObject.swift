// The hits of a search behind a handle, and what was lent of them.

internal import CLimelight
internal import Limelight
internal import LimelightItems
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
