// Damage behind right checksums: decoders meet bytes that no writer wrote, and must only refuse them.

import Foundation
import Limelight
import LimelightSpecimens
import Testing

struct ResealedTests {
  /// `LIMELIGHT_DAMAGES`: how many damages a specimen gets.
  private static let damages =
    ProcessInfo.processInfo.environment["LIMELIGHT_DAMAGES"].flatMap { Int($0) } ?? 600
  /// What one damage may cost, in seconds, on a busy machine and without optimisation.
  private static let patience = 20.0

  /// Damages a specimen at random places; any typed error and any answer will do.
  private func damage(_ specimen: Specimen, count: Int = damages) throws {
    let sandbox = try Sandbox(specimen)
    let names = specimen.files.keys.sorted()
    var refused = 0
    for number in 0..<count {
      // Segments have the most to decode.
      let name = names.filter { number % 3 == 0 || $0.hasPrefix("segment.") }.randomElement()
      guard let name, let bytes = specimen.files[name] else { continue }
      var damaged = bytes
      for _ in 0..<(number % 4 == 3 ? Int.random(in: 2...6) : 1) {
        let offset = Int.random(in: 0..<bytes.count)
        switch Int.random(in: 0..<4) {
        case 0: damaged[offset] = 0xFF
        case 1: damaged[offset] = 0
        case 2: damaged[offset] ^= 1 << UInt8.random(in: 0..<8)
        default: damaged[offset] = UInt8.random(in: 0...255)
        }
        damaged = Reseal.apply(name, damaged, at: offset)
      }
      try sandbox.write(damaged, to: name)
      let start = Date()
      let outcome = sandbox.read()
      if outcome.answers?.refusals != specimen.truth.refusals { refused += 1 }
      if number % 4 == 0 {
        _ = sandbox.write()
        try sandbox.restore()
      } else {
        try sandbox.write(bytes, to: name)
      }
      let seconds = Date().timeIntervalSince(start)
      let place = bytes.indices.first { bytes[$0] != damaged[$0] } ?? 0
      #expect(
        seconds < Self.patience, "\(specimen.name), \(name), byte \(place): \(seconds) s")
    }
    print("corruption: \(specimen.name), \(count) damages behind checksums, \(refused) refused")
    #expect(refused > count / 10)
    let outcome = sandbox.read()
    #expect(outcome.answers == specimen.truth)
  }

  /// Terms that do not ascend once sent a search for near words in circles.
  @Test func termsInAnyOrderEndASearch() throws {
    let specimen = try Specimen.single()
    let sandbox = try Sandbox(specimen)
    let (name, bytes) = try #require(specimen.files.first { $0.key.hasPrefix("segment.") })
    let terms = try #require(Reseal.section(4, of: bytes))
    for offset in terms {
      for value in [UInt8.random(in: 0x20..<0x40), UInt8.random(in: 0x60..<0x7F)] {
        var damaged = bytes
        damaged[offset] = value
        try sandbox.write(Reseal.apply(name, damaged, at: offset), to: name)
        guard let index = try? Index(sandbox.path, access: .readOnly) else { continue }
        for text in ["comon", "qick", "alfa", "zzzz"] {
          let count = try? index.count(.fuzzy(text, distance: 1))
          #expect(count ?? 0 <= 2)
          _ = try? index.count(.fuzzy(text, distance: 2))
        }
      }
    }
  }

  /// Fewer terms than full pages hold once left a page with less than none.
  @Test func fieldsOfAnyNumbersEndASearch() throws {
    let specimen = try Specimen.single()
    let sandbox = try Sandbox(specimen)
    let (name, bytes) = try #require(specimen.files.first { $0.key.hasPrefix("segment.") })
    let table = try #require(Reseal.section(2, of: bytes))
    let queries: [Query] = [
      .term("alpha"), .prefix("a"), .prefix("common"), .prefix("q"), .fuzzy("comon", distance: 1),
      .phrase("alpha beta"), .phrase("common a"),
    ]
    var refused = 0
    for offset in stride(from: table.lowerBound, to: table.upperBound, by: 4) {
      let value = UInt32(
        littleEndian: bytes[offset..<offset + 4].withUnsafeBytes {
          $0.loadUnaligned(as: UInt32.self)
        })
      for other in [0, 1, 31, 32, 33, value &- 1, value &+ 1, value &+ 32, .max >> 1, .max]
        as [UInt32]
      {
        var damaged = bytes
        withUnsafeBytes(of: other.littleEndian) {
          damaged.replaceSubrange(offset..<offset + 4, with: $0)
        }
        try sandbox.write(Reseal.apply(name, damaged, at: offset), to: name)
        guard let index = try? Index(sandbox.path, access: .readOnly) else { continue }
        for query in queries {
          do {
            #expect(try index.count(query) <= 2)
          } catch { refused += 1 }
        }
      }
    }
    #expect(refused > 100)
  }

  @Test func aSegmentOfAllKindsOfValues() throws { try damage(try Specimen.single()) }

  @Test func segmentsWithDeletionsAndAJournal() throws { try damage(try Specimen.several()) }

  @Test func segmentsWithoutStoredItems() throws { try damage(try Specimen.bare()) }

  @Test func filesOfManyPages() throws {
    try damage(try Specimen.large(), count: Self.damages / 10)
  }
}
