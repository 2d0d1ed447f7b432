// What a command says about itself: its options, and its page of help.

/// An option, written out: `--items 10` or `--items=10`.
struct Option: Hashable {
  /// The name without its dashes.
  let name: String
  /// What the page calls its value; nil: it takes none.
  let value: String?
  let meaning: String
  /// Whether it may stand several times.
  var repeats = false

  var form: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

  static let help = Option(name: "help", value: nil, meaning: "show this help")
}

/// An operand.
struct Operand {
  let name: String
  var isOptional = false
  var repeats = false

  var form: String {
    let form = repeats ? "\(name)..." : name
    return isOptional ? "[\(form)]" : form
  }
}

/// The manual of a command.
struct Manual {
  let name: String
  let summary: String
  let operands: [Operand]
  let options: [Option]
  /// How it behaves, as paragraphs.
  let details: String
  /// A call to learn from.
  let example: String

  var allOptions: [Option] { options + [.help] }

  var synopsis: String {
    (["limelight-bench", name] + operands.map(\.form) + ["[OPTIONS]"]).joined(separator: " ")
  }

  /// The whole page.
  var page: String {
    """
    limelight-bench \(name): \(summary)

      \(synopsis)

    \(details)

    Options:
    \(Manual.columns(allOptions.map { ($0.form, $0.meaning) }))
    Example:
      \(example)

    """
  }

  /// Lines of two columns.
  static func columns(_ rows: [(left: String, right: String)]) -> String {
    let width = rows.map(\.left.count).max() ?? 0
    return rows.map { row in
      "  \(row.left)\(String(repeating: " ", count: width - row.left.count))  \(row.right)\n"
    }.joined()
  }
}
