// Moments as ISO 8601 text, read and written.

extension Timestamp {
  /// Reads an ISO 8601 date or date and time.
  ///
  /// `2024-02-29`, `2024-02-29T12:30`, `2024-02-29T12:30:59.123456+02:00`: the `T` may be small
  /// or a space, seconds may be missing, a fraction has one to nine digits (past the sixth they
  /// are cut off), the zone is `Z`, `±hh:mm`, `±hhmm` or `±hh`; without a zone the time is UTC.
  /// Years past 9999 or before 0 take a sign and six digits. Nil when the text is anything else
  /// or the calendar has no such day.
  public init?(iso8601 text: String) {
    var text = text
    let parsed = text.withUTF8 { Timestamp(iso8601: $0) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Reads an ISO 8601 date or date and time out of its bytes.
  package init?(iso8601 bytes: UnsafeBufferPointer<UInt8>) {
    var text = ISOText(bytes)
    guard let date = text.date() else { return nil }
    var microseconds: Int64 = 0
    if !text.atEnd {
      guard text.take("T") || text.take("t") || text.take(" "), let time = text.timeOfDay(),
        let offset = text.zone(), text.atEnd
      else { return nil }
      microseconds = time - offset
    }
    var days = date.daysSince1970
    if days < 0 {
      // The first moment that a timestamp can hold stands in a day that begins before it.
      days += 1
      microseconds -= 86_400_000_000
    }
    let (scaled, tooFar) = days.multipliedReportingOverflow(by: 86_400_000_000)
    let (sum, overflow) = scaled.addingReportingOverflow(microseconds)
    guard !tooFar, !overflow else { return nil }
    self.init(microseconds: sum)
  }

  /// The moment in ISO 8601 and UTC, with three or six digits of fraction where it has one.
  public var iso8601: String {
    let day: Int64 = 86_400_000_000
    var days = microseconds / day
    var rest = microseconds % day
    if rest < 0 {
      days -= 1
      rest += day
    }
    let date = CivilDate(daysSince1970: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    if (0...9999).contains(date.year) {
      bytes.appendDigits(date.year, 4)
    } else {
      bytes.append(UInt8(ascii: date.year < 0 ? "-" : "+"))
      bytes.appendDigits(abs(date.year), 6)
    }
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDigits(date.month, 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDigits(date.day, 2)
    bytes.append(UInt8(ascii: "T"))
    bytes.appendDigits(rest / 3_600_000_000, 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.appendDigits(rest / 60_000_000 % 60, 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.appendDigits(rest / 1_000_000 % 60, 2)
    let fraction = rest % 1_000_000
    if fraction != 0 {
      bytes.append(UInt8(ascii: "."))
      if fraction % 1_000 == 0 {
        bytes.appendDigits(fraction / 1_000, 3)
      } else {
        bytes.appendDigits(fraction, 6)
      }
    }
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A cursor over ISO 8601 text; each part returns nil where the text is not of its form.
private struct ISOText {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  var atEnd: Bool { position == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Exactly so many digits.
  mutating func digits(_ count: Int) -> Int64? {
    guard bytes.count - position >= count else { return nil }
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func digit() -> Int64? {
    guard position < bytes.count, bytes[position] &- 0x30 <= 9 else { return nil }
    position += 1
    return Int64(bytes[position - 1] - 0x30)
  }

  mutating func date() -> CivilDate? {
    var year: Int64?
    if take("+") {
      year = digits(6)
    } else if take("-") {
      year = digits(6).map { -$0 }
    } else {
      year = digits(4)
    }
    guard let year, take("-"), let month = digits(2), take("-"), let day = digits(2) else {
      return nil
    }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Microseconds since midnight.
  mutating func timeOfDay() -> Int64? {
    guard let hour = digits(2), hour < 24, take(":"), let minute = digits(2), minute < 60 else {
      return nil
    }
    var microseconds = (hour * 60 + minute) * 60_000_000
    guard take(":") else { return microseconds }
    guard let second = digits(2), second < 60 else { return nil }
    microseconds += second * 1_000_000
    guard take(".") || take(",") else { return microseconds }
    var unit: Int64 = 100_000
    var count = 0
    while let digit = digit() {
      microseconds += digit * unit
      unit /= 10
      count += 1
    }
    return (1...9).contains(count) ? microseconds : nil
  }

  /// Microseconds by which the zone is ahead of UTC.
  mutating func zone() -> Int64? {
    if atEnd || take("Z") || take("z") { return 0 }
    let sign: Int64
    if take("+") {
      sign = 1
    } else if take("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hours = digits(2), hours < 24 else { return nil }
    var minutes: Int64 = 0
    if !atEnd {
      _ = take(":")
      guard let read = digits(2), read < 60 else { return nil }
      minutes = read
    }
    return sign * (hours * 60 + minutes) * 60_000_000
  }
}

extension [UInt8] {
  /// Appends a number with leading zeros; digits beyond the width are left out.
  fileprivate mutating func appendDigits(_ value: Int64, _ width: Int) {
    var unit: Int64 = 1
    for _ in 1..<width { unit *= 10 }
    while unit > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / unit % 10))
      unit /= 10
    }
  }
}
