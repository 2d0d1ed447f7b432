// Numbers as people read them.

/// Figures for tables and charts; no figure depends on a locale.
enum Figures {
  /// The number with a comma after each group of three digits.
  static func grouped(_ number: Int) -> String {
    var text = ""
    let digits = String(number.magnitude)
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.utf8.count - place) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return number < 0 ? "-" + text : text
  }

  /// The number with so many digits behind the period.
  static func decimal(_ number: Double, digits: Int) -> String {
    guard number.isFinite, number.magnitude < 1e15 else { return "-" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((number.magnitude * Double(scale)).rounded())
    let sign = number < 0 && scaled > 0 ? "-" : ""
    let whole = grouped(scaled / scale)
    if digits == 0 { return sign + whole }
    let fraction = String(scaled % scale)
    return sign + whole + "." + String(repeating: "0", count: digits - fraction.utf8.count)
      + fraction
  }

  /// The number with three digits that count, or all of those in front of the period.
  static func short(_ number: Double) -> String {
    let size = number.magnitude
    return decimal(number, digits: size < 0.995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0)
  }

  /// A time given in microseconds, in the unit that suits it.
  static func time(_ microseconds: Double) -> String {
    switch microseconds {
    case ..<999.5: "\(short(microseconds)) µs"
    case ..<999_500: "\(short(microseconds / 1e3)) ms"
    default: "\(short(microseconds / 1e6)) s"
    }
  }

  /// A size in the unit that suits it; units are powers of 1,000.
  static func size(_ bytes: Int) -> String {
    switch Double(bytes) {
    case ..<1e3: "\(bytes) B"
    case ..<999_500: "\(short(Double(bytes) / 1e3)) kB"
    case ..<999_500_000: "\(short(Double(bytes) / 1e6)) MB"
    default: "\(short(Double(bytes) / 1e9)) GB"
    }
  }

  /// The number and its noun: 1 item, 2 items.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A number of items in few letters: 10k, 1M.
  static func magnitude(_ number: Int) -> String {
    if number >= 1_000_000, number % 100_000 == 0 {
      return number % 1_000_000 == 0
        ? "\(number / 1_000_000)M" : decimal(Double(number) / 1e6, digits: 1) + "M"
    }
    return number >= 1_000 && number % 1_000 == 0 ? "\(number / 1_000)k" : grouped(number)
  }
}
