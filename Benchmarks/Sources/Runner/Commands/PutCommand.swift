// limelight-bench put: puts items one by one, from one thread and from many.

internal import Limelight

/// Measures puts of one item each.
enum PutCommand: BenchmarkCommand {
  static let manual = Manual(
    name: "put", summary: "put items one by one: puts/s by callers and level of durability",
    operands: [Operand(name: "DIR")],
    options: [
      Option(name: "threads", value: "LIST", meaning: "numbers of callers; 1,4,16,64 if not given"),
      Option(
        name: "durability", value: "LIST",
        meaning: "levels; full,journaled,relaxed if not given"),
      Option(name: "seconds", value: "N", meaning: "how long each run takes; 3 if not given"),
      Option(name: "seed", value: "S", meaning: "which made items; 1 if not given"),
      Option(
        name: "json", value: "FILE", meaning: "write the figures as JSON as well; - for only that"),
    ],
    details: """
      DIR is a folder on the disk that is to be measured; it is made when it is missing, and the indexes
      in it go again. Every caller is a thread that puts one made item after the other into the one index
      of its run, as a line of JSON. How often the disk syncs an append without any index is measured
      first.
      """,
    example: "limelight-bench put /var/tmp/puts --threads 1,16 --seconds 5")

  static func run(_ arguments: Arguments) throws {
    let run = PutRun(
      folder: arguments.operands[0], levels: try levels(arguments),
      threads: try threads(arguments),
      seconds: Double(try arguments.number("seconds", to: 3_600) ?? 3),
      seed: try arguments.seed())
    try Commands.finish(.put(try run.run()), arguments)
  }

  private static func levels(_ arguments: Arguments) throws -> [Durability] {
    guard let text = arguments.value("durability") else { return Durability.allCases }
    return try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let level = Durability(rawValue: String(name)) else {
        let all = Durability.allCases.map(\.rawValue).joined(separator: ", ")
        throw arguments.misuse("there is no level '\(name)'; there are: \(all)")
      }
      return level
    }
  }

  private static func threads(_ arguments: Arguments) throws -> [Int] {
    guard let text = arguments.value("threads") else { return [1, 4, 16, 64] }
    return try text.split(separator: ",", omittingEmptySubsequences: false).map { number in
      guard let count = Int(number), (1...1_024).contains(count) else {
        throw arguments.misuse("--threads wants whole numbers from 1 to 1024, not '\(number)'")
      }
      return count
    }
  }
}
