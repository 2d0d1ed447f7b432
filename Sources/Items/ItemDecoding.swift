// Items out of bytes, whole or only some of their values.

extension ItemCodec {
  /// Reads an item; every byte is checked, none is trusted.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ItemDecodingError) -> ResolvedItem {
    var cursor = ByteCursor(bytes)
    var (item, flags) = try head(&cursor)
    let directory = try directory(&cursor)
    item.values.reserveCapacity(directory.count)
    for entry in directory {
      let value = try Value(entry.form, payload: try cursor.part(entry.count))
      item.values.append((entry.id, value))
    }
    if flags & Flag.thumbnailBytes != 0 {
      item.thumbnail = [UInt8](try cursor.take(try cursor.count()))
    }
    guard cursor.atEnd else { throw .corrupt("bytes behind an item", at: cursor.position) }
    return item
  }

  /// Reads some values of an item, in the order in which they stand.
  ///
  /// Stops behind the last of them; payloads of others are skipped unread. So the front of the
  /// bytes is enough when all wanted values stand in it.
  package static func values(
    of ids: Set<UInt16>, in bytes: UnsafeRawBufferPointer
  ) throws(ItemDecodingError) -> [(id: UInt16, value: Value)] {
    var cursor = ByteCursor(bytes)
    _ = try head(&cursor)
    var values: [(id: UInt16, value: Value)] = []
    for entry in try directory(&cursor, upTo: ids) {
      let part = try cursor.part(entry.count)
      if ids.contains(entry.id) {
        values.append((entry.id, try Value(entry.form, payload: part)))
      }
    }
    return values
  }

  /// Reads what stands before the values: id, domain, content type, expiration.
  package static func head(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ItemDecodingError) -> ResolvedItem {
    var cursor = ByteCursor(bytes)
    return try head(&cursor).item
  }

  private static func head(
    _ cursor: inout ByteCursor
  ) throws(ItemDecodingError) -> (item: ResolvedItem, flags: UInt8) {
    let flags = try cursor.byte()
    guard flags & ~Flag.known == 0,
      flags & (Flag.thumbnail | Flag.thumbnailBytes) != Flag.thumbnailBytes
    else { throw .corrupt("flags of an item", at: 0) }
    var item = ResolvedItem(id: try cursor.text())
    if flags & Flag.domain != 0 { item.domain = try cursor.text() }
    if flags & Flag.contentType != 0 { item.contentType = try cursor.text() }
    if flags & Flag.expiration != 0 { item.expiration = try cursor.timestamp() }
    item.hasThumbnail = flags & Flag.thumbnail != 0
    return (item, flags)
  }

  private struct Entry {
    let id: UInt16
    let form: Form
    let count: Int
  }

  /// Reads the directory, with `ids` only up to the last entry of one of them.
  private static func directory(
    _ cursor: inout ByteCursor, upTo ids: Set<UInt16>? = nil
  ) throws(ItemDecodingError) -> [Entry] {
    let count = try cursor.count()
    var entries: [Entry] = []
    entries.reserveCapacity(min(count, 1024))
    var wanted = 0
    for _ in 0..<count {
      let start = cursor.position
      let id = try cursor.varint()
      let form = Form(rawValue: try cursor.byte())
      let length = try cursor.varint()
      guard let id = UInt16(exactly: id), let form, length <= UInt64(Int32.max) else {
        throw .corrupt("a value's entry", at: start)
      }
      entries.append(Entry(id: id, form: form, count: Int(length)))
      if let ids, ids.contains(id) { wanted = entries.count }
    }
    if ids != nil { entries.removeSubrange(wanted...) }
    return entries
  }
}
