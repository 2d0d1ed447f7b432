// The index' size by section, as a stacked bar for each index.

/// A chart of what the parts of indexes take, in bytes an item.
struct SizeChart {
  let title: String
  let subtitle: String
  /// The bars with their names, from left to right.
  let bars: [(name: String, result: IndexResult)]

  private static let barWidth = 64.0
  private static let step = 108.0
  private static let plotHeight = 340.0
  private static let left = 84.0
  private static let top = 92.0

  /// The chart as SVG.
  func svg() -> String {
    let stacks = bars.map { bar in
      bar.result.groups.map { part in
        (
          group: part.group,
          perItem: Double(part.bytes) / Double(max(1, bar.result.items))
        )
      }
    }
    let totals = stacks.map { $0.reduce(0) { $0 + $1.perItem } }
    let axis = Axis(linearFor: totals)
    let shown = SectionGroup.allCases.filter { group in
      stacks.contains { $0.contains { $0.group == group && $0.perItem > 0 } }
    }
    let right = Self.left + Double(max(1, bars.count)) * Self.step
    let bottom = Self.top + Self.plotHeight
    let legendWidth = shown.map { SVGCanvas.width(of: $0.rawValue, size: 12) }.max() ?? 0
    let width = max(
      right + 24 + 18 + legendWidth + 20,
      40
        + max(
          SVGCanvas.width(of: title, size: 16) * 1.1, SVGCanvas.width(of: subtitle, size: 12)))
    var canvas = SVGCanvas(width: width, height: bottom + 58)
    canvas.text(title, 20, 28, size: 16, isBold: true)
    canvas.text(subtitle, 20, 48, size: 12, color: SVGCanvas.Ink.quiet)
    for tick in axis.ticks {
      let y = bottom - axis.share(tick.value) * Self.plotHeight
      canvas.line(Self.left, y, right, y, color: SVGCanvas.Ink.grid)
      canvas.text(
        SVGCanvas.number(tick.value), Self.left - 8, y + 4, size: 11, anchor: .end,
        color: SVGCanvas.Ink.quiet)
    }
    for (place, stack) in stacks.enumerated() {
      let x = Self.left + Double(place) * Self.step + (Self.step - Self.barWidth) / 2
      var sum = 0.0
      for part in stack where part.perItem > 0 {
        let low = axis.share(sum)
        sum += part.perItem
        let height = (axis.share(sum) - low) * Self.plotHeight
        canvas.box(
          x, bottom - low * Self.plotHeight - height, width: Self.barWidth, height: height,
          color: Self.color(part.group))
      }
      let middle = x + Self.barWidth / 2
      canvas.text(
        Figures.decimal(sum, digits: sum < 99.5 ? 1 : 0), middle,
        bottom - axis.share(sum) * Self.plotHeight - 7, size: 12, anchor: .middle, isBold: true)
      canvas.text(bars[place].name, middle, bottom + 18, size: 12, anchor: .middle)
    }
    canvas.line(Self.left, Self.top, Self.left, bottom, color: SVGCanvas.Ink.axis)
    canvas.line(Self.left, bottom, right, bottom, color: SVGCanvas.Ink.axis)
    canvas.text("items", (Self.left + right) / 2, bottom + 42, size: 12, anchor: .middle)
    canvas.text(
      "bytes per item", 22, Self.top + Self.plotHeight / 2, size: 12, anchor: .middle,
      turned: true)
    // In the order of the stack: what lies on top comes first.
    for (place, group) in shown.reversed().enumerated() {
      let y = Self.top + Double(place) * 22
      canvas.box(right + 24, y, width: 12, height: 12, color: Self.color(group))
      canvas.text(group.rawValue, right + 42, y + 10, size: 12)
    }
    return canvas.document
  }

  private static func color(_ group: SectionGroup) -> String {
    let place = SectionGroup.allCases.firstIndex(of: group) ?? 0
    return SVGCanvas.Ink.series[place % SVGCanvas.Ink.series.count]
  }
}
