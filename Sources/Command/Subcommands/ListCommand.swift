// limelight list: the ids or the items of an index, in the order of their arrival.

internal import Limelight

enum ListCommand: Subcommand {
  private static let limit = Option("limit", takes: .value("N"), "at most so many (all)")
  private static let after = Option("after", takes: .value("ID"), "only those behind this id")

  static let manual = Manual(
    name: "list", summary: "print all ids, or all items",
    operands: [.index], options: [.domain, after, limit, .json],
    details: """
      Ids are printed one on a line, in the order in which the items arrived. With --json, whole items are,
      as lines that 'limelight import' takes: the way to copy or convert an index.
      The exit status is 1 when there are none.
      """,
    examples: [
      ("limelight list notes.index --domain notes.work", "the ids of a domain"),
      (
        "limelight list old.index --json | limelight import new.index -",
        "copy all items to another index"
      ),
    ])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let limit = try arguments.number(of: limit, in: 0...Int.max) ?? .max
    let isJSON = arguments.has(.json)
    let index = try openForReading(arguments.operands[0])
    let ids = try index.ids(
      domain: arguments.value(of: .domain), after: arguments.value(of: after), limit: limit)
    for id in ids {
      if !isJSON {
        try output.line(id)
      } else if let item = try index.get(id) {
        try output.write(ItemJSON.write(item) + [UInt8(ascii: "\n")])
      }
    }
    return ids.isEmpty && limit > 0 ? .partial : .done
  }
}
