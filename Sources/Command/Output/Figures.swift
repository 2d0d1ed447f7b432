// Numbers as people read them.

/// Figures for people: grouped digits, sizes, rates and times.
enum Figures {
  /// The number with a comma after each group of three digits.
  static func grouped(_ number: Int) -> String {
    var text = ""
    let digits = Array(String(number.magnitude))
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
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
    return sign + whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// A time in the unit that suits it.
  static func time(microseconds: Int) -> String {
    switch microseconds {
    case ..<1_000: "\(microseconds) µs"
    case ..<100_000: "\(decimal(Double(microseconds) / 1_000, digits: 2)) ms"
    case ..<1_000_000: "\(decimal(Double(microseconds) / 1_000, digits: 0)) ms"
    default: "\(decimal(Double(microseconds) / 1_000_000, digits: 1)) s"
    }
  }

  /// A size in the unit that suits it; units are powers of 1,000.
  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1_000: "\(bytes) B"
    case ..<1_000_000: "\(decimal(Double(bytes) / 1e3, digits: 1)) kB"
    case ..<1_000_000_000: "\(decimal(Double(bytes) / 1e6, digits: 1)) MB"
    default: "\(decimal(Double(bytes) / 1e9, digits: 2)) GB"
    }
  }

  /// The number and its noun: 1 item, 2 items.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
