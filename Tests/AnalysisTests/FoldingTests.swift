// The laws of folding, over every scalar and over random text.

import Foundation
import LimelightAnalysis
import Testing

@Suite struct FoldingTests {
  @Test func foldingTwiceChangesNothingForEveryScalar() {
    var wrong: [UInt32] = []
    for value in 0...0x10_FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = Folding.fold(String(scalar))
      var twice: [UInt8] = []
      once.withUnsafeBytes { Folding.fold($0, into: &twice) }
      if once != twice { wrong.append(value) }
    }
    #expect(wrong.isEmpty)
  }

  @Test func canonicalSpellingsFoldAlikeForEveryScalar() {
    var wrong: [UInt32] = []
    for scalar in scalars {
      let text = String(scalar)
      let fold = Folding.fold(text)
      if fold != Folding.fold(text.decomposedStringWithCanonicalMapping)
        || fold != Folding.fold(text.precomposedStringWithCanonicalMapping)
      {
        wrong.append(scalar.value)
      }
    }
    #expect(wrong.isEmpty)
  }

  @Test func caseNeverMattersForEveryScalar() {
    // The iota subscript is an accent here, its capital a letter.
    let hasIota: (Unicode.Scalar) -> Bool = {
      String($0).decomposedStringWithCanonicalMapping.unicodeScalars.contains("\u{345}")
    }
    var wrong: [UInt32] = []
    for scalar in scalars where !hasIota(scalar) {
      let properties = scalar.properties
      let mapped = [
        properties.lowercaseMapping, properties.titlecaseMapping, properties.uppercaseMapping,
      ].filter { $0.unicodeScalars.allSatisfy(isOfVersion15) }
      if mapped.contains(where: { Folding.fold($0) != Folding.fold(String(scalar)) }) {
        wrong.append(scalar.value)
      }
    }
    #expect(wrong.isEmpty, "\(wrong.map { String($0, radix: 16) })")
  }

  @Test func lettersAndNumbersFoldToLettersNumbersAndMarks() {
    let isWord: (Unicode.Scalar) -> Bool = { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber:
        true
      default: false
      }
    }
    let isMark: (Unicode.Scalar) -> Bool = { scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: true
      default: false
      }
    }
    let wrong = scalars.filter { scalar in
      isWord(scalar)
        && !folded(String(scalar)).unicodeScalars.allSatisfy { isWord($0) || isMark($0) }
    }
    #expect(wrong.isEmpty)
  }

  /// Random strings of scalars that compose, reorder, vanish or expand.
  @Test func randomTextKeepsTheLaws() {
    let lively: [Unicode.Scalar] = scalars.filter { scalar in
      scalar.properties.canonicalCombiningClass != .notReordered
        || String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.count > 1
          && !(0xAC00...0xD7A3).contains(scalar.value)
    }
    // Without the old jamo behind each modern range, which Foundation takes for modern ones.
    let hangul = page(0xAC00, 0x1100).filter { ![0x1113, 0x1176, 0x11C3].contains($0.value) }
    let pages =
      hangul + page(0x00, 0x300, 0x600, 0x900, 0xB00, 0xC00, 0xE00, 0x1000, 0x3000, 0xFF00)
    var random = SplitMix(state: 7)
    for (alphabet, length) in [(lively, 10), (lively + pages, 30), (pages, 60), (hangul, 12)] {
      for _ in 0..<6000 {
        let text = random.text(of: alphabet, upTo: length)
        let fold = Folding.fold(text)
        let again = Folding.fold(String(decoding: fold, as: UTF8.self))
        let nfd = Folding.fold(text.decomposedStringWithCanonicalMapping)
        let nfc = Folding.fold(text.precomposedStringWithCanonicalMapping)
        let isLawful = fold == again && fold == nfd && fold == nfc
        #expect(isLawful, "\(text.unicodeScalars.map(\.value))")
      }
    }
  }

  /// A slow fold put together from the standard library and Foundation.
  @Test func agreesWithASlowFold() {
    let plain: [Unicode.Scalar: String] = [
      "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe",
      "ß": "ss", "ı": "i", "ς": "σ", "‘": "'", "’": "'", "‛": "'",
    ]
    func slow(_ scalar: Unicode.Scalar) -> String {
      var out = ""
      for one in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars {
        let category = one.properties.generalCategory
        let isVoicing = one.value == 0x3099 || one.value == 0x309A
        if (category == .nonspacingMark || category == .enclosingMark) && !isVoicing { continue }
        if one.properties.isDefaultIgnorableCodePoint || one == "ـ" { continue }
        for lower in one.properties.lowercaseMapping.unicodeScalars
        where lower.properties.generalCategory != .nonspacingMark || isVoicing {
          out += plain[lower] ?? String(lower)
        }
      }
      return out.precomposedStringWithCanonicalMapping
    }
    let tested = page(
      0x00, 0x100, 0x300, 0x400, 0x500, 0x600, 0x1E00, 0x1F00, 0x2C00, 0x3000, 0xA600, 0xAC00,
      0xD700, 0xF900, 0xFB00, 0xFC00, 0xFD00, 0xFE00, 0xFF00)
    var count = 0
    for scalar in tested where !(0xA6A0...0xA6FF).contains(scalar.value) {
      // Signs that are a mark on a space stay themselves; other policies of numbers and ligatures.
      let compatible = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
      let isPolicy =
        compatible.count > 1 && compatible.contains { " ⁄·ͺ".unicodeScalars.contains($0) }
      if isPolicy || scalar == "\u{37A}" { continue }
      #expect(folded(String(scalar)) == slow(scalar), "U+\(String(scalar.value, radix: 16))")
      count += 1
    }
    #expect(count > 3500)
  }

  @Test func examples() {
    #expect(folded("Crème BRÛLÉE 12") == "creme brulee 12")
    #expect(folded("½ ⑴ ⒈ ﷺ") == "½ 1 1 صلىاللهعليهوسلم")
    #expect(folded("क़") == "क\u{93C}" && folded("ড়") == "ড\u{9BC}")
    #expect(folded("\u{9C7}\u{9BE}") == "\u{9CB}")
    #expect(folded("é\u{200B}\u{200D}à") == "e\u{200B}a")
    #expect(folded("") == "" && folded("\u{301}") == "")
    #expect(
      folded(String(repeating: "ÀB", count: 100_000)) == String(repeating: "ab", count: 100_000))
  }

  @Test func invalidBytesFoldToReplacements() {
    var out: [UInt8] = [0x2A]
    let bytes: [UInt8] = [0x41, 0xFF, 0xE2, 0x82, 0x42, 0xED, 0xA0, 0x80]
    bytes.withUnsafeBytes { Folding.fold($0, into: &out) }
    #expect(String(decoding: out, as: UTF8.self) == "*a\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}")
  }

  @Test func thousandsOfMarksOnOneLetter() {
    let marks = String(repeating: "\u{E48}\u{E38}", count: 50_000)
    let sorted =
      String(repeating: "\u{E38}", count: 50_000) + String(repeating: "\u{E48}", count: 50_000)
    #expect(folded("ก" + marks + "x") == "ก" + sorted + "x")
    #expect(folded("e" + String(repeating: "\u{301}", count: 100_000) + "x") == "ex")
  }
}
