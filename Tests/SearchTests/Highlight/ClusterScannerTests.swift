// Edges of characters against those that the standard library finds.

import LimelightSearch
import Testing

@Suite struct ClusterScannerTests {
  @Test func edgesAreThoseOfCharacters() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    let pieces = HighlighterOracleTests.pieces
    for _ in 0..<4_000 {
      var text = (0..<Int.random(in: 0..<30, using: &random))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      var edges = [0]
      for character in text { edges.append((edges.last ?? 0) + character.utf8.count) }
      let shown = text.debugDescription
      text.withUTF8 { utf8 in
        var scanner = ClusterScanner(utf8)
        for offset in 0...utf8.count where Bool.random(using: &random) {
          let low = edges.last { $0 <= offset }
          let high = edges.first { $0 >= offset }
          #expect(scanner.roundDown(offset) == low, "\(shown) at \(offset), seed \(seed)")
          #expect(scanner.roundUp(offset) == high, "\(shown) at \(offset), seed \(seed)")
        }
      }
    }
  }

  /// Scalars that the fast path takes for certain to part must never be joined by the rules.
  @Test func plainScalarsAlwaysPart() {
    let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0xC0...0x27F, 0x400...0x47F, 0x4000...0x9FFF]
    for value in ranges.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var text = String.UnicodeScalarView()
      text.append("x")
      text.append(scalar)
      text.append("x")
      #expect(String(text).count == 3, "U+\(String(value, radix: 16))")
    }
  }
}
