// Bytes as base64 text, RFC 4648 section 4, read and written.

/// Base64 with its padding and without anything in between.
enum Base64 {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// The bytes of a base64 text, or nil: wrong letters, wrong padding, bits beyond the last byte.
  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var padding = 0
    while padding < 2, padding < text.count, text[text.count - 1 - padding] == UInt8(ascii: "=") {
      padding += 1
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    for (place, letter) in text.dropLast(padding).enumerated() {
      guard let value = value(letter) else { return nil }
      group = group << 6 | value
      if place % 4 == 3 {
        append(group, count: 3, to: &bytes)
        group = 0
      }
    }
    switch padding {
    case 1:
      guard group & 3 == 0 else { return nil }
      append(group << 6, count: 2, to: &bytes)
    case 2:
      guard group & 15 == 0 else { return nil }
      append(group << 12, count: 1, to: &bytes)
    default:
      break
    }
    return bytes
  }

  /// Appends bytes as base64.
  static func encode(_ bytes: [UInt8], into text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    let letters = alphabet.utf8Start
    var place = 0
    while place < bytes.count {
      let count = min(3, bytes.count - place)
      var group = UInt32(bytes[place]) << 16
      if count > 1 { group |= UInt32(bytes[place + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[place + 2]) }
      for letter in 0..<4 {
        let value = Int(group >> UInt32(18 - 6 * letter) & 63)
        text.append(letter <= count ? letters[value] : UInt8(ascii: "="))
      }
      place += 3
    }
  }

  private static func append(_ group: UInt32, count: Int, to bytes: inout [UInt8]) {
    for place in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * place)))
    }
  }

  private static func value(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
