// Writes the parts of a line into memory that is large enough.

/// A place in memory to which text is appended.
///
/// The owner sees to it that there is room: nothing is checked here.
struct LineWriter {
  private var place: UnsafeMutablePointer<UInt8>
  private let letters: UnsafePointer<UInt8>
  private let starts: UnsafePointer<UInt32>

  /// Writes from a place on, with the words of a vocabulary.
  init(
    _ place: UnsafeMutablePointer<UInt8>, letters: UnsafePointer<UInt8>,
    starts: UnsafePointer<UInt32>
  ) {
    self.place = place
    self.letters = letters
    self.starts = starts
  }

  /// How much was written behind an earlier place.
  func count(since start: UnsafeMutablePointer<UInt8>) -> Int { place - start }

  mutating func text(_ text: StaticString) {
    place.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    place += text.utf8CodeUnitCount
  }

  mutating func byte(_ byte: UInt8) {
    place.pointee = byte
    place += 1
  }

  /// A word by its rank, perhaps with a capital: a letter of ASCII, as all words begin with one.
  mutating func word(_ rank: Int, isCapital: Bool = false) {
    let start = Int(starts[rank])
    let count = Int(starts[rank + 1]) - start
    place.update(from: letters + start, count: count)
    if isCapital { place.pointee &-= 32 }
    place += count
  }

  /// A number in decimal digits, with zeros in front up to a width.
  mutating func number(_ number: Int, width: Int = 1) {
    var limit = 1
    var digits = 1
    while digits < width || number / limit >= 10 {
      limit *= 10
      digits += 1
    }
    var rest = number
    while limit > 0 {
      byte(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / limit))
      rest %= limit
      limit /= 10
    }
  }

  /// A word of 64 bits in 16 hexadecimal digits.
  mutating func hexadecimal(_ word: UInt64) {
    var shift: UInt64 = 64
    while shift > 0 {
      shift -= 4
      let digit = UInt8(truncatingIfNeeded: word >> shift & 15)
      byte(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit)
    }
  }

  /// A moment in ISO 8601, from seconds since 1970.
  mutating func date(_ seconds: Int) {
    let (year, month, day) = Self.civil(days: seconds / 86_400)
    number(year, width: 4)
    byte(UInt8(ascii: "-"))
    number(month, width: 2)
    byte(UInt8(ascii: "-"))
    number(day, width: 2)
    byte(UInt8(ascii: "T"))
    number(seconds % 86_400 / 3_600, width: 2)
    byte(UInt8(ascii: ":"))
    number(seconds % 3_600 / 60, width: 2)
    byte(UInt8(ascii: ":"))
    number(seconds % 60, width: 2)
    byte(UInt8(ascii: "Z"))
  }

  /// The Gregorian date of a day, counted from the first of January 1970.
  ///
  /// Counts in eras of 400 years, all of 146,097 days, with years that begin in March: so the leap day is
  /// the last of its year.
  static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }
}
