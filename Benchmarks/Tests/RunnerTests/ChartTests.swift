// Charts: XML that can be read, texts that do not cover each other, axes that hold all values.

import Foundation
import FoundationXML
import Testing

@testable import BenchmarkRunner

/// The texts of a picture, with the boxes that they take at most.
private final class Picture: NSObject, XMLParserDelegate {
  struct Text {
    var text: String
    var left, right, top, bottom: Double
  }

  private(set) var texts: [Text] = []
  private(set) var size = (width: 0.0, height: 0.0)
  private(set) var boxes: [(width: Double, height: Double)] = []
  private var open: (attributes: [String: String], text: String)?

  init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    func number(_ key: String) -> Double { Double(attributes[key] ?? "") ?? .nan }
    switch name {
    case "svg": size = (number("width"), number("height"))
    case "text": open = (attributes, "")
    case "rect" where attributes["width"] != "100%":
      boxes.append((number("width"), number("height")))
      #expect(number("x").isFinite && number("y").isFinite)
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { open?.text += string }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard name == "text", let (attributes, text) = open else { return }
    open = nil
    let x = Double(attributes["x"] ?? "") ?? .nan
    let y = Double(attributes["y"] ?? "") ?? .nan
    let size = Double(attributes["font-size"] ?? "") ?? .nan
    let bold = attributes["font-weight"] == nil ? 1 : 1.1
    let width = SVGCanvas.width(of: text, size: size) * bold
    let shift: Double =
      switch attributes["text-anchor"] {
      case "middle": width / 2
      case "end": width
      default: 0
      }
    let box =
      attributes["transform"] == nil
      ? Text(
        text: text, left: x - shift, right: x - shift + width, top: y - size * 0.8,
        bottom: y + size * 0.2)
      : Text(
        text: text, left: x - size * 0.8, right: x + size * 0.2, top: y - width + shift,
        bottom: y + shift)
    texts.append(box)
  }

  /// Complains about texts that leave the picture or cover each other.
  func check() {
    for box in boxes { #expect(box.width >= 0 && box.height >= 0) }
    for (place, text) in texts.enumerated() {
      #expect(
        text.left >= 0 && text.top >= 0 && text.right <= size.width && text.bottom <= size.height,
        "\(text) leaves \(size)")
      for other in texts[(place + 1)...] {
        let covers =
          text.left < other.right && other.left < text.right && text.top < other.bottom
          && other.top < text.bottom
        #expect(!covers, "\(text) covers \(other)")
      }
    }
  }
}

struct ChartTests {
  private let names = [
    "type 1", "word common", "a kind with quite a long name & <signs>", "phrase \"3\"", "🔦\u{1}",
  ]

  @Test(arguments: [0.4, 30, 900, 4_000_000])
  func latencies(scale: Double) throws {
    let kinds = names.enumerated().map { Samples.kind($1, scale * Double($0 + 1)) }
    let svg = LatencyChart(title: "TOP_10: the best", subtitle: "queries & <more>", kinds: kinds)
      .svg()
    let picture = try Picture(svg)
    picture.check()
    for text in ["TOP_10: the best", "queries & <more>", "phrase \"3\"", "median", "p90", "p99"] {
      #expect(picture.texts.contains { $0.text == text }, "\(text)")
    }
    #expect(picture.texts.contains { $0.text == "🔦" })
  }

  @Test(arguments: [[10_000, 5_000_000], [999, 1_000, 1_001], [7, 70_000, 700_000_000]])
  func allChartsOfAReport(sizes: [Int]) throws {
    let kinds = names + (0..<20).map { "kind \($0)" }
    let runs = sizes.flatMap { items in
      [
        Samples.run(.index(Samples.index(items: items))),
        Samples.run(
          .query(Samples.query(items: items, kinds: kinds, commands: SearchCommand.allCases))),
      ]
    }
    let charts = try Report(runs: runs).files().filter { $0.name.hasSuffix(".svg") }
    #expect(charts.count == 2 + 5 + 5 * sizes.count)
    for chart in charts { try Picture(chart.text).check() }
  }

  @Test func barsAreAsLongAsTheirValues() throws {
    // One decade: from 100 to 1,000 µs.
    let kind = QueryResult.Kind(
      kind: "k", queries: 1, answers: 1, median: 100, p90: 1_000, p99: 1_000, mean: 1,
      slowest: "q", slowestTime: 1)
    let picture = try Picture(LatencyChart(title: "t", subtitle: "s", kinds: [kind]).svg())
    // Three squares of the legend come behind the three bars.
    #expect(picture.boxes.map(\.width) == [0, 520, 520, 12, 12, 12])
  }

  @Test func stacksAreAsHighAsTheirBytes() throws {
    let result = Samples.index(items: 1_000)
    let picture = try Picture(
      SizeChart(title: "t", subtitle: "s", bars: [("1k", result)]).svg())
    let bars = picture.boxes.filter { $0.width == 64 }
    let height = bars.map(\.height).reduce(0, +)
    // 200 bytes an item on an axis that ends at 200.
    #expect(abs(height - 340) < 0.1)
    #expect(picture.texts.contains { $0.text == "200" && $0.bottom < 100 })
  }

  @Test func axesOfPowersHoldAllValues() {
    for values in [[0.3, 4_000], [1, 1], [99, 101], [7, 70], [1e-3, 1e9], [], [0, -1]] {
      let axis = Axis(logarithmicFor: values)
      #expect(axis.upper / axis.lower > 9.9)
      for value in values where value > 0 {
        #expect(axis.lower <= value * 1.000_01 && axis.upper >= value / 1.000_01)
      }
      #expect(axis.share(axis.lower) == 0 && axis.share(axis.upper) == 1)
      let ticks = axis.ticks
      #expect(ticks.count { $0.isMajor } >= 2)
      #expect(ticks.map(\.value) == ticks.map(\.value).sorted())
    }
    let axis = Axis(logarithmicFor: [1, 10_000])
    #expect(abs(axis.share(100) - 0.5) < 1e-12)
    #expect(axis.ticks.filter(\.isMajor).map { $0.value.rounded() } == [1, 10, 100, 1_000, 10_000])
  }

  @Test func linearAxesBeginAtZero() {
    for largest in [0.7, 1, 9.9, 123, 5_000] {
      let axis = Axis(linearFor: [largest, largest / 3])
      #expect(axis.lower == 0 && axis.upper >= largest && axis.upper <= largest * 1.5)
      #expect((4...9).contains(axis.ticks.count), "\(largest): \(axis.ticks)")
      #expect(axis.share(axis.upper / 2) == 0.5)
    }
  }
}
