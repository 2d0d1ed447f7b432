// Percentiles and figures, against values worked out by hand.

import Testing

@testable import BenchmarkRunner

struct DistributionTests {
  /// What `sorted(v)[min(len(v) - 1, int(len(v) * p))]` of the harness gives.
  @Test func percentilesAreTheHarness() {
    let hundred = Distribution((1...100).reversed().map(Double.init))
    #expect(hundred.percentile(0.5) == 51)
    #expect(hundred.percentile(0.9) == 91)
    #expect(hundred.percentile(0.99) == 100)
    #expect(hundred.percentile(0) == 1)
    #expect(hundred.percentile(1) == 100)
    #expect(hundred.mean == 50.5)
    let three = Distribution([30, 10, 20])
    #expect(three.percentile(0.5) == 20)
    #expect(three.percentile(0.9) == 30)
    #expect(Distribution([7]).percentile(0.99) == 7)
  }

  @Test func noValuesHaveNoPercentile() {
    #expect(Distribution([]).percentile(0.5) == nil)
    #expect(Distribution([]).mean == nil)
  }

  @Test func figures() {
    #expect(Figures.grouped(1_234_567) == "1,234,567")
    #expect(Figures.grouped(-1_000) == "-1,000")
    #expect(Figures.grouped(999) == "999")
    #expect(Figures.short(0.1234) == "0.123")
    #expect(Figures.short(1.5) == "1.50")
    #expect(Figures.short(12.34) == "12.3")
    #expect(Figures.short(1_234.5) == "1,235")
    #expect(Figures.time(0.5) == "0.500 µs")
    #expect(Figures.time(999.7) == "1.00 ms")
    #expect(Figures.time(1_500) == "1.50 ms")
    #expect(Figures.time(2_500_000) == "2.50 s")
    #expect(Figures.size(999) == "999 B")
    #expect(Figures.size(1_500_000) == "1.50 MB")
    #expect(Figures.magnitude(10_000) == "10k")
    #expect(Figures.magnitude(5_000_000) == "5M")
    #expect(Figures.magnitude(1_500_000) == "1.5M")
    #expect(Figures.magnitude(176_680) == "176,680")
    #expect(Figures.count(1, "core") == "1 core")
    #expect(Figures.count(2, "core") == "2 cores")
  }
}
