// limelight get: items by their ids.

internal import Limelight

enum GetCommand: Subcommand {
  static let manual = Manual(
    name: "get", summary: "print items by their ids",
    operands: [.index, Operand(name: "ID", repeats: true)], options: [.json],
    details: """
      Each item is printed as the line of JSON that 'limelight import' would take, so that what
      comes out can go in again; --json changes nothing.
      The exit status is 1 when an id is not there.
      """,
    examples: [("limelight get notes.index 42", "print the item whose id is 42")])

  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode {
    let index = try openForReading(arguments.operands[0])
    var code = ExitCode.done
    for id in arguments.operands.dropFirst() {
      if let item = try index.get(id) {
        try output.write(ItemJSON.write(item) + [UInt8(ascii: "\n")])
      } else {
        writeError("limelight: there is no item '\(TextPainter.harmless(id))'\n")
        code = .partial
      }
    }
    return code
  }
}
