// The word boundary rules of UAX #29, read off the annex, for a part of the scalars.

/// The segments of a text that hold words.
///
/// Rule by rule with look-behind and look-ahead, in quadratic time for rows of marks: short texts.
struct OracleWordBreaks {
  private enum Class {
    case carriageReturn, lineFeed, newline, extend, joiner, format, indicator, katakana, hebrew
    case letter, singleQuote, doubleQuote, midNumLet, midLetter, midNum, number, lowLine, space
    case other
  }

  private let scalars: [Unicode.Scalar]
  private let classes: [Class]

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
    classes = scalars.map(Self.classify)
  }

  /// Where the words are: each from its segment's first letter, number, picture or low line on.
  var words: [Range<Int>] {
    var words: [Range<Int>] = []
    var start = 0
    for end in 1..<(scalars.count + 1) where end == scalars.count || isBoundary(end) {
      let segment = start..<end
      start = end
      guard segment.contains(where: { isWordLike($0) }),
        let first = segment.first(where: { isWordLike($0) || classes[$0] == .lowLine })
      else { continue }
      words.append(first..<segment.upperBound)
    }
    return words
  }

  private func isWordLike(_ index: Int) -> Bool {
    scalars[index].isLetterOrNumber || classes[index] == .indicator || isPicture(index)
  }

  private func isPicture(_ index: Int) -> Bool {
    scalars[index].value >= 0x2300 && scalars[index].properties.isEmoji
  }

  // MARK: Rules

  private func isBoundary(_ index: Int) -> Bool {
    let (last, next) = (classes[index - 1], classes[index])
    if last == .carriageReturn && next == .lineFeed { return false }  // WB3
    if isNewline(last) || isNewline(next) { return true }  // WB3a, WB3b
    if last == .joiner && isPicture(index) { return false }  // WB3c
    if last == .space && next == .space { return false }  // WB3d
    if isIgnored(next) { return false }  // WB4
    guard let before = significant(before: index) else { return true }
    let a = classes[before]
    let a0 = significant(before: before).map { classes[$0] } ?? .other
    let b1 = significant(after: index).map { classes[$0] } ?? .other
    switch (a, next) {
    case (.letter, .letter), (.letter, .hebrew), (.hebrew, .letter), (.hebrew, .hebrew):
      return false  // WB5
    case (.letter, .midLetter), (.letter, .midNumLet), (.letter, .singleQuote),
      (.hebrew, .midLetter), (.hebrew, .midNumLet):
      return !isLetter(b1)  // WB6
    case (.hebrew, .singleQuote):
      return false  // WB7a
    case (.midLetter, .letter), (.midLetter, .hebrew):
      return !isLetter(a0)  // WB7
    case (.midNumLet, .letter), (.midNumLet, .hebrew), (.singleQuote, .letter),
      (.singleQuote, .hebrew):
      return !isLetter(a0)  // WB7
    case (.hebrew, .doubleQuote):
      return b1 != .hebrew  // WB7b
    case (.doubleQuote, .hebrew):
      return a0 != .hebrew  // WB7c
    case (.number, .number), (.letter, .number), (.hebrew, .number), (.number, .letter),
      (.number, .hebrew):
      return false  // WB8 to WB10
    case (.midNum, .number), (.midNumLet, .number), (.singleQuote, .number):
      return a0 != .number  // WB11
    case (.number, .midNum), (.number, .midNumLet), (.number, .singleQuote):
      return b1 != .number  // WB12
    case (.katakana, .katakana):
      return false  // WB13
    case (.letter, .lowLine), (.hebrew, .lowLine), (.number, .lowLine), (.katakana, .lowLine),
      (.lowLine, .lowLine), (.lowLine, .letter), (.lowLine, .hebrew), (.lowLine, .number),
      (.lowLine, .katakana):
      return false  // WB13a, WB13b
    case (.indicator, .indicator):
      return indicators(endingAt: before) % 2 == 0  // WB15, WB16
    default:
      return true  // WB999
    }
  }

  private func isLetter(_ value: Class) -> Bool { value == .letter || value == .hebrew }

  private func isNewline(_ value: Class) -> Bool {
    value == .carriageReturn || value == .lineFeed || value == .newline
  }

  /// Whether WB4 passes over it.
  private func isIgnored(_ value: Class) -> Bool {
    value == .extend || value == .joiner || value == .format
  }

  /// The scalar before a place that counts; ignored ones count where nothing before them does.
  private func significant(before index: Int) -> Int? {
    var place = index - 1
    while place >= 0, isIgnored(classes[place]) {
      if place == 0 || isNewline(classes[place - 1]) { return place }
      place -= 1
    }
    return place >= 0 ? place : nil
  }

  private func significant(after index: Int) -> Int? {
    var place = index + 1
    while place < classes.count, isIgnored(classes[place]) { place += 1 }
    return place < classes.count ? place : nil
  }

  private func indicators(endingAt index: Int) -> Int {
    var count = 0
    var place: Int? = index
    while let here = place, classes[here] == .indicator {
      count += 1
      place = significant(before: here)
    }
    return count
  }

  // MARK: Classes

  private static func classify(_ scalar: Unicode.Scalar) -> Class {
    switch scalar {
    case "a"..."z", "A"..."Z": return .letter
    case "0"..."9", "\u{FF10}"..."\u{FF19}": return .number
    case "\r": return .carriageReturn
    case "\n": return .lineFeed
    case "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": return .newline
    case "'": return .singleQuote
    case "\"": return .doubleQuote
    case ".", "\u{2018}", "\u{2019}": return .midNumLet
    case ":", "\u{B7}": return .midLetter
    case ",", ";": return .midNum
    case "_": return .lowLine
    case " ", "\u{3000}": return .space
    case "\u{200D}": return .joiner
    case "\u{200B}": return .other
    case "\u{1F1E6}"..."\u{1F1FF}": return .indicator
    case "\u{5D0}"..."\u{5EA}": return .hebrew
    case "\u{30A1}"..."\u{30FA}", "\u{30FC}"..."\u{30FE}", "\u{FF66}"..."\u{FF9D}":
      return .katakana
    case "\u{3041}"..."\u{3096}": return .other  // each hiragana stands alone
    default: break
    }
    if scalar.isASCII { return .other }
    if scalar.isMark || scalar == "\u{FF9E}" || scalar == "\u{FF9F}" { return .extend }
    let properties = scalar.properties
    if properties.generalCategory == .format { return .format }
    if properties.isIdeographic { return .other }
    return properties.isAlphabetic ? .letter : .other
  }
}
