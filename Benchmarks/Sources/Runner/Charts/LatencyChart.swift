// Latency by kind of query: median, p90 and p99 as bars on a scale of powers of ten.

/// A chart of a command's latencies: a row a kind, three bars in it.
struct LatencyChart {
  let title: String
  let subtitle: String
  let kinds: [QueryResult.Kind]

  private static let rowHeight = 30.0
  private static let barHeight = 8.0
  private static let plotWidth = 520.0
  private static let top = 84.0

  /// The chart as SVG.
  func svg() -> String {
    let labelWidth = kinds.map { SVGCanvas.width(of: $0.kind, size: 12) }.max() ?? 0
    let left = labelWidth + 28
    let figures = kinds.map {
      [$0.median, $0.p90, $0.p99].map(Figures.time).joined(separator: " / ")
    }
    let heading = "median / p90 / p99"
    let figuresWidth = (figures + [heading]).map { SVGCanvas.width(of: $0, size: 11) }.max() ?? 0
    let right = left + Self.plotWidth
    let bottom = Self.top + Double(kinds.count) * Self.rowHeight
    let width = max(
      right + 24 + figuresWidth + 16,
      20
        + max(
          SVGCanvas.width(of: title, size: 16) * 1.1, SVGCanvas.width(of: subtitle, size: 12)) + 20)
    var canvas = SVGCanvas(width: width, height: bottom + 54)
    canvas.text(title, 20, 28, size: 16, isBold: true)
    canvas.text(subtitle, 20, 48, size: 12, color: SVGCanvas.Ink.quiet)

    let axis = Axis(logarithmicFor: kinds.flatMap { [$0.median, $0.p99] })
    func x(_ value: Double) -> Double { left + axis.share(value) * Self.plotWidth }
    for tick in axis.ticks where tick.isMajor {
      canvas.line(x(tick.value), Self.top, x(tick.value), bottom, color: SVGCanvas.Ink.grid)
      canvas.text(
        Self.label(tick.value), x(tick.value), bottom + 18, size: 11, anchor: .middle,
        color: SVGCanvas.Ink.quiet)
    }
    canvas.text(
      "time per query (logarithmic scale)", left + Self.plotWidth / 2, bottom + 40, size: 12,
      anchor: .middle)
    for (place, kind) in kinds.enumerated() {
      let row = Self.top + Double(place) * Self.rowHeight
      canvas.text(kind.kind, left - 10, row + 19, size: 12, anchor: .end)
      for (number, value) in [kind.median, kind.p90, kind.p99].enumerated() {
        canvas.box(
          left, row + 3 + Double(number) * Self.barHeight, width: x(value) - left,
          height: Self.barHeight, color: SVGCanvas.Ink.shades[number])
      }
      canvas.text(figures[place], right + 24, row + 19, size: 11, color: SVGCanvas.Ink.quiet)
    }
    canvas.line(left, Self.top, left, bottom, color: SVGCanvas.Ink.axis)
    canvas.line(left, bottom, right, bottom, color: SVGCanvas.Ink.axis)
    legend(&canvas, left: left)
    canvas.text(heading, right + 24, Self.top - 12, size: 11, isBold: true)
    return canvas.document
  }

  private func legend(_ canvas: inout SVGCanvas, left: Double) {
    var place = left
    for (number, name) in ["median", "p90", "p99"].enumerated() {
      canvas.box(place, Self.top - 22, width: 12, height: 12, color: SVGCanvas.Ink.shades[number])
      canvas.text(name, place + 18, Self.top - 12, size: 12)
      place += 18 + SVGCanvas.width(of: name, size: 12) + 18
    }
  }

  /// A mark of the axis: 10 µs, 1 ms.
  static func label(_ microseconds: Double) -> String {
    let (value, unit) =
      microseconds >= 999_999
      ? (microseconds / 1e6, "s")
      : microseconds >= 999 ? (microseconds / 1e3, "ms") : (microseconds, "µs")
    return "\(SVGCanvas.number(value)) \(unit)"
  }
}
