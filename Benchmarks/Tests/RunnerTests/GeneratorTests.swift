// The made corpus: the same bytes everywhere, and what it promises about its items.

import Foundation
import Limelight
import Testing

@testable import BenchmarkRunner

struct GeneratorTests {
  private static let generator = ItemGenerator(seed: 1)

  /// FNV-1a over 64 bits: enough to notice that a byte has changed.
  private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static func object(_ line: some Sequence<UInt8>) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(line))
    return try #require(value as? [String: Any])
  }

  /// Whoever changes the corpus changes all figures measured with it.
  @Test func theCorpusOfASeedNeverChanges() {
    let lines = Self.generator.lines(0..<2_000)
    #expect(lines.count == 636_186)
    #expect(Self.fingerprint(lines) == 9_354_846_682_542_068_859)
    let other = ItemGenerator(seed: 2).lines(0..<2_000)
    #expect(Self.fingerprint(other) == 931_838_985_823_834_241)
  }

  /// The numbers that the authors' own program gives for the seed 1234567.
  @Test func randomNumbersAreThoseOfSplitMix64() {
    var random = RandomSource(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func numbersBelowABoundAreEven() {
    var random = RandomSource(seed: 3)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<100_000 { counts[random.below(10)] += 1 }
    for count in counts { #expect(abs(count - 10_000) < 500) }
  }

  @Test func anItemFollowsFromItsNumberOnly() {
    let all = Self.generator.lines(0..<300)
    #expect(Self.generator.lines(0..<100) + Self.generator.lines(100..<300) == all)
    #expect(ItemGenerator(seed: 1).lines(0..<300) == all)
    #expect(ItemGenerator(seed: 2).lines(0..<300) != all)
  }

  @Test func itemsAreAsTheyAreDescribed() throws {
    let lines = Self.generator.lines(0..<5_000).split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 5_000)
    let bytes = lines.reduce(0) { $0 + $1.count + 1 }
    #expect((290...330).contains(bytes / 5_000))
    var ids: Set<String> = []
    var counts: [String: Int] = [:]
    for line in lines {
      let item = try Self.object(line)
      ids.insert(try #require(item["id"] as? String))
      let domain = try #require(item["domain"] as? String)
      #expect((2...3).contains(domain.split(separator: ".").count))
      counts[String(domain.prefix { $0 != "." }), default: 0] += 1
      _ = try #require(item["contentType"] as? String)
      let attributes = try #require(item["attributes"] as? [String: Any])
      #expect((3...8).contains(attributes.count))
      for name in attributes.keys { counts[name, default: 0] += 1 }
      let title = try #require(attributes["title"] as? String)
      #expect((2...5).contains(title.split(separator: " ").count))
      let text = try #require(attributes["textContent"] as? String)
      #expect((3...11).contains(text.split(separator: " ").count))
      let date = try #require(attributes["contentCreationDate"] as? String)
      #expect(("2015-01-01T00:00:00Z"..."2025-12-31T23:59:59Z").contains(date))
    }
    #expect(ids.count == 5_000)
    for (name, share) in [
      ("title", 1.0), ("textContent", 1), ("contentCreationDate", 1), ("displayName", 0.5),
      ("keywords", 0.5), ("authorNames", 0.5), ("lastUsedDate", 0.5), ("rating", 0.75),
      // The lower of two draws out of eight: 15 of 64 pairs have a zero, one has only sevens.
      ("mail", 15.0 / 64), ("contacts", 1.0 / 64),
    ] {
      let measured = Double(counts[name] ?? 0) / 5_000
      #expect(abs(measured - share) < 0.03, "\(name) is in \(measured) of the items")
    }
  }

  @Test func limelightTakesEveryItem() throws {
    let index = try Index.inMemory()
    let receipt = try index.put(.lines(Self.generator.lines(0..<3_000)))
    #expect(receipt.refused.isEmpty)
    #expect(receipt.put == 3_000)
    #expect(try index.stats().items == 3_000)
    #expect(try index.count(.domain("mail")) > 500)
  }

  @Test func wordsComeAsOftenAsZipfSays() {
    let sampler = ZipfSampler(bits: 12)
    var random = RandomSource(seed: 5)
    var counts = [Int](repeating: 0, count: 4_096)
    let draws = 1_000_000
    for _ in 0..<draws { counts[sampler.draw(&random)] += 1 }
    let weights = (0..<4_096).map { 1 / (Double($0) + 3.7) }
    let sum = weights.reduce(0, +)
    for rank in [0, 1, 2, 10, 50, 200] {
      let expected = weights[rank] / sum * Double(draws)
      // Six standard deviations.
      #expect(abs(Double(counts[rank]) - expected) < 6 * expected.squareRoot() + 1)
    }
    let tail = counts[2_000...].reduce(0, +)
    let expected = weights[2_000...].reduce(0, +) / sum * Double(draws)
    #expect(abs(Double(tail) / expected - 1) < 0.02)
  }

  @Test func wordsAreDifferentAndShort() {
    let vocabulary = Self.generator.vocabulary
    #expect(vocabulary.count == 1 << Vocabulary.bits)
    var words: Set<String> = []
    for rank in 0..<vocabulary.count {
      let word = vocabulary[rank]
      // A capital is made by bytes, so the first letter has to be of ASCII.
      let isSound =
        word.utf8.count < Vocabulary.longestWord && word.allSatisfy { $0.isLetter }
        && word.first?.isASCII == true
      if !isSound { Issue.record("the word of rank \(rank) is '\(word)'") }
      words.insert(word)
    }
    #expect(words.count == vocabulary.count)
    let accented = words.count { !$0.utf8.allSatisfy { $0 < 128 } }
    // Somewhat more than one in 32: a word without an accent is more often one that was there.
    let share = Double(accented) / Double(words.count)
    #expect(share > 1.0 / 32 && share < 0.038)
  }

  @Test func datesAreThoseOfTheCalendar() {
    let formatter = ISO8601DateFormatter()
    var random = RandomSource(seed: 9)
    let leapDay = 951_782_400
    let some = (0..<500).map { _ in random.below(4_102_444_800) }
    for seconds in [0, 86_399, leapDay - 1, leapDay, leapDay + 86_400] + some {
      let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
      defer { buffer.deallocate() }
      var start: UInt32 = 0
      var writer = LineWriter(buffer, letters: buffer, starts: &start)
      writer.date(seconds)
      let bytes = UnsafeBufferPointer(start: buffer, count: writer.count(since: buffer))
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
  }
}
