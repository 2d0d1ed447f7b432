// Lines over the number of items, both on scales of powers of ten.

/// A chart of lines, side by side with others or alone.
struct LineChart {
  /// A line.
  struct Series {
    var name: String
    var points: [(x: Double, y: Double)]
  }

  let title: String
  /// What goes up, with its unit.
  let quantity: String
  let series: [Series]
  /// How a mark of the upright axis is written.
  let label: @Sendable (Double) -> String
  /// Whether a dashed line shows what grows as the items do.
  var showsProportion = false

  private static let plotWidth = 330.0
  private static let plotHeight = 270.0
  private static let margins = (left: 84.0, top: 40.0, bottom: 56.0)
  private static let legendLine = 18.0

  private var entries: [(name: String, color: String, dashes: String?)] {
    var entries = series.enumerated().map { place, series in
      (
        name: series.name,
        color: SVGCanvas.Ink.series[place % SVGCanvas.Ink.series.count], dashes: String?.none
      )
    }
    if showsProportion {
      entries.append(("in proportion to the items", SVGCanvas.Ink.axis, "5 4"))
    }
    return entries
  }

  private var legendWidth: Double {
    (entries.map { SVGCanvas.width(of: $0.name, size: 12) }.max() ?? 0) + 34
  }

  private var width: Double { Self.margins.left + Self.plotWidth + 24 + legendWidth + 16 }
  private var height: Double {
    Self.margins.top
      + max(Self.plotHeight, Double(entries.count) * Self.legendLine) + Self.margins.bottom
  }

  /// Charts in rows of two, under one title, as SVG.
  static func svg(title: String, subtitle: String, _ charts: [LineChart]) -> String {
    let cell = (
      width: charts.map(\.width).max() ?? 0, height: charts.map(\.height).max() ?? 0
    )
    let columns = min(2, charts.count)
    let rows = (charts.count + 1) / 2
    let head = 64.0
    let textWidth =
      40
      + max(SVGCanvas.width(of: title, size: 16) * 1.1, SVGCanvas.width(of: subtitle, size: 12))
    var canvas = SVGCanvas(
      width: max(cell.width * Double(columns), textWidth),
      height: head + cell.height * Double(rows))
    canvas.text(title, 20, 28, size: 16, isBold: true)
    canvas.text(subtitle, 20, 48, size: 12, color: SVGCanvas.Ink.quiet)
    for (place, chart) in charts.enumerated() {
      chart.draw(
        on: &canvas, x: cell.width * Double(place % 2),
        y: head + cell.height * Double(place / 2))
    }
    return canvas.document
  }

  private func draw(on canvas: inout SVGCanvas, x originX: Double, y originY: Double) {
    let left = originX + Self.margins.left
    let top = originY + Self.margins.top
    let bottom = top + Self.plotHeight
    let right = left + Self.plotWidth
    let points = series.flatMap(\.points)
    let horizontal = Axis(logarithmicFor: points.map(\.x))
    let upright = Axis(logarithmicFor: points.map(\.y))
    func place(_ point: (x: Double, y: Double)) -> (x: Double, y: Double) {
      (
        left + horizontal.share(point.x) * Self.plotWidth,
        bottom - upright.share(point.y) * Self.plotHeight
      )
    }
    canvas.text(title, left, top - 14, size: 13, isBold: true)
    for tick in upright.ticks where tick.isMajor {
      let y = bottom - upright.share(tick.value) * Self.plotHeight
      canvas.line(left, y, right, y, color: SVGCanvas.Ink.grid)
      canvas.text(
        label(tick.value), left - 8, y + 4, size: 11, anchor: .end, color: SVGCanvas.Ink.quiet)
    }
    for value in marks(horizontal, points.map(\.x)) {
      let x = left + horizontal.share(value) * Self.plotWidth
      canvas.line(x, top, x, bottom, color: SVGCanvas.Ink.grid)
      canvas.text(
        Figures.magnitude(Int(value.rounded())), x, bottom + 17, size: 11, anchor: .middle,
        color: SVGCanvas.Ink.quiet)
    }
    canvas.line(left, top, left, bottom, color: SVGCanvas.Ink.axis)
    canvas.line(left, bottom, right, bottom, color: SVGCanvas.Ink.axis)
    canvas.text("items", left + Self.plotWidth / 2, bottom + 37, size: 12, anchor: .middle)
    canvas.text(
      quantity, originX + 18, top + Self.plotHeight / 2, size: 12, anchor: .middle, turned: true)
    if showsProportion { drawProportion(on: &canvas, horizontal, upright, place) }
    for (number, line) in series.enumerated() {
      let color = SVGCanvas.Ink.series[number % SVGCanvas.Ink.series.count]
      let places = line.points.map(place)
      canvas.path(places, color: color)
      for place in places { canvas.dot(place.x, place.y, color: color) }
    }
    for (number, entry) in entries.enumerated() {
      let y = top + 8 + Double(number) * Self.legendLine
      canvas.line(
        right + 20, y, right + 42, y, color: entry.color, width: 2.5, dashes: entry.dashes)
      canvas.text(entry.name, right + 48, y + 4, size: 12)
    }
  }

  /// The numbers of items to mark: those that were measured, or round ones where these are too near.
  private func marks(_ axis: Axis, _ measured: [Double]) -> [Double] {
    let values = Set(measured).sorted()
    let areApart = zip(values, values.dropFirst()).allSatisfy { first, second in
      (axis.share(second) - axis.share(first)) * Self.plotWidth > 64
    }
    return areApart ? values : axis.ticks.filter(\.isMajor).map(\.value)
  }

  /// A line through the first point of the first series, as steep as the items, within the frame.
  private func drawProportion(
    on canvas: inout SVGCanvas, _ horizontal: Axis, _ upright: Axis,
    _ place: ((x: Double, y: Double)) -> (x: Double, y: Double)
  ) {
    guard let first = series.first?.points.first, first.x > 0, first.y > 0 else { return }
    let last = min(horizontal.upper, first.x * upright.upper / first.y)
    canvas.path(
      [place(first), place((x: last, y: first.y * last / first.x))], color: SVGCanvas.Ink.axis,
      width: 1.5, dashes: "5 4")
  }
}
