// Changes at a level of durability of their own, and what is durable by now.

public import CLimelight
internal import Limelight

@_cdecl("lime_index_put_at") @implementation
public func lime_index_put_at(
  _ index: OpaquePointer?, _ batch: OpaquePointer?, _ durability: lime_durability,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) { index in
    let level = try level(durability)
    let items = try with(batch, BatchObject.self) { $0.items }
    return ReceiptObject(try index.put(items, durability: level))
  }
}

@_cdecl("lime_index_put_item_at") @implementation
public func lime_index_put_item_at(
  _ index: OpaquePointer?, _ item: OpaquePointer?, _ durability: lime_durability,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) { index in
    let level = try level(durability)
    let item = try with(item, ItemObject.self) { $0.current }
    return ReceiptObject(try index.put([item], durability: level))
  }
}

@_cdecl("lime_index_put_lines_at") @implementation
public func lime_index_put_lines_at(
  _ index: OpaquePointer?, _ lines: UnsafePointer<CChar>?, _ length: Int,
  _ options: UnsafePointer<lime_lines_options>?, _ durability: lime_durability,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) { index in
    let level = try level(durability)
    let form = try LineForm(options)
    let bytes = [UInt8](try bytes(lines, length, "the lines"))
    return ReceiptObject(
      try index.put(
        .lines(bytes, firstLine: form.firstLine, options: form.options), durability: level))
  }
}

@_cdecl("lime_index_delete_at") @implementation
public func lime_index_delete_at(
  _ index: OpaquePointer?, _ ids: UnsafePointer<UnsafePointer<CChar>?>?,
  _ lengths: UnsafePointer<Int>?, _ count: Int, _ durability: lime_durability,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) {
    let level = try level(durability)
    return ReceiptObject(
      try $0.delete(ids: texts(ids, lengths, count, "the ids"), durability: level))
  }
}

@_cdecl("lime_index_delete_domain_at") @implementation
public func lime_index_delete_domain_at(
  _ index: OpaquePointer?, _ domain: UnsafePointer<CChar>?, _ length: Int,
  _ durability: lime_durability, _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) {
    let level = try level(durability)
    return ReceiptObject(
      try $0.delete(domain: text(domain, length, "the domain"), durability: level))
  }
}

@_cdecl("lime_index_delete_query_at") @implementation
public func lime_index_delete_query_at(
  _ index: OpaquePointer?, _ query: OpaquePointer?, _ options: UnsafePointer<lime_work_options>?,
  _ durability: lime_durability, _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) { index in
    let level = try level(durability)
    let query = try with(query, QueryObject.self) { $0.query }
    return ReceiptObject(
      try index.delete(
        matching: query, cancellation: workCancellation(options), durability: level))
  }
}

@_cdecl("lime_index_delete_all_at") @implementation
public func lime_index_delete_all_at(
  _ index: OpaquePointer?, _ durability: lime_durability,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  changeIndex(index, receipt) {
    ReceiptObject(try $0.deleteAll(durability: level(durability)))
  }
}

@_cdecl("lime_index_flush") @implementation
public func lime_index_flush(
  _ index: OpaquePointer?, _ generation: UnsafeMutablePointer<UInt64>?
) -> lime_status {
  generation?.pointee = 0
  return change(index, IndexObject.self) {
    let durable = try $0.index.flush()
    generation?.pointee = durable
  }
}

@_cdecl("lime_index_durable_generation") @implementation
public func lime_index_durable_generation(
  _ index: OpaquePointer?, _ generation: UnsafeMutablePointer<UInt64>?
) -> lime_status {
  read(index, IndexObject.self, generation) { try $0.index.durableGeneration() }
}

/// The level of a change; nil for that of the index.
private func level(_ durability: lime_durability) throws -> Durability? {
  switch durability {
  case LIME_DURABILITY_USUAL: nil
  case LIME_DURABILITY_FULL: .full
  case LIME_DURABILITY_JOURNALED: .journaled
  case LIME_DURABILITY_RELAXED: .relaxed
  default: throw CallError.argument("\(durability.rawValue) is no level of durability")
  }
}

/// The level of an index that is opened with these flags.
func durability(_ flags: UInt32) throws -> Durability {
  switch (flags & LIME_OPEN_JOURNALED != 0, flags & LIME_OPEN_RELAXED != 0) {
  case (false, false): return .full
  case (true, false): return .journaled
  case (false, true): return .relaxed
  case (true, true): throw CallError.argument("an index has one level of durability")
  }
}
