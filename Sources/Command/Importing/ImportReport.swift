// What an import did, for people and in JSON.

internal import Limelight

/// What became of the lines of an import.
struct ImportReport {
  /// A line that gave no item, and why.
  struct RefusedLine {
    /// The number of the line over all inputs.
    var line: Int
    var id: String?
    var error: ItemError
  }

  var put = 0
  var refused: [RefusedLine] = []
  var bytes = 0
  var seconds = 0.0

  var lines: Int { put + refused.count }

  /// Takes in what a batch gave.
  mutating func add(put: Int, refused: [Refusal]) {
    self.put += put
    self.refused += refused.map {
      RefusedLine(line: $0.line ?? $0.position + 1, id: $0.id, error: $0.error)
    }
  }

  /// Takes in the lines that were passed over because no item is that long.
  mutating func add(oversizedLines: [Int]) {
    refused += oversizedLines.map {
      RefusedLine(
        line: $0, id: nil,
        error: ItemError(.itemTooLarge, message: "the line is longer than any item can be"))
    }
    refused.sort { $0.line < $1.line }
  }

  /// The report in JSON; with several inputs, each refused line names its file.
  func json(_ source: LineSource) -> JSONText {
    var json = JSONText()
    json.object { json in
      json.key("lines")
      json.number(lines)
      json.key("put")
      json.number(put)
      json.key("refused")
      json.array(of: refused) { json, refusal in
        let place = source.place(ofLine: refusal.line)
        json.object { json in
          if source.hasSeveralInputs {
            json.key("file")
            json.text(place.path)
          }
          json.key("line")
          json.number(place.line)
          json.key("id")
          json.text(refusal.id)
          json.key("attribute")
          json.text(refusal.error.attribute)
          json.key("code")
          json.text(refusal.error.code.rawValue)
          json.key("message")
          json.text(refusal.error.message)
        }
      }
      json.key("seconds")
      json.number(seconds)
    }
    return json
  }

  /// The report in one line.
  var summary: String {
    var text = "imported \(Figures.count(put, "item"))"
    text += " in \(Figures.decimal(seconds, digits: 2)) s"
    if put > 0, seconds > 0 {
      text += ": \(Figures.decimal(Double(put) / seconds, digits: 0)) items/s"
      text += ", \(Figures.decimal(Double(bytes) / 1e6 / seconds, digits: 1)) MB/s"
    }
    if !refused.isEmpty { text += "; refused \(Figures.count(refused.count, "line"))" }
    return text
  }

  /// The first refused lines, each on a line of its own.
  func complaints(_ source: LineSource) -> String {
    let shown = 10
    var text = ""
    for refusal in refused.prefix(shown) {
      let place = source.place(ofLine: refusal.line)
      let id = refusal.id.map { " \($0):" } ?? ""
      text += "limelight: \(place.path):\(place.line):\(id) \(refusal.error)\n"
    }
    if refused.count > shown {
      text += "limelight: and \(Figures.grouped(refused.count - shown)) more; --json lists all\n"
    }
    return TextPainter.harmlessLines(text)
  }
}
