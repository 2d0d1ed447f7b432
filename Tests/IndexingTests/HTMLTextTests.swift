// The words of HTML: tags go, references become characters, nothing is a trap.

import LimelightIndexing
import Testing

@Suite struct HTMLTextTests {
  static let pages: [(html: String, words: [String])] = [
    ("plain", ["plain"]),
    ("<p>one</p><p>two</p>", ["one", "two"]),
    ("a<script>var x = '<b>no</b>'</script>b", ["a", "b"]),
    ("a<STYLE type=x>p { }</STYLE >b", ["a", "b"]),
    ("a<!-- no <b> -->b", ["a", "b"]),
    ("fish &amp; chips", ["fish", "&", "chips"]),
    ("caf&#233; &#xE9;t&#xe9;", ["café", "été"]),
    ("&unknown; &#x110000; &#;", ["&unknown;", "&#x110000;", "&#;"]),
    ("cut <b", ["cut"]),
    ("cut <!-- off", ["cut"]),
    ("<script>never closed", []),
    ("a&nbsp;b", ["a", "b"]),
  ]

  @Test(arguments: pages)
  func extracts(html: String, words: [String]) {
    let text = String(decoding: HTMLText.extract(Array(html.utf8)), as: UTF8.self)
    #expect(text.split(separator: " ").map(String.init) == words)
  }

  @Test func anyBytesGiveAText() {
    var state: UInt64 = 11
    let alphabet = Array("<>!-/&#xX;scripstyle 09\"'".utf8) + [0, 0x80, 0xFF]
    for length in 0..<2000 {
      var html: [UInt8] = []
      for _ in 0..<(length % 97) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        html.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      #expect(HTMLText.extract(html).count <= html.count + 4)
    }
  }

  /// Many openings without an end are looked through once each, not once for every later one.
  @Test func isLinear() {
    for piece in ["<!--", "<script", "<", "&#", "&"] {
      let html = Array(String(repeating: piece, count: 200_000).utf8)
      let start = ContinuousClock.now
      _ = HTMLText.extract(html)
      #expect(ContinuousClock.now - start < .seconds(20))
    }
  }
}
