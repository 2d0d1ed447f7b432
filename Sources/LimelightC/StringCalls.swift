// Texts, and lists of texts.

public import CLimelight

/// A text.
final class StringObject: HandleObject {
  static let kind = HandleKind.string
  private let lender = Lender()
  let lent: Lent

  init(_ bytes: [UInt8]) { lent = lender.lend(bytes) }
}

/// A list of texts, one behind the other, a NUL after each.
final class StringsObject: HandleObject {
  static let kind = HandleKind.strings
  private let lender = Lender()
  let count: Int
  let data: UnsafePointer<CChar>
  let offsets: UnsafePointer<UInt64>

  init(_ texts: [String]) {
    var bytes: [UInt8] = []
    var starts: [UInt64] = [0]
    starts.reserveCapacity(texts.count + 1)
    for text in texts {
      bytes.append(contentsOf: text.utf8)
      bytes.append(0)
      starts.append(UInt64(bytes.count))
    }
    count = texts.count
    data = lender.lend(bytes).pointer
    offsets = lender.lend(numbers: starts)
  }
}

@_cdecl("lime_string_free") @implementation
public func lime_string_free(_ string: OpaquePointer?) -> lime_status {
  end(string, StringObject.self)
}

@_cdecl("lime_string_data") @implementation
public func lime_string_data(
  _ string: OpaquePointer?, _ data: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(string, StringObject.self, data, length) { $0.lent }
}

@_cdecl("lime_strings_free") @implementation
public func lime_strings_free(_ strings: OpaquePointer?) -> lime_status {
  end(strings, StringsObject.self)
}

@_cdecl("lime_strings_count") @implementation
public func lime_strings_count(
  _ strings: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?
) -> lime_status {
  read(strings, StringsObject.self, count) { $0.count }
}

@_cdecl("lime_strings_get") @implementation
public func lime_strings_get(
  _ strings: OpaquePointer?, _ place: Int, _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(strings, StringsObject.self, text, length) {
    try checkPlace(place, below: $0.count)
    let start = Int($0.offsets[place])
    return Lent(pointer: $0.data + start, count: Int($0.offsets[place + 1]) - start - 1)
  }
}

@_cdecl("lime_strings_data") @implementation
public func lime_strings_data(
  _ strings: OpaquePointer?, _ data: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ offsets: UnsafeMutablePointer<UnsafePointer<UInt64>?>?, _ count: UnsafeMutablePointer<Int>?
) -> lime_status {
  data?.pointee = nil
  offsets?.pointee = nil
  count?.pointee = 0
  return change(strings, StringsObject.self) {
    guard let data, let offsets else { throw CallError.required("an out-pointer for the texts") }
    data.pointee = $0.data
    offsets.pointee = $0.offsets
    count?.pointee = $0.count
  }
}
