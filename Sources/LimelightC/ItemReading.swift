// Reading items: members, values, and the whole as a line of JSON.

public import CLimelight
internal import Limelight

@_cdecl("lime_item_id") @implementation
public func lime_item_id(
  _ item: OpaquePointer?, _ id: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(item, ItemObject.self, id, length) { $0.lend(.id) }
}

@_cdecl("lime_item_domain") @implementation
public func lime_item_domain(
  _ item: OpaquePointer?, _ domain: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(item, ItemObject.self, domain, length) { $0.lend(.domain) }
}

@_cdecl("lime_item_content_type") @implementation
public func lime_item_content_type(
  _ item: OpaquePointer?, _ type: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(item, ItemObject.self, type, length) { $0.lend(.contentType) }
}

@_cdecl("lime_item_expiration") @implementation
public func lime_item_expiration(
  _ item: OpaquePointer?, _ microseconds: UnsafeMutablePointer<Int64>?
) -> lime_status {
  read(item, ItemObject.self, microseconds) { object in
    object.read { $0.expirationDate?.microseconds ?? .max }
  }
}

@_cdecl("lime_item_thumbnail") @implementation
public func lime_item_thumbnail(
  _ item: OpaquePointer?, _ data: UnsafeMutablePointer<UnsafeRawPointer?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lendData(item, data, length) { $0.lend(.thumbnail) }
}

@_cdecl("lime_item_count") @implementation
public func lime_item_count(
  _ item: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> lime_status {
  read(item, ItemObject.self, count) { object in object.read { $0.attributes.count } }
}

@_cdecl("lime_item_attribute") @implementation
public func lime_item_attribute(
  _ item: OpaquePointer?, _ place: Int, _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(item, ItemObject.self, name, length) { try $0.lendName(place) }
}

@_cdecl("lime_item_value") @implementation
public func lime_item_value(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ kind: UnsafeMutablePointer<lime_kind>?, _ count: UnsafeMutablePointer<Int>?
) -> lime_status {
  kind?.pointee = lime_kind(rawValue: 0)
  count?.pointee = 0
  return change(item, ItemObject.self) { object in
    let value = try object.value(of: attributeName(attribute, attributeLength))
    let (valueKind, valueCount) = value.kindAndCount
    kind?.pointee = valueKind
    count?.pointee = valueCount
  }
}

@_cdecl("lime_item_text") @implementation
public func lime_item_text(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ number: Int, _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(item, ItemObject.self, text, length) {
    try $0.lendText(attributeName(attribute, attributeLength), number).text
  }
}

@_cdecl("lime_item_label") @implementation
public func lime_item_label(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ number: Int, _ label: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(item, ItemObject.self, label, length) {
    try $0.lendText(attributeName(attribute, attributeLength), number).label
  }
}

@_cdecl("lime_item_number") @implementation
public func lime_item_number(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ number: UnsafeMutablePointer<Double>?
) -> lime_status {
  read(item, ItemObject.self, number) { object in
    let attribute = try attributeName(attribute, attributeLength)
    guard case .number(let number) = try object.value(of: attribute) else {
      throw object.wrongKind(attribute, "a number")
    }
    return number
  }
}

@_cdecl("lime_item_bool") @implementation
public func lime_item_bool(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ flag: UnsafeMutablePointer<Int32>?
) -> lime_status {
  read(item, ItemObject.self, flag) { object in
    let attribute = try attributeName(attribute, attributeLength)
    guard case .bool(let flag) = try object.value(of: attribute) else {
      throw object.wrongKind(attribute, "a boolean")
    }
    return flag ? 1 : 0
  }
}

@_cdecl("lime_item_date") @implementation
public func lime_item_date(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ number: Int, _ microseconds: UnsafeMutablePointer<Int64>?
) -> lime_status {
  read(item, ItemObject.self, microseconds) { object in
    let attribute = try attributeName(attribute, attributeLength)
    let dates: [Timestamp]
    switch try object.value(of: attribute) {
    case .date(let date): dates = [date]
    case .dates(let list): dates = list
    default: throw object.wrongKind(attribute, "dates")
    }
    guard dates.indices.contains(number) else {
      throw CallError(
        LIME_ERROR_NOT_FOUND,
        "\(attribute) has \(dates.count) dates, none of number \(UInt(bitPattern: number))")
    }
    return dates[number].microseconds
  }
}

@_cdecl("lime_item_data") @implementation
public func lime_item_data(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ data: UnsafeMutablePointer<UnsafeRawPointer?>?, _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lendData(item, data, length) { try $0.lendData(attributeName(attribute, attributeLength)) }
}

@_cdecl("lime_item_json") @implementation
public func lime_item_json(
  _ item: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(item, ItemObject.self, json, length) { $0.lendLine(withThumbnail: true) }
}

@_cdecl("lime_item_json_without_thumbnail") @implementation
public func lime_item_json_without_thumbnail(
  _ item: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(item, ItemObject.self, json, length) { $0.lendLine(withThumbnail: false) }
}

/// A call that borrows bytes that are no text from an item.
private func lendData(
  _ item: OpaquePointer?, _ data: UnsafeMutablePointer<UnsafeRawPointer?>?,
  _ length: UnsafeMutablePointer<Int>?, _ body: (ItemObject) throws -> Lent?
) -> lime_status {
  data?.pointee = nil
  length?.pointee = 0
  return call {
    guard let data, let length else { throw CallError.required("an out-pointer for bytes") }
    guard let lent = try with(item, ItemObject.self, body) else { return }
    data.pointee = UnsafeRawPointer(lent.pointer)
    length.pointee = lent.count
  }
}
