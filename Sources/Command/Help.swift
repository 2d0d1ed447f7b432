// The help that no single subcommand gives: the overview and the topics.

internal import Limelight

/// Help texts.
enum Help {
  /// What is asked for: a subcommand, a topic, or the overview when nothing is.
  static func page(_ name: String?) throws(Failure) -> String {
    guard let name else { return overview }
    if let subcommand = Subcommands.all.first(where: { $0.manual.name == name }) {
      return subcommand.manual.page
    }
    if let topic = topics.first(where: { $0.name == name }) { return topic.page() }
    let names = Subcommands.names + topics.map(\.name)
    throw .usage(
      "there is no help on '\(name)'\(Spelling.question(about: name, in: names))",
      hint: "there is help on: \(names.joined(separator: ", "))")
  }

  private static let topics: [(name: String, summary: String, page: @Sendable () -> String)] = [
    ("items", "what a line of an import holds", { items }),
    ("attributes", "the attributes that items can have", { attributes }),
    ("query", "what can be typed to search", { query }),
  ]

  static var overview: String {
    """
    limelight keeps items (titles, texts, dates, numbers) in an index, a folder on disk, and
    finds them while you type.

      limelight import notes.index notes.ndjson     put items into an index
      limelight search notes.index grocer milk      find them
      limelight browse notes.index                  find them as you type

    Subcommands:
    \(Columns.text(Subcommands.all.map { ($0.manual.name, $0.manual.summary) }))
    Topics:
    \(Columns.text(topics.map { ($0.name, $0.summary) }))
    'limelight help NAME' says more on each. '--json' has all answers in JSON.

    Exit status:
      0  done
      1  nothing found, or some items refused
      2  wrong use
      3  the index is missing, damaged or of another version
      4  another process writes to the index
      5  a file cannot be read or written

    """
  }

  private static let items = """
    Items: what a line of an import holds

    A line is an object in JSON. All members may be missing:

      id               what the item is called, up to 4,096 bytes; missing = a new UUID
      domain           a group: components with periods between, such as "mail.inbox"
      contentType      a uniform type identifier, such as "public.jpeg"
      expirationDate   when the item stops being found
      thumbnail        a picture, as base64
      attributes       an object of attributes and their values

    What an attribute takes follows from its kind ('limelight help attributes'):

      text             a string, a list of strings, or an object by language: {"en": "Tea"}
      number           a number
      bool             true, false, 1 or 0
      date             ISO 8601 ("2026-05-01T08:00:00Z") or seconds since 1970
      url, contentType a string
      data             bytes as base64
      persons          {"displayName": "Ada", "handles": ["ada@example.org"]}, or a list
      dictionary       an object of strings or lists of strings

    Any other name is an attribute of your own: text, a number or true/false, whatever its first
    value is; dates have to be declared (--attribute birthday:date). Texts of your own are found
    by queries that name them, unless they are declared as class 'default'.

    Lines from elsewhere: with --map body=textContent the member "body" is read as textContent,
    and members on the first level that are named like attributes are taken as such.

    """

  private static let query = """
    Queries: what can be typed to search

      coffee grinder     items that hold both words, in any attribute that is searched by default
      coffee grin        the last word may be a beginning: grinder, grinding
      "french press"     these words one after the other
      -decaf             not the items that hold this word; -"french press" works as well
      tea OR coffee      one of the two; binds closer than the space
      cafe               finds café, Café and CAFÉ: case and accents do not matter

    Nothing that is typed is an error; what holds no word is as if it were not there. Items come
    in the order of their score (BM25): rare words count more than frequent ones, words in a
    title more than words in a text, frequent mention more in a short item than in a long one.

    """

  private static var attributes: String {
    var page = "Attributes: what items can hold\n\n"
    page += "default: found by every search   named: found by queries that name it\n"
    page += "filter:  compared, for --range   none:  stored and shown\n"
    let definitions = AttributeTable.byID
    let width = definitions.map(\.name.count).max() ?? 0
    var category = ""
    for definition in definitions.sorted(by: { ($0.category, $0.name) < ($1.category, $1.name) }) {
      if definition.category != category {
        category = definition.category
        page += "\n\(category)\n"
      }
      let searchClass =
        definition.searchClass == .standard ? "default" : "\(definition.searchClass)"
      page += "  " + padded(definition.name, width) + "  " + padded("\(definition.kind)", 11)
      page += "  " + padded(searchClass, 7) + "  \(definition.meaning)\n"
    }
    return page
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
