// Walking results: ids, scores, items, highlights, lines of JSON.

public import CLimelight
internal import Limelight

@_cdecl("lime_results_free") @implementation
public func lime_results_free(_ results: OpaquePointer?) -> lime_status {
  end(results, ResultsObject.self)
}

@_cdecl("lime_results_count") @implementation
public func lime_results_count(
  _ results: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> lime_status {
  read(results, ResultsObject.self, count) { $0.results.count }
}

@_cdecl("lime_results_total") @implementation
public func lime_results_total(
  _ results: OpaquePointer?, _ total: UnsafeMutablePointer<UInt64>?,
  _ exact: UnsafeMutablePointer<Int32>?
) -> lime_status {
  exact?.pointee = 0
  return read(results, ResultsObject.self, total) {
    exact?.pointee = $0.results.totalIsExact ? 1 : 0
    return UInt64($0.results.total)
  }
}

@_cdecl("lime_results_nanoseconds") @implementation
public func lime_results_nanoseconds(
  _ results: OpaquePointer?, _ nanoseconds: UnsafeMutablePointer<UInt64>?
) -> lime_status {
  read(results, ResultsObject.self, nanoseconds) { $0.results.nanoseconds }
}

@_cdecl("lime_results_id") @implementation
public func lime_results_id(
  _ results: OpaquePointer?, _ hit: Int, _ id: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(results, ResultsObject.self, id, length) { try $0.lendID(hit) }
}

@_cdecl("lime_results_domain") @implementation
public func lime_results_domain(
  _ results: OpaquePointer?, _ hit: Int, _ domain: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(results, ResultsObject.self, domain, length) { try $0.lendDomain(hit) }
}

@_cdecl("lime_results_score") @implementation
public func lime_results_score(
  _ results: OpaquePointer?, _ hit: Int, _ score: UnsafeMutablePointer<Float>?
) -> lime_status {
  read(results, ResultsObject.self, score) { try $0.hit(hit).score }
}

@_cdecl("lime_results_scores") @implementation
public func lime_results_scores(
  _ results: OpaquePointer?, _ scores: UnsafeMutablePointer<UnsafePointer<Float>?>?,
  _ count: UnsafeMutablePointer<Int>?
) -> lime_status {
  scores?.pointee = nil
  count?.pointee = 0
  return change(results, ResultsObject.self) {
    guard let scores, let count else { throw CallError.required("an out-pointer for the scores") }
    scores.pointee = $0.lendScores()
    count.pointee = $0.results.count
  }
}

@_cdecl("lime_results_ids") @implementation
public func lime_results_ids(
  _ results: OpaquePointer?, _ ids: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(ids) {
    try with(results, ResultsObject.self) { StringsObject(try $0.results.map { try $0.id }) }
  }
}

@_cdecl("lime_results_item") @implementation
public func lime_results_item(
  _ results: OpaquePointer?, _ hit: Int, _ item: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(item) { try with(results, ResultsObject.self) { ItemObject(try $0.hit(hit).item()) } }
}

@_cdecl("lime_results_attributes") @implementation
public func lime_results_attributes(
  _ results: OpaquePointer?, _ hit: Int, _ json: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(results, ResultsObject.self, json, length) { try $0.lendAttributes(hit) }
}

@_cdecl("lime_results_highlights") @implementation
public func lime_results_highlights(
  _ results: OpaquePointer?, _ hit: Int, _ unit: lime_unit,
  _ highlights: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(highlights) {
    try with(results, ResultsObject.self) {
      HighlightsObject(try $0.hit(hit).highlights(unit: TextUnit(unit)))
    }
  }
}

@_cdecl("lime_results_json") @implementation
public func lime_results_json(
  _ results: OpaquePointer?, _ first: Int, _ count: Int, _ flags: UInt32, _ unit: lime_unit,
  _ lines: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(lines) {
    try with(results, ResultsObject.self) {
      try checkFlags(flags, known: LIME_JSON_ATTRIBUTES | LIME_JSON_HIGHLIGHTS)
      let unit = try TextUnit(unit)
      return StringObject(
        try $0.lines(
          from: first, count: count, withAttributes: flags & LIME_JSON_ATTRIBUTES != 0,
          highlights: flags & LIME_JSON_HIGHLIGHTS != 0 ? unit : nil))
    }
  }
}

@_cdecl("lime_highlights_free") @implementation
public func lime_highlights_free(_ highlights: OpaquePointer?) -> lime_status {
  end(highlights, HighlightsObject.self)
}

@_cdecl("lime_highlights_count") @implementation
public func lime_highlights_count(
  _ highlights: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> lime_status {
  read(highlights, HighlightsObject.self, count) { $0.entries.count }
}

@_cdecl("lime_highlights_get") @implementation
public func lime_highlights_get(
  _ highlights: OpaquePointer?, _ place: Int,
  _ attribute: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ attributeLength: UnsafeMutablePointer<Int>?, _ number: UnsafeMutablePointer<Int>?,
  _ ranges: UnsafeMutablePointer<UnsafePointer<UInt64>?>?, _ rangeCount: UnsafeMutablePointer<Int>?
) -> lime_status {
  attribute?.pointee = nil
  attributeLength?.pointee = 0
  number?.pointee = 0
  ranges?.pointee = nil
  rangeCount?.pointee = 0
  return change(highlights, HighlightsObject.self) {
    try checkPlace(place, below: $0.entries.count)
    let entry = $0.entries[place]
    attribute?.pointee = entry.attribute.pointer
    attributeLength?.pointee = entry.attribute.count
    number?.pointee = entry.number
    ranges?.pointee = entry.ranges
    rangeCount?.pointee = entry.count
  }
}

extension TextUnit {
  fileprivate init(_ unit: lime_unit) throws {
    switch unit {
    case LIME_UNIT_UTF8: self = .utf8
    case LIME_UNIT_UTF16: self = .utf16
    case LIME_UNIT_SCALARS: self = .scalars
    default: throw CallError.unsupported("there is no unit \(unit.rawValue)")
    }
  }
}
