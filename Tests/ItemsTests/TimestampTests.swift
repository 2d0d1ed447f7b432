// Moments and their ISO 8601 text, against another implementation.

import Foundation
import LimelightItems
import Testing

@Suite struct TimestampTests {
  @Test func agreesWithFoundation() throws {
    let whole = ISO8601DateFormatter()
    let milli = ISO8601DateFormatter()
    milli.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    var random = SeededGenerator(seed: 8601)
    // From 1600, as the other implementation has the Julian calendar before 1582.
    for _ in 0..<3000 {
      let seconds = Int64.random(in: -11_676_096_000...253_402_300_799, using: &random)
      let text = whole.string(from: Date(timeIntervalSince1970: Double(seconds)))
      let timestamp = Timestamp(microseconds: seconds * 1_000_000)
      #expect(timestamp.iso8601 == text)
      #expect(Timestamp(iso8601: text) == timestamp)

      let thousandths = seconds * 1000 + Int64(random.number(upTo: 1000))
      let exact = Timestamp(microseconds: thousandths * 1000)
      let read = try #require(
        (thousandths % 1000 == 0 ? whole : milli).date(from: exact.iso8601))
      #expect(abs(read.timeIntervalSince1970 - Double(thousandths) / 1000) < 0.0005)
    }
  }

  @Test func everyTextComesBack() {
    var random = SeededGenerator(seed: 1)
    let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for microseconds in ends + (0..<5000).map({ _ in Int64(bitPattern: random.next()) }) {
      let timestamp = Timestamp(microseconds: microseconds)
      #expect(Timestamp(iso8601: timestamp.iso8601) == timestamp, "\(timestamp.iso8601)")
    }
  }

  @Test func everyDayOfAnEraComesBack() {
    let days = (-146_097...146_097 as ClosedRange<Int64>).filter { day in
      let timestamp = Timestamp(microseconds: day * 86_400_000_000)
      return Timestamp(iso8601: timestamp.iso8601) != timestamp
    }
    #expect(days.isEmpty)
  }

  @Test(arguments: [
    ("1970-01-01", 0), ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00", 0),
    ("1970-01-01 00:00:01", 1_000_000), ("1970-01-01t00:00:01z", 1_000_000),
    ("1970-01-01T01:00:00+01:00", 0), ("1970-01-01T01:00:00+0100", 0),
    ("1970-01-01T01:00:00+01", 0), ("1969-12-31T19:00:00-05:00", 0),
    ("1970-01-01T00:00:00.5Z", 500_000), ("1970-01-01T00:00:00,000001Z", 1),
    ("1970-01-01T00:00:00.000001999Z", 1), ("1969-12-31T23:59:59.999999Z", -1),
    ("2024-02-29T12:00:00Z", 1_709_208_000_000_000), ("0000-03-01", -62_162_035_200_000_000),
    ("+010000-01-01", 253_402_300_800_000_000), ("-000001-01-01", -62_198_755_200_000_000),
  ])
  func reads(_ text: String, _ microseconds: Int64) {
    #expect(Timestamp(iso8601: text)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "1970", "1970-01", "1970-1-1", "1970-13-01", "1970-00-01", "1970-01-00", "1970-01-32",
    "2023-02-29", "1900-02-29", "1970-04-31", "1970-01-01T", "1970-01-01T24:00:00",
    "1970-01-01T00", "1970-01-01T00:60", "1970-01-01T00:00:60", "1970-01-01T00:00:00.",
    "1970-01-01T00:00:00.1234567890Z", "1970-01-01T00:00:00+24:00", "1970-01-01T00:00:00+01:60",
    "1970-01-01T00:00:00 Z", "1970-01-01Z", " 1970-01-01", "1970-01-01 ", "1970-01-01T00:00:00ZZ",
    "+10000-01-01", "+999999-01-01", "-999999-01-01", "19700101", "1970/01/01", "١٩٧٠-01-01",
    "today", "0",
  ])
  func refuses(_ text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test func secondsAreRoundedAndSaturate() {
    #expect(Timestamp(secondsSince1970: 1.5).microseconds == 1_500_000)
    #expect(Timestamp(secondsSince1970: -0.000001).microseconds == -1)
    #expect(Timestamp(secondsSince1970: 1_700_000_000.123456).microseconds == 1_700_000_000_123_456)
    #expect(Timestamp(secondsSince1970: .infinity).microseconds == .max)
    #expect(Timestamp(secondsSince1970: -1e300).microseconds == .min)
    #expect(Timestamp(secondsSince1970: .nan).microseconds == 0)
    #expect(Timestamp(checkedSeconds: 1e13) == nil)
    #expect(Timestamp(checkedSeconds: .nan) == nil)
    #expect(Timestamp(checkedSeconds: -.infinity) == nil)
    #expect(Timestamp(microseconds: -1_500_000).secondsSince1970 == -1.5)
    #expect(Timestamp(microseconds: 1) > Timestamp(microseconds: 0))
  }
}
