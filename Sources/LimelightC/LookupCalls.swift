// Items by id, and lists of ids.

public import CLimelight
internal import Limelight

@_cdecl("lime_index_get") @implementation
public func lime_index_get(
  _ index: OpaquePointer?, _ id: UnsafePointer<CChar>?, _ length: Int,
  _ item: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(item) {
    try with(index, IndexObject.self) { object in
      let id = try text(id, length, "the id")
      guard let item = try object.index.get(id) else {
        throw CallError(LIME_ERROR_NOT_FOUND, "there is no item of this id")
      }
      return ItemObject(item)
    }
  }
}

@_cdecl("lime_index_contains") @implementation
public func lime_index_contains(
  _ index: OpaquePointer?, _ id: UnsafePointer<CChar>?, _ length: Int,
  _ contains: UnsafeMutablePointer<Int32>?
) -> lime_status {
  read(index, IndexObject.self, contains) {
    try $0.index.contains(text(id, length, "the id")) ? 1 : 0
  }
}

@_cdecl("lime_index_count") @implementation
public func lime_index_count(
  _ index: OpaquePointer?, _ count: UnsafeMutablePointer<UInt64>?
) -> lime_status {
  read(index, IndexObject.self, count) { UInt64(try $0.index.count) }
}

@_cdecl("lime_index_ids") @implementation
public func lime_index_ids(
  _ index: OpaquePointer?, _ domain: UnsafePointer<CChar>?, _ domainLength: Int,
  _ after: UnsafePointer<CChar>?, _ afterLength: Int, _ limit: Int,
  _ ids: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(ids) {
    try with(index, IndexObject.self) {
      StringsObject(
        try $0.index.ids(
          domain: optionalText(domain, domainLength, "the domain"),
          after: optionalText(after, afterLength, "the id"), limit: LimelightC.limit(limit)))
    }
  }
}
