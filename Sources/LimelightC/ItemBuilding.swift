// Building items call by call.

public import CLimelight
internal import Limelight

@_cdecl("lime_item_new") @implementation
public func lime_item_new(_ item: UnsafeMutablePointer<OpaquePointer?>?) -> lime_status {
  make(item) { ItemObject() }
}

@_cdecl("lime_item_parse") @implementation
public func lime_item_parse(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ item: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  make(item) { ItemObject(try ItemJSON.parseLine(bytes(json, length, "the line"))) }
}

@_cdecl("lime_item_free") @implementation
public func lime_item_free(_ item: OpaquePointer?) -> lime_status { end(item, ItemObject.self) }

@_cdecl("lime_item_clear") @implementation
public func lime_item_clear(_ item: OpaquePointer?) -> lime_status {
  change(item, ItemObject.self) { try $0.change { $0 = Item() } }
}

@_cdecl("lime_item_set_id") @implementation
public func lime_item_set_id(
  _ item: OpaquePointer?, _ id: UnsafePointer<CChar>?, _ length: Int
) -> lime_status {
  change(item, ItemObject.self) { object in
    let id = try text(id, length, "the id")
    try object.change { $0.id = id }
  }
}

@_cdecl("lime_item_set_domain") @implementation
public func lime_item_set_domain(
  _ item: OpaquePointer?, _ domain: UnsafePointer<CChar>?, _ length: Int
) -> lime_status {
  change(item, ItemObject.self) { object in
    let domain = try optionalText(domain, length, "the domain")
    try object.change { $0.domain = domain }
  }
}

@_cdecl("lime_item_set_content_type") @implementation
public func lime_item_set_content_type(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ length: Int
) -> lime_status {
  change(item, ItemObject.self) { object in
    let type = try optionalText(type, length, "the content type")
    try object.change { $0.contentType = type }
  }
}

@_cdecl("lime_item_set_expiration") @implementation
public func lime_item_set_expiration(_ item: OpaquePointer?, _ microseconds: Int64) -> lime_status {
  change(item, ItemObject.self) {
    try $0.change {
      $0.expirationDate = microseconds == .max ? nil : Timestamp(microseconds: microseconds)
    }
  }
}

@_cdecl("lime_item_set_thumbnail") @implementation
public func lime_item_set_thumbnail(
  _ item: OpaquePointer?, _ data: UnsafeRawPointer?, _ length: Int
) -> lime_status {
  change(item, ItemObject.self) { object in
    let thumbnail =
      data == nil && length == 0 ? nil : [UInt8](try blob(data, length, "the thumbnail"))
    try object.change { $0.thumbnail = thumbnail }
  }
}

@_cdecl("lime_item_set_text") @implementation
public func lime_item_set_text(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ text: UnsafePointer<CChar>?, _ length: Int
) -> lime_status {
  set(item, attribute, attributeLength) { .text(try LimelightC.text(text, length, "the text")) }
}

@_cdecl("lime_item_add_text") @implementation
public func lime_item_add_text(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ text: UnsafePointer<CChar>?, _ length: Int
) -> lime_status {
  add(item, attribute, attributeLength) { value in
    let text = try LimelightC.text(text, length, "the text")
    switch value {
    case nil: return .texts([text])
    case .text(let first): return .texts([first, text])
    case .texts(let texts): return .texts(texts + [text])
    default: return nil
    }
  }
}

@_cdecl("lime_item_add_localized") @implementation
public func lime_item_add_localized(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ language: UnsafePointer<CChar>?, _ languageLength: Int, _ text: UnsafePointer<CChar>?,
  _ length: Int
) -> lime_status {
  add(item, attribute, attributeLength) { value in
    let localized = LocalizedText(
      tag: try LimelightC.text(language, languageLength, "the language"),
      text: try LimelightC.text(text, length, "the text"))
    switch value {
    case nil: return .localized([localized])
    case .localized(let texts): return .localized(texts + [localized])
    default: return nil
    }
  }
}

@_cdecl("lime_item_set_number") @implementation
public func lime_item_set_number(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ number: Double
) -> lime_status {
  set(item, attribute, attributeLength) { .number(number) }
}

@_cdecl("lime_item_set_bool") @implementation
public func lime_item_set_bool(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int, _ flag: Int32
) -> lime_status {
  set(item, attribute, attributeLength) { .bool(flag != 0) }
}

@_cdecl("lime_item_set_date") @implementation
public func lime_item_set_date(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ microseconds: Int64
) -> lime_status {
  set(item, attribute, attributeLength) { .date(Timestamp(microseconds: microseconds)) }
}

@_cdecl("lime_item_add_date") @implementation
public func lime_item_add_date(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ microseconds: Int64
) -> lime_status {
  add(item, attribute, attributeLength) { value in
    let date = Timestamp(microseconds: microseconds)
    switch value {
    case nil: return .dates([date])
    case .date(let first): return .dates([first, date])
    case .dates(let dates): return .dates(dates + [date])
    default: return nil
    }
  }
}

@_cdecl("lime_item_set_data") @implementation
public func lime_item_set_data(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ data: UnsafeRawPointer?, _ length: Int
) -> lime_status {
  set(item, attribute, attributeLength) { .data([UInt8](try blob(data, length, "the bytes"))) }
}

@_cdecl("lime_item_add_person") @implementation
public func lime_item_add_person(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ name: UnsafePointer<CChar>?, _ length: Int
) -> lime_status {
  add(item, attribute, attributeLength) { value in
    let person = Person(displayName: try text(name, length, "the name"))
    switch value {
    case nil: return .persons([person])
    case .persons(let persons): return .persons(persons + [person])
    default: return nil
    }
  }
}

@_cdecl("lime_item_add_handle") @implementation
public func lime_item_add_handle(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ handle: UnsafePointer<CChar>?, _ length: Int
) -> lime_status {
  add(item, attribute, attributeLength) { value in
    let handle = try text(handle, length, "the handle")
    guard case .persons(var persons) = value, !persons.isEmpty else { return nil }
    persons[persons.count - 1].handles.append(handle)
    return .persons(persons)
  }
}

@_cdecl("lime_item_add_entry") @implementation
public func lime_item_add_entry(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int,
  _ name: UnsafePointer<CChar>?, _ nameLength: Int, _ text: UnsafePointer<CChar>?, _ length: Int
) -> lime_status {
  add(item, attribute, attributeLength) { value in
    let name = try LimelightC.text(name, nameLength, "the name")
    let text = try LimelightC.text(text, length, "the text")
    switch value {
    case nil: return .dictionary([name: [text]])
    case .dictionary(var lists):
      lists[name, default: []].append(text)
      return .dictionary(lists)
    default: return nil
    }
  }
}

@_cdecl("lime_item_remove") @implementation
public func lime_item_remove(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ attributeLength: Int
) -> lime_status {
  change(item, ItemObject.self) { object in
    let attribute = try attributeName(attribute, attributeLength)
    try object.change(attribute) { _ in nil }
  }
}

/// The attribute that an argument names.
func attributeName(_ name: UnsafePointer<CChar>?, _ length: Int) throws -> Attribute {
  let name = try text(name, length, "the attribute")
  guard !name.isEmpty else { throw CallError.argument("the attribute has no name") }
  return Attribute(name)
}

/// Bytes that are no text, so that no NUL ends them.
private func blob(
  _ data: UnsafeRawPointer?, _ length: Int, _ name: StaticString
) throws -> UnsafeRawBufferPointer {
  guard length >= 0 else { throw CallError.argument("the length of \(name) is too large") }
  return try bytes(data, length, name)
}

/// Gives an attribute a value.
private func set(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ length: Int,
  _ value: () throws -> Value
) -> lime_status {
  change(item, ItemObject.self) { object in
    let attribute = try attributeName(attribute, length)
    let value = try value()
    try object.change(attribute) { _ in value }
  }
}

/// Adds to an attribute's value; a body that returns nil finds that the value is of another kind.
private func add(
  _ item: OpaquePointer?, _ attribute: UnsafePointer<CChar>?, _ length: Int,
  _ body: (Value?) throws -> Value?
) -> lime_status {
  change(item, ItemObject.self) { object in
    let attribute = try attributeName(attribute, length)
    try object.change(attribute) {
      guard let value = try body($0) else { throw object.wrongKind(attribute, "a list to add to") }
      return value
    }
  }
}
