// What the index of a fixture has to answer, as lines of text.

package import Limelight
import LimelightIndexing
import LimelightSnapshots
import LimelightStorage

/// A fixed set of questions.
package enum FixtureAnswers {
  private static let texts = [
    "common", "seldom", "cafe rich", "quick bro", "\"brown fox\"", "common -seldom", "w3 OR w31",
    "number1", "round2", "round3", "strasse", "zzz",
  ]

  private static var queries: [(name: String, query: Query)] {
    [
      ("term seldom", .term("seldom")), ("prefix w1", .prefix("w1")),
      ("phrase the quick", .phrase("the quick")), ("near comon", .fuzzy("comon", distance: 1)),
      ("title cafe", .term("cafe", in: .title)), ("keywords gamma", .term("gamma", in: .keywords)),
      ("colour green", .term("green", in: Attribute("colour"))), ("mail", .domain("mail")),
      ("all day", .equals(.allDay, true)), ("pages 1 to 4", .between(.pageCount, 1, 4)),
      ("colour from green 2", .atLeast(Attribute("colour"), "green 2")),
      ("due", .has(Attribute("due"))), ("not common", .not(.term("common"))),
      (
        "rich but not so coloured",
        .boolean(must: [.term("rich")], should: [.prefix("numb")], not: [.domain("notes.rich1")])
      ),
    ]
  }

  private static let ids = [
    "load/0", "load/1", "load/20", "load/21", "load/500", "load/5000", "rich/0", "rich/3", "rich/4",
    "rich/5", "late/1", "late/5", "none",
  ]

  /// Asks the index of a folder everything; scores in millionths.
  package static func lines(ofIndexIn path: String) throws -> [String] {
    let index = try Index(path, access: .readOnly)
    return try lines(of: index) + ["state: \(clientState(path))"]
  }

  /// The same but for what the host left.
  package static func lines(of index: Index) throws -> [String] {
    var lines = ["items: \(try index.count)"]
    lines += try index.ids().map { "id: \($0)" }.sorted()
    for id in ids {
      let item = try index.get(id).map { String(decoding: $0.jsonLine(), as: UTF8.self) }
      lines.append("item \(id): \(trimmed(item ?? "not there"))")
    }
    for text in texts {
      lines.append("typed \(text): \(try list(index.search(text, limit: 12)))")
      lines.append("typed \(text), counted: \(try index.count(text))")
    }
    for (name, query) in queries {
      lines.append("query \(name): \(try list(index.search(query, limit: 12)))")
      lines.append("query \(name), counted: \(try index.count(query))")
    }
    return lines
  }

  private static func list(_ results: Results) throws -> String {
    try results.map { "\(try $0.id) \(Int(($0.score * 1_000_000).rounded()))" }
      .joined(separator: ", ")
  }

  private static func trimmed(_ line: String) -> String {
    line.hasSuffix("\n") ? String(line.dropLast()) : line
  }

  private static func clientState(_ path: String) throws -> String {
    let root = try IndexFollower(try Folder.open(path: path, create: false)).refresh()
    return String(decoding: root.snapshot.clientState ?? [], as: UTF8.self)
  }
}
