// The piece of a long text in which the first found word stands.

/// Short pieces of long texts.
enum Excerpt {
  /// Bytes of the text shown before the first mark.
  private static let lead = 48

  /// A piece of about so many bytes around the first mark, or the beginning without any.
  ///
  /// It starts and ends between words where these are near. Only the piece itself is looked at,
  /// so a text of megabytes costs no more than a short one.
  static func make(_ marked: MarkedText, bytes budget: Int) -> MarkedText {
    let utf8 = Array(marked.text.utf8)
    if utf8.count <= budget { return marked }
    let firstMark = marked.marks.first?.lowerBound ?? 0
    var start = firstMark <= budget / 2 ? 0 : max(0, firstMark - lead)
    if start > 0 { start = boundary(in: utf8, from: start, towards: firstMark) }
    var end = min(utf8.count, start + budget)
    if end < utf8.count { end = boundaryBackwards(in: utf8, from: end, limit: end - 24) }
    let before = start > 0 ? "…" : ""
    let after = end < utf8.count ? "…" : ""
    let shift = before.utf8.count - start
    let marks = marked.marks.filter { $0.lowerBound >= start && $0.upperBound <= end }
    return MarkedText(
      text: before + String(decoding: utf8[start..<end], as: UTF8.self) + after,
      marks: marks.map { $0.lowerBound + shift..<$0.upperBound + shift })
  }

  /// The place behind the next space before `limit`, else the next one between two scalars.
  private static func boundary(in utf8: [UInt8], from start: Int, towards limit: Int) -> Int {
    if let space = utf8[start..<limit].firstIndex(where: isSpace) { return space + 1 }
    return utf8[start..<limit].firstIndex { !isContinuation($0) } ?? limit
  }

  /// The place of the last space behind `limit`, else the last one between two scalars.
  private static func boundaryBackwards(in utf8: [UInt8], from end: Int, limit: Int) -> Int {
    if let space = utf8[max(0, limit)..<end].lastIndex(where: isSpace) { return space }
    var end = end
    while end > 0, isContinuation(utf8[end]) { end -= 1 }
    return end
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
