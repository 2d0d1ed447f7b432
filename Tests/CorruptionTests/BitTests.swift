// Every bit of a small index flipped, one at a time: right answers, or an error that names the file.

import Limelight
import Testing

struct BitTests {
  @Test("S08, corrupt order: no flipped bit is an answer, and each one that matters is named")
  func noFlippedBitIsAnAnswer() throws {
    let specimen = try Specimen.tiny()
    let sandbox = try Sandbox(specimen)
    var flips = 0
    var unnoticed: [String: Int] = [:]
    for (name, bytes) in specimen.files.sorted(by: { $0.key < $1.key }) {
      for bit in 0..<bytes.count * 8 {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        try sandbox.write(damaged, to: name)
        flips += 1
        if try !isNoticed(sandbox, specimen, name, "\(name), bit \(bit)") {
          unnoticed[name, default: 0] += 1
        }
      }
      try sandbox.write(bytes, to: name)
    }
    print("corruption: \(flips) bits, without effect: \(unnoticed)")
    // Only what pads the records of a journal, and the last proof of a sync, may be anything.
    for (name, count) in unnoticed {
      #expect(name.hasPrefix("journal.") && count <= 8 * 64, "\(name): \(count)")
    }
    #expect(flips > 20_000)
    #expect(sandbox.read().answers == specimen.truth)
  }

  /// Opens, asks everything and verifies; whether anything was noticed.
  private func isNoticed(
    _ sandbox: Sandbox, _ specimen: Specimen, _ name: String, _ what: String
  ) throws -> Bool {
    do throws(LimelightError) {
      let index = try Index(sandbox.path, access: .readOnly)
      let answers = Answers(of: index)
      let problems = try index.verify()
      let lies = answers.lies(against: specimen.truth)
      #expect(lies.isEmpty, "\(what): wrong answers to questions \(lies)")
      #expect(answers == specimen.truth || !problems.isEmpty, "\(what): verify finds nothing")
      for problem in problems { #expect(problem.file == name, "\(what): \(problem)") }
      return !problems.isEmpty
    } catch {
      #expect([.damaged, .newerFormat, .olderFormat].contains(error.code), "\(what): \(error)")
      #expect(error.file == name, "\(what): \(error)")
      return true
    }
  }
}
