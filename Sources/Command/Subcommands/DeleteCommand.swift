// limelight delete: items by id, by domain, or all.

internal import Limelight

enum DeleteCommand: Subcommand {
  private static let all = Option("all", "delete all items")

  static let manual = Manual(
    name: "delete", summary: "delete items by id, by domain, or all",
    operands: [.index, Operand(name: "ID", isOptional: true, repeats: true)],
    options: [.domain, all, .soleWriter, .json],
    details: """
      Give ids, --domain or --all. When the command returns, the items are gone for every search,
      and stay so.
      The exit status is 1 when there was nothing to delete.
      """,
    examples: [
      ("limelight delete notes.index 42 43", "delete two items"),
      ("limelight delete notes.index --domain notes.work", "delete a domain and those below it"),
    ])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let ids = Array(arguments.operands.dropFirst())
    let domain = arguments.value(of: .domain)
    let ways = [!ids.isEmpty, domain != nil, arguments.has(all)].filter { $0 }.count
    guard ways == 1 else {
      throw Failure.usage(
        "give what to delete in one way: ids, --domain or --all",
        hint: "usage: \(manual.synopsis)")
    }
    let index = try openForWriting(arguments)
    let receipt =
      if let domain {
        try index.delete(domain: domain)
      } else if ids.isEmpty {
        try index.deleteAll()
      } else {
        try index.delete(ids: ids)
      }
    try index.close()

    if arguments.has(.json) {
      var json = JSONText()
      json.object { json in
        json.key("deleted")
        json.number(receipt.deleted)
        json.key("generation")
        json.number(receipt.generation)
      }
      try output.write(json.line)
    } else {
      try output.line("deleted \(Figures.count(receipt.deleted, "item"))")
    }
    return receipt.deleted == 0 ? .partial : .done
  }
}
