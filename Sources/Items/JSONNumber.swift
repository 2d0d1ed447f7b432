// Numbers, literals and values to be skipped in JSON text.

extension JSONScanner {
  /// Takes a number; one beyond the range of a double is refused.
  mutating func number() throws(ItemError) -> Double {
    let start = position
    let negative = takeRaw(UInt8(ascii: "-"))
    var mantissa: UInt64 = 0
    var exponent = 0
    let integerStart = position
    try digits(into: &mantissa, exponent: &exponent, fraction: false)
    guard base[integerStart] != 0x30 || position - integerStart == 1 else {
      throw malformed("a number with a zero in front", at: start)
    }
    if takeRaw(UInt8(ascii: ".")) {
      try digits(into: &mantissa, exponent: &exponent, fraction: true)
    }
    if takeRaw(UInt8(ascii: "e")) || takeRaw(UInt8(ascii: "E")) {
      let down = takeRaw(UInt8(ascii: "-"))
      if !down { _ = takeRaw(UInt8(ascii: "+")) }
      var written: UInt64 = 0
      var cut = 0
      try digits(into: &written, exponent: &cut, fraction: false)
      let size = cut > 0 ? 1_000_000 : Int(min(written, 1_000_000))
      exponent += down ? -size : size
    }
    // Both factors are exact doubles, so one rounding gives the nearest double.
    if mantissa < 1 << 53, (-22...22).contains(exponent) {
      let size = Double(mantissa)
      let value =
        exponent < 0 ? size / Self.powersOfTen[-exponent] : size * Self.powersOfTen[exponent]
      return negative ? -value : value
    }
    let bytes = UnsafeBufferPointer(start: base + start, count: position - start)
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
      throw failure(.numberNotFinite, "the number is beyond the range of a double", at: start)
    }
    return value
  }

  /// Takes one digit or more; those past the nineteenth only move the exponent.
  private mutating func digits(
    into mantissa: inout UInt64, exponent: inout Int, fraction: Bool
  ) throws(ItemError) {
    let start = position
    while position < count {
      let digit = base[position] &- 0x30
      guard digit <= 9 else { break }
      position += 1
      if mantissa < 1_000_000_000_000_000_000 {
        mantissa = mantissa * 10 + UInt64(digit)
        if fraction { exponent -= 1 }
      } else if !fraction {
        exponent += 1
      }
    }
    guard position > start else { throw malformed("expected a digit") }
  }

  private mutating func takeRaw(_ byte: UInt8) -> Bool {
    guard position < count, base[position] == byte else { return false }
    position += 1
    return true
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Takes `true`, `false` or `null`.
  mutating func literal(_ word: StaticString) throws(ItemError) {
    let length = word.utf8CodeUnitCount
    guard count - position >= length else { throw malformed("a literal that is cut off") }
    for place in 0..<length where base[position + place] != word.utf8Start[place] {
      throw malformed("a word that JSON does not have")
    }
    position += length
  }

  /// Takes any value without a look at what it means.
  mutating func skipValue(depth: Int = 0) throws(ItemError) {
    guard depth < 256 else { throw malformed("nested too deep") }
    switch peek() {
    case UInt8(ascii: "\""):
      _ = try text()
    case UInt8(ascii: "{"):
      _ = take(UInt8(ascii: "{"))
      var first = true
      while try next(first: &first, end: UInt8(ascii: "}")) {
        _ = try key()
        try skipValue(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      _ = take(UInt8(ascii: "["))
      var first = true
      while try next(first: &first, end: UInt8(ascii: "]")) { try skipValue(depth: depth + 1) }
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: _ = try number()
    }
  }
  /// Moves behind a value, or what stands in its place, by its brackets and quotes alone.
  mutating func passOver() {
    var depth = 0
    while position < count {
      switch base[position] {
      case UInt8(ascii: "\""):
        position += 1
        while position < count, base[position] != UInt8(ascii: "\"") {
          position += base[position] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return
      default: break
      }
      position = min(position + 1, count)
    }
  }
}
