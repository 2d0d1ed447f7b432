// What a subcommand says about itself, and how that is shown.

/// An operand of a subcommand.
struct Operand {
  let name: String
  var isOptional = false
  var repeats = false

  /// The operand as the synopsis shows it.
  var form: String {
    let form = repeats ? "\(name)..." : name
    return isOptional ? "[\(form)]" : form
  }

  static let index = Operand(name: "INDEX")
}

/// The manual of a subcommand: what it is called with, and what it does.
struct Manual {
  let name: String
  /// What it does, in a few words.
  let summary: String
  let operands: [Operand]
  let options: [Option]
  /// Whether a word with one dash is an operand.
  var takesDashedWords = false
  /// How it behaves, as paragraphs.
  let details: String
  /// Calls to learn from, with what they do.
  let examples: [(call: String, effect: String)]

  /// The options with those that every subcommand has.
  var allOptions: [Option] { options + [.help] }

  /// The form of a call in one line.
  var synopsis: String {
    (["limelight", name] + operands.map(\.form) + ["[OPTIONS]"]).joined(separator: " ")
  }

  /// The whole page.
  var page: String {
    var page = "limelight \(name): \(summary)\n\n  \(synopsis)\n\n\(details)\n\nOptions:\n"
    page += Columns.text(allOptions.map { ($0.form, $0.meaning) })
    page += "\nExamples:\n"
    for example in examples {
      page += "  \(example.call)\n      \(example.effect)\n"
    }
    return page
  }
}

/// Texts in two columns.
enum Columns {
  /// Lines of a left text and a right one, indented and aligned.
  static func text(_ rows: [(left: String, right: String)]) -> String {
    let width = min(30, rows.map(\.left.count).max() ?? 0)
    var text = ""
    for row in rows {
      let padding = String(repeating: " ", count: max(0, width - row.left.count))
      text += "  \(row.left)\(padding)  \(row.right)\n"
    }
    return text
  }
}
