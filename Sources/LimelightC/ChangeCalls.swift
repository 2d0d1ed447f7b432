// Puts, deletes, declarations, commits and merges.

public import CLimelight
internal import Limelight

@_cdecl("lime_index_put") @implementation
public func lime_index_put(
  _ index: OpaquePointer?, _ batch: OpaquePointer?,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) { index in
    let items = try with(batch, BatchObject.self) { $0.items }
    return ReceiptObject(try index.put(items))
  }
}

@_cdecl("lime_index_put_item") @implementation
public func lime_index_put_item(
  _ index: OpaquePointer?, _ item: OpaquePointer?,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) { index in
    let item = try with(item, ItemObject.self) { $0.current }
    return ReceiptObject(try index.put([item]))
  }
}

@_cdecl("lime_index_put_lines") @implementation
public func lime_index_put_lines(
  _ index: OpaquePointer?, _ lines: UnsafePointer<CChar>?, _ length: Int,
  _ options: UnsafePointer<lime_lines_options>?, _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) { index in
    let form = try LineForm(options)
    let bytes = [UInt8](try bytes(lines, length, "the lines"))
    return ReceiptObject(
      try index.put(.lines(bytes, firstLine: form.firstLine, options: form.options)))
  }
}

@_cdecl("lime_index_delete") @implementation
public func lime_index_delete(
  _ index: OpaquePointer?, _ ids: UnsafePointer<UnsafePointer<CChar>?>?,
  _ lengths: UnsafePointer<Int>?, _ count: Int, _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) {
    ReceiptObject(try $0.delete(ids: texts(ids, lengths, count, "the ids")))
  }
}

@_cdecl("lime_index_delete_domain") @implementation
public func lime_index_delete_domain(
  _ index: OpaquePointer?, _ domain: UnsafePointer<CChar>?, _ length: Int,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) {
    ReceiptObject(try $0.delete(domain: text(domain, length, "the domain")))
  }
}

@_cdecl("lime_index_delete_query") @implementation
public func lime_index_delete_query(
  _ index: OpaquePointer?, _ query: OpaquePointer?, _ options: UnsafePointer<lime_work_options>?,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) { index in
    let query = try with(query, QueryObject.self) { $0.query }
    return ReceiptObject(
      try index.delete(matching: query, cancellation: workCancellation(options)))
  }
}

@_cdecl("lime_index_delete_all") @implementation
public func lime_index_delete_all(
  _ index: OpaquePointer?, _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) { ReceiptObject(try $0.deleteAll()) }
}

@_cdecl("lime_index_declare") @implementation
public func lime_index_declare(
  _ index: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ length: Int, _ kind: lime_kind,
  _ searchClass: lime_search_class
) -> lime_status {
  change(index, IndexObject.self) { object in
    let name = try text(name, length, "the attribute's name")
    guard let kind = UInt8(exactly: kind.rawValue).flatMap(AttributeKind.init(rawValue:)) else {
      throw CallError.argument("\(kind.rawValue) is no kind of an attribute")
    }
    let known = UInt8(exactly: searchClass.rawValue).flatMap(SearchClass.init(rawValue:))
    guard known != nil || searchClass == LIME_CLASS_USUAL else {
      throw CallError.argument("\(searchClass.rawValue) is no search class")
    }
    try object.index.declare(CustomAttribute(name, kind: kind, searchClass: known))
  }
}

@_cdecl("lime_index_commit") @implementation
public func lime_index_commit(_ index: OpaquePointer?) -> lime_status {
  change(index, IndexObject.self) { try $0.index.commit() }
}

@_cdecl("lime_index_merge") @implementation
public func lime_index_merge(
  _ index: OpaquePointer?, _ segments: Int, _ options: UnsafePointer<lime_work_options>?
) -> lime_status {
  change(index, IndexObject.self) {
    let given = try workOptions(options, flags: LIME_MERGE_COMPACT | LIME_MERGE_REORDER)
    try $0.index.merge(
      into: limit(segments), options: MergeOptions(rawValue: Int(given.flags)),
      cancellation: given.cancellation)
  }
}

/// How the host's lines become items.
struct LineForm {
  let firstLine: Int
  let options: LineOptions

  init(_ pointer: UnsafePointer<lime_lines_options>?) throws {
    let given = try LimelightC.options(pointer, none: lime_lines_options())
    try checkFlags(given.flags, known: 0)
    firstLine = max(Int(clamping: min(given.first_line, 1 << 62)), 1)
    guard given.map_count >= 0, given.map_count < 1 << 24 else {
      throw CallError.argument("there are too many members in the map")
    }
    let names = try texts(given.map, nil, given.map_count * 2, "the map")
    var map: [String: String] = [:]
    for place in stride(from: 0, to: names.count, by: 2) { map[names[place]] = names[place + 1] }
    let dates = try texts(given.dates, nil, given.date_count, "the dates")
    options = LineOptions(map: map, dates: Set(dates))
  }
}
