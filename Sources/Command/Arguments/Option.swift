// What an option is called, what it takes and what it means.

/// An option of the command line, always written out: `--limit 10` or `--limit=10`.
struct Option: Hashable {
  /// What follows the option's name.
  enum Takes: Hashable {
    /// Nothing: the option is a switch.
    case nothing
    /// A value, which the manual calls by this name.
    case value(String)
    /// A value behind an equals sign, or nothing.
    case optionalValue(String)
  }

  /// The name without its dashes.
  let name: String
  let takes: Takes
  /// Whether the option may stand several times.
  let repeats: Bool
  /// What it does, in a few words for the manual.
  let meaning: String

  init(_ name: String, takes: Takes = .nothing, repeats: Bool = false, _ meaning: String) {
    self.name = name
    self.takes = takes
    self.repeats = repeats
    self.meaning = meaning
  }

  /// The option as the manual shows it.
  var form: String {
    switch takes {
    case .nothing: "--\(name)"
    case .value(let value): "--\(name) \(value)"
    case .optionalValue(let value): "--\(name)[=\(value)]"
    }
  }
}

/// Options that several subcommands have.
extension Option {
  static let help = Option("help", "show this help")
  static let json = Option("json", "answer in JSON")
  static let soleWriter = Option(
    "sole-writer", "no other process writes to the index: for file systems without locks")
  static let domain = Option(
    "domain", takes: .value("DOMAIN"), "only this domain and those below it: mail takes mail.inbox")
}
