// Queries, built as trees of handles.

public import CLimelight
internal import Limelight
internal import LimelightSearch

/// A query, with its size: a query may stand in a tree many times, so that few handles could make
/// a tree that nobody can walk.
final class QueryObject: HandleObject {
  static let kind = HandleKind.query
  static let nodeLimit = 1 << 16
  let query: Query
  let depth: Int
  let nodes: Int

  init(_ query: Query) {
    self.query = query
    depth = 1
    nodes = 1
  }

  /// A query that was not built here, measured.
  init(measuring query: Query) {
    func measure(_ query: Query) -> (depth: Int, nodes: Int) {
      query.children.map(measure).reduce(into: (1, 1)) {
        $0 = (max($0.depth, $1.depth + 1), $0.nodes + $1.nodes)
      }
    }
    self.query = query
    (depth, nodes) = measure(query)
  }

  /// A query made of others.
  init(_ query: Query, of parts: [QueryObject]) throws {
    self.query = query
    depth = (parts.map(\.depth).max() ?? 0) + 1
    nodes = parts.reduce(1) { $0 + $1.nodes }
    guard depth <= Query.maximumDepth else {
      throw CallError(LIME_ERROR_QUERY, "the query is nested more than \(Query.maximumDepth) deep")
    }
    guard nodes <= Self.nodeLimit else {
      throw CallError(LIME_ERROR_QUERY, "the query has more than \(Self.nodeLimit) parts")
    }
  }
}

@_cdecl("lime_query_free") @implementation
public func lime_query_free(_ query: OpaquePointer?) -> lime_status {
  end(query, QueryObject.self)
}

@_cdecl("lime_query_term") @implementation
public func lime_query_term(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ attribute: UnsafePointer<CChar>?,
  _ attributeLength: Int, _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  makeText(text, length, attribute, attributeLength, query) { .term($0, in: $1) }
}

@_cdecl("lime_query_prefix") @implementation
public func lime_query_prefix(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ attribute: UnsafePointer<CChar>?,
  _ attributeLength: Int, _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  makeText(text, length, attribute, attributeLength, query) { .prefix($0, in: $1) }
}

@_cdecl("lime_query_phrase") @implementation
public func lime_query_phrase(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ attribute: UnsafePointer<CChar>?,
  _ attributeLength: Int, _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  makeText(text, length, attribute, attributeLength, query) { .phrase($0, in: $1) }
}

@_cdecl("lime_query_fuzzy") @implementation
public func lime_query_fuzzy(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ distance: UInt32,
  _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  makeText(text, length, attribute, attributeLength, query) {
    guard distance <= 2 else { throw CallError.argument("the distance is at most 2") }
    return .fuzzy($0, distance: Int(distance), in: $1)
  }
}

@_cdecl("lime_query_all") @implementation
public func lime_query_all(
  _ queries: UnsafePointer<OpaquePointer?>?, _ count: Int,
  _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(query) {
    let parts = try queryList(queries, count)
    return try QueryObject(.all(parts.map(\.query)), of: parts)
  }
}

@_cdecl("lime_query_any") @implementation
public func lime_query_any(
  _ queries: UnsafePointer<OpaquePointer?>?, _ count: Int,
  _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(query) {
    let parts = try queryList(queries, count)
    return try QueryObject(.any(parts.map(\.query)), of: parts)
  }
}

@_cdecl("lime_query_boolean") @implementation
public func lime_query_boolean(
  _ must: UnsafePointer<OpaquePointer?>?, _ mustCount: Int,
  _ should: UnsafePointer<OpaquePointer?>?, _ shouldCount: Int,
  _ mustNot: UnsafePointer<OpaquePointer?>?, _ mustNotCount: Int,
  _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(query) {
    let must = try queryList(must, mustCount)
    let should = try queryList(should, shouldCount)
    let mustNot = try queryList(mustNot, mustNotCount)
    return try QueryObject(
      .boolean(
        must: must.map(\.query), should: should.map(\.query), not: mustNot.map(\.query)),
      of: must + should + mustNot)
  }
}

@_cdecl("lime_query_not") @implementation
public func lime_query_not(
  _ negated: OpaquePointer?, _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(query) {
    let negated = try with(negated, QueryObject.self) { $0 }
    return try QueryObject(.not(negated.query), of: [negated])
  }
}

@_cdecl("lime_query_numbers") @implementation
public func lime_query_numbers(
  _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int, _ lower: Double, _ upper: Double,
  _ flags: UInt32, _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  makeRange(attribute, attributeLength, flags, query, lower: { .number(lower) }) { .number(upper) }
}

@_cdecl("lime_query_dates") @implementation
public func lime_query_dates(
  _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int, _ lower: Int64, _ upper: Int64,
  _ flags: UInt32, _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  makeRange(
    attribute, attributeLength, flags, query, lower: { .date(Timestamp(microseconds: lower)) }
  ) { .date(Timestamp(microseconds: upper)) }
}

@_cdecl("lime_query_texts") @implementation
public func lime_query_texts(
  _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int, _ lower: UnsafePointer<CChar>?,
  _ lowerLength: Int, _ upper: UnsafePointer<CChar>?, _ upperLength: Int, _ flags: UInt32,
  _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  makeRange(
    attribute, attributeLength, flags, query,
    lower: { .string(try text(lower, lowerLength, "the lower bound")) }
  ) { .string(try text(upper, upperLength, "the upper bound")) }
}

@_cdecl("lime_query_bool") @implementation
public func lime_query_bool(
  _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int, _ flag: Int32,
  _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(query) {
    QueryObject(.equals(try attributeName(attribute, attributeLength), .bool(flag != 0)))
  }
}

@_cdecl("lime_query_has") @implementation
public func lime_query_has(
  _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(query) { QueryObject(.has(try attributeName(attribute, attributeLength))) }
}

@_cdecl("lime_query_domain") @implementation
public func lime_query_domain(
  _ domain: UnsafePointer<CChar>?, _ length: Int, _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(query) { QueryObject(.domain(try text(domain, length, "the domain"))) }
}

@_cdecl("lime_index_query") @implementation
public func lime_index_query(
  _ index: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int, _ flags: UInt32,
  _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(query) {
    try with(index, IndexObject.self) {
      try checkFlags(flags, known: LIME_SEARCH_WHOLE_WORDS)
      return QueryObject(
        measuring: $0.index.query(
          typed: try LimelightC.text(text, length, "the text"), lastWordIsPrefix: flags == 0))
    }
  }
}

@_cdecl("lime_query_everything") @implementation
public func lime_query_everything(_ query: UnsafeMutablePointer<OpaquePointer?>?) -> lime_status {
  make(query) { QueryObject(.everything) }
}

@_cdecl("lime_query_nothing") @implementation
public func lime_query_nothing(_ query: UnsafeMutablePointer<OpaquePointer?>?) -> lime_status {
  make(query) { QueryObject(.nothing) }
}

/// A query about a text, perhaps in one attribute.
private func makeText(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ attribute: UnsafePointer<CChar>?,
  _ attributeLength: Int, _ out: HandleOut?, _ body: (String, Attribute?) throws -> Query
) -> lime_status {
  make(out) {
    let text = try LimelightC.text(text, length, "the text")
    let name = try optionalText(attribute, attributeLength, "the attribute")
    return QueryObject(try body(text, name.map { Attribute($0) }))
  }
}

/// A query about values between bounds.
private func makeRange(
  _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int, _ flags: UInt32, _ out: HandleOut?,
  lower: () throws -> RangeValue, upper: () throws -> RangeValue
) -> lime_status {
  make(out) {
    try checkFlags(
      flags,
      known: LIME_RANGE_NO_LOWER | LIME_RANGE_NO_UPPER | LIME_RANGE_ABOVE | LIME_RANGE_BELOW)
    func bound(
      _ none: UInt32, _ excluded: UInt32, _ value: () throws -> RangeValue
    ) throws -> RangeBound {
      if flags & none != 0 { return .open }
      return flags & excluded != 0 ? .excluded(try value()) : .included(try value())
    }
    return QueryObject(
      .range(
        try attributeName(attribute, attributeLength),
        lower: try bound(LIME_RANGE_NO_LOWER, LIME_RANGE_ABOVE, lower),
        upper: try bound(LIME_RANGE_NO_UPPER, LIME_RANGE_BELOW, upper)))
  }
}

/// The queries of a list of handles.
private func queryList(
  _ handles: UnsafePointer<OpaquePointer?>?, _ count: Int
) throws -> [QueryObject] {
  guard count != 0 else { return [] }
  guard count > 0, count <= QueryObject.nodeLimit else {
    throw CallError(LIME_ERROR_QUERY, "the query has more than \(QueryObject.nodeLimit) parts")
  }
  guard let handles else { throw CallError.required("the list of queries") }
  return try (0..<count).map { try with(handles[$0], QueryObject.self) { $0 } }
}
