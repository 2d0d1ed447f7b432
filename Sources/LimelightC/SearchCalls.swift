// Searches and counts, with weights.

public import CLimelight
internal import Limelight
internal import LimelightStorage

/// Weights that the host sets.
final class WeightsObject: HandleObject {
  static let kind = HandleKind.weights
  private let lock = Lock()
  private var weights = Weights.standard

  /// The weights as they are now.
  var current: Weights { lock.withLock { weights } }

  func change(_ body: (inout Weights) -> Void) { lock.withLock { body(&weights) } }
}

@_cdecl("lime_weights_new") @implementation
public func lime_weights_new(_ weights: UnsafeMutablePointer<OpaquePointer?>?) -> lime_status {
  make(weights) { WeightsObject() }
}

@_cdecl("lime_weights_free") @implementation
public func lime_weights_free(_ weights: OpaquePointer?) -> lime_status {
  end(weights, WeightsObject.self)
}

@_cdecl("lime_weights_set") @implementation
public func lime_weights_set(
  _ weights: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ weight: Float
) -> lime_status {
  change(weights, WeightsObject.self) { object in
    let attribute = try attributeName(attribute, attributeLength)
    guard weight >= 0, weight <= 1000 else {
      throw CallError.argument("a weight is from 0 to 1,000, not \(weight)")
    }
    object.change { $0[attribute] = weight }
  }
}

@_cdecl("lime_weights_clear") @implementation
public func lime_weights_clear(_ weights: OpaquePointer?) -> lime_status {
  change(weights, WeightsObject.self) { $0.change { $0 = Weights() } }
}

@_cdecl("lime_index_search") @implementation
public func lime_index_search(
  _ index: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int, _ limit: Int,
  _ options: UnsafePointer<lime_search_options>?, _ results: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(results) {
    try with(index, IndexObject.self) { object in
      let form = try SearchForm(options)
      let text = try LimelightC.text(text, length, "the text")
      return ResultsObject(
        try object.index.search(
          text, limit: LimelightC.limit(limit), offset: form.offset, domain: form.domain,
          options: form.options))
    }
  }
}

@_cdecl("lime_index_search_query") @implementation
public func lime_index_search_query(
  _ index: OpaquePointer?, _ query: OpaquePointer?, _ limit: Int,
  _ options: UnsafePointer<lime_search_options>?, _ results: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(results) {
    try with(index, IndexObject.self) { object in
      let form = try SearchForm(options)
      let query = try with(query, QueryObject.self) { $0.query }
      return ResultsObject(
        try object.index.search(
          query, limit: LimelightC.limit(limit), offset: form.offset, domain: form.domain,
          options: form.options))
    }
  }
}

@_cdecl("lime_index_count_text") @implementation
public func lime_index_count_text(
  _ index: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int,
  _ options: UnsafePointer<lime_search_options>?, _ count: UnsafeMutablePointer<UInt64>?
) -> lime_status {
  read(index, IndexObject.self, count) { object in
    let form = try SearchForm(options)
    let text = try LimelightC.text(text, length, "the text")
    return UInt64(try object.index.count(text, domain: form.domain, options: form.options))
  }
}

@_cdecl("lime_index_count_query") @implementation
public func lime_index_count_query(
  _ index: OpaquePointer?, _ query: OpaquePointer?, _ options: UnsafePointer<lime_search_options>?,
  _ count: UnsafeMutablePointer<UInt64>?
) -> lime_status {
  read(index, IndexObject.self, count) { object in
    let form = try SearchForm(options)
    let query = try with(query, QueryObject.self) { $0.query }
    return UInt64(
      try object.index.count(
        query, domain: form.domain, cancellation: form.options.cancellation))
  }
}

/// How the host wants to search.
private struct SearchForm {
  let offset: Int
  let domain: String?
  var options = SearchOptions()

  init(_ pointer: UnsafePointer<lime_search_options>?) throws {
    let given = try LimelightC.options(pointer, none: lime_search_options())
    try checkFlags(given.flags, known: LIME_SEARCH_TOTAL_AT_LEAST | LIME_SEARCH_WHOLE_WORDS)
    offset = Int(clamping: given.offset)
    domain = try optionalText(given.domain, given.domain_length, "the domain")
    options.countsAll = given.flags & LIME_SEARCH_TOTAL_AT_LEAST == 0
    options.lastWordIsPrefix = given.flags & LIME_SEARCH_WHOLE_WORDS == 0
    if let weights = given.weights {
      options.weights = try with(weights, WeightsObject.self) { $0.current }
    }
    options.cancellation = try cancellation(given.cancellation)
  }
}
