// How something that is wrong with an index is told.

internal import Limelight

extension Problem {
  /// The problem in one line.
  var line: String {
    let section = section.map { ", section \($0)" } ?? ""
    let offset = offset.map { ", at byte \($0)" } ?? ""
    return "\(file)\(section)\(offset): \(message) (\(code.rawValue))"
  }
}

extension JSONText {
  /// Writes a problem as an object.
  mutating func problem(_ problem: Problem) {
    object { json in
      json.key("file")
      json.text(problem.file)
      json.key("section")
      json.text(problem.section)
      json.key("offset")
      json.number(problem.offset)
      json.key("code")
      json.text(problem.code.rawValue)
      json.key("message")
      json.text(problem.message)
    }
  }
}
