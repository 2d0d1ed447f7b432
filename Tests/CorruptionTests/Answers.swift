// What an index answers to a fixed set of questions.

import Limelight

/// The answer to one question, or the code of the error instead of it.
enum Answer: Equatable {
  case found([String])
  case refused(LimelightError.Code)
}

/// All questions and their answers.
struct Answers: Equatable {
  private(set) var answers: [Answer]

  private static let texts = [
    "common", "cafe", "quick bro", "\"brown fox\"", "common -alpha", "w3 OR w31", "number1", "zzz",
  ]

  // Made anew each time: the leak checker does not see what a global of such values refers to.
  private static var queries: [Query] {
    [
      .term("common"), .prefix("w"), .phrase("quick brown"), .fuzzy("comon", distance: 1),
      .term("green", in: Attribute("colour")), .domain("mail"), .equals(.allDay, true),
      .between(.pageCount, 1, 4), .has(Attribute("due")), .everything, .not(.term("common")),
      .atLeast(Attribute("colour"), "green 2"),
      .boolean(must: [.term("common")], should: [.prefix("numb")], not: [.domain("notes")]),
    ]
  }

  /// Asks everything.
  init(of index: Index) {
    answers = [
      Self.ask { try index.ids() },
      Self.ask { try index.ids(domain: "mail", after: nil, limit: 5) },
      Self.ask { ["\(try index.count)"] },
      Self.ask { try Self.items(index) },
      Self.ask { try Self.numbers(index) },
      Self.ask { try Self.highlights(index) },
    ]
    for text in Self.texts {
      answers.append(
        Self.ask { try Self.lines(of: try index.search(text, limit: 20), try index.count(text)) })
    }
    for query in Self.queries {
      answers.append(
        Self.ask { try Self.lines(of: try index.search(query, limit: 20), try index.count(query)) })
    }
  }

  private static func ask(_ question: () throws -> [String]) -> Answer {
    do {
      return .found(try question())
    } catch let error as LimelightError {
      return .refused(error.code)
    } catch {
      return .found(["an error of another type: \(error)"])
    }
  }

  private static func items(_ index: Index) throws -> [String] {
    try ["r1", "r2", "p1", "p2", "p3", "none"].map { id in
      try index.get(id).map { String(decoding: $0.jsonLine(), as: UTF8.self) } ?? "no \(id)"
    }
  }

  private static func numbers(_ index: Index) throws -> [String] {
    let stats = try index.stats()
    return ["\(stats.items)"] + stats.domains.map { "\($0.domain) \($0.items)" }
      + stats.attributes.map { "\($0.name) \($0.tokens) \($0.values)" }
  }

  private static func highlights(_ index: Index) throws -> [String] {
    try index.search("quick common", limit: 2).map { hit in
      let highlights = try hit.highlights().map { "\($0.valueIndex) \($0.ranges)" }
      return "\(try hit.id) \(highlights)"
    }
  }

  /// Hits with their scores.
  private static func lines(of results: Results, _ count: Int) throws -> [String] {
    try ["\(results.total) \(count)"]
      + results.map { "\(try $0.id) \($0.score.bitPattern)" }
  }

  /// The codes of all errors.
  var refusals: Set<LimelightError.Code> {
    Set(
      answers.compactMap { answer in
        if case .refused(let code) = answer { return code }
        return nil
      })
  }

  /// The places of answers that are neither as in `truth` nor errors.
  func lies(against truth: Answers) -> [Int] {
    answers.indices.filter { place in
      if case .refused = answers[place] { return false }
      return answers[place] != truth.answers[place]
    }
  }
}
