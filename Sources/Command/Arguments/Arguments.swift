// The arguments of one call, read and checked against the subcommand's manual.

/// The operands and options that a subcommand was called with.
struct Arguments {
  /// What is no option: the index, files, words, in their order.
  var operands: [String] = []
  fileprivate(set) var values: [Option: [String]] = [:]

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { values[option] != nil }

  /// The option's value, or nil when it was not given or stands without one.
  func value(of option: Option) -> String? { values[option]?.last }

  /// All values of an option that may stand several times.
  func values(of option: Option) -> [String] { values[option] ?? [] }

  /// The option's value as a whole number within the range, or nil when it was not given.
  func number(of option: Option, in range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let text = value(of: option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw .usage("--\(option.name) wants a whole number \(bounds), not '\(text)'")
    }
    return number
  }

  /// Takes note of an option; a switch has no value.
  mutating func set(_ option: Option, to value: String?) {
    values[option, default: []] += value.map { [$0] } ?? []
  }
}
