// Bytes that mean harm: random, broken, huge.

import LimelightAnalysis
import Testing

@Suite struct HostileTextTests {
  private static let shards: [UInt8] = [0x61, 0x27, 0xC3, 0xA9, 0xE0, 0xED, 0xF0, 0x90]

  @Test(arguments: Analyzer.allCases)
  func randomBytes(_ kind: Analyzer) {
    var random = SplitMix(state: 1)
    let buffer = TokenBuffer()
    for round in 0..<4000 {
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ -> UInt8 in
        switch round % 4 {
        case 0: return UInt8.random(in: 0...255, using: &random)
        case 1: return UInt8.random(in: 0x20...0x9F, using: &random)
        case 2: return UInt8.random(in: 0x80...0xFF, using: &random)
        default: return Self.shards.randomElement(using: &random) ?? 0
        }
      }
      expectSound(kind, bytes, buffer)
    }
  }

  @Test(arguments: Analyzer.allCases)
  func brokenText(_ kind: Analyzer) {
    var random = SplitMix(state: 2)
    let buffer = TokenBuffer()
    let alphabet =
      page(0x00, 0x300, 0x600, 0x900, 0x1100, 0x3000, 0x1F600)
      + Array("  ''..ab1_\u{200D}ｶﾞ학".unicodeScalars)
    for _ in 0..<4000 {
      var bytes = Array(random.text(of: alphabet, upTo: 80).utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes.remove(at: at)
        } else {
          bytes[at] = UInt8.random(in: 0...255, using: &random)
        }
      }
      expectSound(kind, bytes, buffer)
    }
  }

  /// Long tokens whose folded form is cut, in every composition of pieces.
  @Test(arguments: Analyzer.allCases)
  func longTokens(_ kind: Analyzer) {
    var random = SplitMix(state: 3)
    let buffer = TokenBuffer()
    let letters = Array(
      "aé\u{301}ก\u{E38}\u{E48}\u{E3A}か\u{3099}ガ\u{1112}\u{1161}\u{11A8}ﬃß".unicodeScalars)
    for round in 0..<1500 {
      let lead = String(
        repeating: round % 2 == 0 ? "a" : "ก", count: Int.random(in: 60...260, using: &random))
      let text = lead + random.text(of: letters, upTo: 120)
      expectSound(kind, Array(text.utf8), buffer)
    }
  }

  /// A megabyte of anything takes time in proportion; a square would take minutes.
  @Test(arguments: Analyzer.allCases)
  func hugeTextTakesLinearTime(_ kind: Analyzer) {
    let marks = 100_000
    func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    let texts = [
      many("a", 1 << 20), many("é", 1 << 19), many("漢", 1 << 18), many("\u{1112}\u{1161}", 1 << 17),
      "e" + many("\u{301}", marks), "か" + many("\u{3099}", marks),
      "ก" + many("\u{E48}\u{E38}", marks / 2) + "ก", many("\u{E38}", marks), many("\u{301}", marks),
      "a." + many("\u{301}", marks) + "b", many("a'", 1 << 18), many("é'", 1 << 18),
      "é" + many("\u{AD}", marks) + "\u{3099}", many("a.\u{301}", marks), many("🇩", marks),
      many("👩\u{200D}", marks), many("_", 1 << 20), many("_é", 1 << 17), many("ﷺ", marks),
    ]
    let clock = ContinuousClock()
    let buffer = TokenBuffer()
    for text in texts {
      let bytes = Array(text.utf8)
      let time = clock.measure {
        bytes.withUnsafeBytes { TextAnalyzer(kind).analyze($0, into: buffer) }
      }
      #expect(time < .seconds(5), "\(bytes.count) bytes of \(text.prefix(3)) took \(time)")
      for index in 0..<min(buffer.count, 3) { #expect(buffer.term(index).count <= 255) }
    }
    #expect(tokens(kind, Array(many("a", 1 << 20).utf8)).map(\.source) == [0..<(1 << 20)])
  }

  @Test func aBufferIsReusedWithoutTrace() {
    let buffer = TokenBuffer()
    var random = SplitMix(state: 4)
    let alphabet = page(0x00, 0x400, 0x3000)
    for kind in Analyzer.allCases {
      for _ in 0..<500 {
        let bytes = Array(random.text(of: alphabet, upTo: 2000).utf8)
        #expect(tokens(kind, bytes, buffer) == tokens(kind, bytes))
      }
    }
  }
}
