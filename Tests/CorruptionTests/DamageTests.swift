// Every byte flipped, every length cut: the right answers or a typed error, never anything else.

import Foundation
import Limelight
import Testing

struct DamageTests {
  /// What damage may be called.
  private static let codes: Set<LimelightError.Code> = [.damaged, .newerFormat, .olderFormat]

  /// Checks what a reader makes of a damage; true if it was noticed.
  private func check(
    _ outcome: Outcome, _ specimen: Specimen, allowed: [Answers], _ what: String
  ) -> Bool {
    if let refusal = outcome.refusal {
      #expect(Self.codes.contains(refusal), "\(what): \(refusal)")
      return true
    }
    guard let answers = outcome.answers else { return true }
    if allowed.contains(answers) && answers.refusals.isSubset(of: specimen.truth.refusals) {
      return !outcome.problems.isEmpty
    }
    let lies = answers.lies(against: specimen.truth)
    #expect(lies.isEmpty, "\(what): wrong answers to questions \(lies)")
    let codes = answers.refusals.subtracting(specimen.truth.refusals)
    #expect(codes.isSubset(of: Self.codes), "\(what): \(codes)")
    #expect(!outcome.problems.isEmpty, "\(what): noticed by a search, not by verify")
    return true
  }

  /// Flips bytes of all files of a specimen, every `stride`-th of large ones.
  private func flip(_ specimen: Specimen, stride step: Int = 1) throws {
    let sandbox = try Sandbox(specimen)
    var chance = SystemRandomNumberGenerator()
    var unnoticed: [String: Int] = [:]
    var flips = 0
    for (name, bytes) in specimen.files.sorted(by: { $0.key < $1.key }) {
      let step = bytes.count > 3000 ? step : 1
      for offset in stride(from: Int.random(in: 0..<step), to: bytes.count, by: step) {
        for mask in [UInt8(1) << UInt8.random(in: 0..<8, using: &chance), 0xFF] {
          var damaged = bytes
          damaged[offset] ^= mask
          try sandbox.write(damaged, to: name)
          flips += 1
          let isNoticed = check(
            sandbox.read(), specimen, allowed: [specimen.truth],
            "\(specimen.name), \(name), byte \(offset) ^ \(mask)")
          if !isNoticed { unnoticed[name, default: 0] += 1 }
        }
      }
      try sandbox.write(bytes, to: name)
    }
    print("corruption: \(specimen.name), \(flips) flips, without effect: \(unnoticed)")
    // Only the padding of journal records and their proofs of a sync may be anything.
    for (name, count) in unnoticed {
      #expect(name.hasPrefix("journal.") && count <= 2 * 4 * 47, "\(name): \(count)")
    }
  }

  private func cut(_ specimen: Specimen, stride step: Int = 1) throws {
    let sandbox = try Sandbox(specimen)
    for (name, bytes) in specimen.files.sorted(by: { $0.key < $1.key }) {
      let isJournal = name == specimen.journal
      let step = bytes.count > 3000 ? step : 1
      for length in stride(from: 0, to: bytes.count, by: step) {
        try sandbox.write(Array(bytes[..<length]), to: name)
        let what = "\(specimen.name), \(name), cut to \(length)"
        let isNoticed = check(
          sandbox.read(), specimen, allowed: isJournal ? specimen.earlier : [], what)
        // What a journal has lost at its end cannot be told from what it never had.
        #expect(isNoticed || isJournal, "\(what): unnoticed")
      }
      try sandbox.write(bytes + [0], to: name)
      _ = check(sandbox.read(), specimen, allowed: [specimen.truth], "\(name), a byte more")
      try sandbox.remove(name)
      let outcome = sandbox.read()
      let codes = outcome.refusal.map { [$0] } ?? outcome.answers?.refusals ?? []
      let expected: LimelightError.Code = name.hasPrefix("manifest.") ? .notFound : .damaged
      #expect(
        codes.subtracting(specimen.truth.refusals) == [expected]
          || outcome.problems.map(\.code) == [expected], "\(name), removed")
      try sandbox.write(bytes, to: name)
    }
  }

  @Test func aSegmentOfAllKindsOfValues() throws {
    let specimen = try Specimen.single()
    try flip(specimen)
    try cut(specimen)
  }

  @Test func segmentsWithDeletionsAndAJournal() throws {
    let specimen = try Specimen.several()
    try flip(specimen, stride: 2)
    try cut(specimen)
  }

  @Test func segmentsWithoutStoredItems() throws {
    let specimen = try Specimen.bare()
    try flip(specimen, stride: 3)
    try cut(specimen)
  }

  /// A writer refuses what a reader refuses, and then leaves everything as it was.
  @Test func aWriterOpensNoDamage() throws {
    let specimen = try Specimen.several()
    let sandbox = try Sandbox(specimen)
    for (name, bytes) in specimen.files
    where name.hasPrefix("journal.") || name.hasPrefix("manifest.") {
      for offset in stride(from: Int.random(in: 0..<5), to: bytes.count, by: 5) {
        var damaged = bytes
        damaged[offset] ^= UInt8.random(in: 1...255)
        try sandbox.write(damaged, to: name)
        let outcome = sandbox.write()
        let what = "\(name), byte \(offset)"
        if let refusal = outcome.refusal {
          #expect(Self.codes.contains(refusal), "\(what): \(refusal)")
          try sandbox.write(bytes, to: name)
          #expect(sandbox.read().answers == specimen.truth, "\(what): something is lost")
        } else {
          #expect(outcome.answers == specimen.truth, "\(what)")
          try sandbox.restore()
        }
      }
    }
  }

  @Test func filesOfManyPages() throws {
    let specimen = try Specimen.large()
    #expect(specimen.files.keys.contains { $0.hasPrefix("dictionary.") })
    #expect((specimen.files.values.map(\.count).max() ?? 0) > 3 << 16)
    try flip(specimen, stride: 997)
    try cut(specimen, stride: 3989)
  }
}
