// An index whose segment file another process cuts short while it is open.

import Glibc
import Limelight
import LimelightStorage

/// Asks the same questions again and again: each answer is right, or the error of damage.
///
/// Arguments: folder, `read` or `write`, `guarded` or `mapped`, the file that is cut. Says `open` when the
/// file may be cut, and at the end where it was told to be damaged.
enum CutTrial {
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 4 else { throw TrialFailure("folder, access, maps, file") }
    let isWriter = arguments[1] == "write"
    let index = try Index(
      arguments[0],
      options: IndexConfiguration(fileAccess: arguments[2] == "guarded" ? .guardedMap : .map),
      access: isWriter ? .readWrite : .readOnly)
    let trial = CutTrial.Run(
      index, file: arguments[3], kept: try index.search("all", limit: 40), isWriter: isWriter)
    try trial.untilDamaged()
    try trial.allIsDamaged()
    if isWriter { try trial.changesAreRefused() }
    try trial.close(isWriter)
    tell("damaged at \(trial.damage?.offset ?? -1)")
  }

  private final class Run {
    let index: Index
    let file: String
    let kept: Results
    let isWriter: Bool
    private(set) var damage: LimelightError?
    private var answers: [Int: String] = [:]
    private var changes = 0

    init(_ index: Index, file: String, kept: Results, isWriter: Bool) {
      self.index = index
      self.file = file
      self.kept = kept
      self.isWriter = isWriter
    }

    private static let questionCount = 14

    private func ask(_ number: Int) throws -> String {
      switch number {
      case 0: return try found { try index.search("w31 w62", limit: $0) }
      case 1: return try found { try index.search("t7", limit: $0) }
      case 2: return try found { try index.search("\"all t9\"", limit: $0) }
      case 3: return try found { try index.search("w99", limit: $0) }
      case 4: return try found { try index.search("w5 OR w6 OR w7", limit: $0) }
      case 5: return try found { try index.search(.fuzzy("w123"), limit: $0) }
      case 6: return "\(try index.count(.term("w500")))"
      case 7: return "\(try index.get("i1234") as Any)"
      case 8: return "\(try index.ids(domain: "d.3").count)"
      case 9: return "\(try index.contains("i77")) \(try index.contains("x77"))"
      case 10: return "\(try index.stats().domains.map(\.items))"
      case 11: return "\(try index.count(.between(.pageCount, 100, 1999)))"
      case 12: return try kept.map { "\(try $0.id) \(try $0.item().attributes.count)" }.joined()
      default:
        return try index.search("n8", limit: 9).map { "\(try $0.highlights())" }.joined()
      }
    }

    /// Of a writer all ids: its own puts change the scores.
    private func found(_ search: (Int) throws -> Results) throws -> String {
      let results = try search(isWriter ? 5000 : 30)
      let texts =
        isWriter
        ? try results.map { try $0.id }.sorted()
        : try results.map { "\(try $0.id) \($0.score) \(try $0.attributes()[.title] as Any)" }
      return texts.joined(separator: ",") + " of \(results.total)"
    }

    /// Asks until the cut is noticed; what comes before it is what came at first.
    func untilDamaged() throws {
      for number in 0..<Self.questionCount { answers[number] = try ask(number) }
      tell("open")
      let end = Clock.monotonicNanoseconds() + 60_000_000_000
      var number = 0
      while damage == nil {
        guard Clock.monotonicNanoseconds() < end else {
          throw TrialFailure("the cut goes unnoticed")
        }
        number = (number + 1) % (Self.questionCount + 1)
        do {
          if number == Self.questionCount {
            // Gives the background thread of a writer something to merge and to check.
            if isWriter { try change() }
          } else {
            let answer = try ask(number)
            guard answer == answers[number] else {
              throw TrialFailure("another answer to question \(number): \(answer.prefix(200))")
            }
          }
        } catch let error as LimelightError {
          try note(error)
        }
      }
    }

    private func change() throws {
      changes += 1
      try index.put([
        Item(id: "new\(changes)", domain: "new", attributes: [.title: .text("another \(changes)")])
      ])
    }

    private func note(_ error: LimelightError) throws {
      guard error.code == .damaged, error.file == file, error.offset != nil else {
        throw TrialFailure("\(error), \(error.file ?? "no file")")
      }
      damage = damage ?? error
    }

    /// From then on nothing is answered, and nothing ends the process.
    func allIsDamaged() throws {
      for _ in 0..<3 {
        for number in 0..<Self.questionCount {
          try isDamaged("question \(number)") { _ = try ask(number) }
        }
        let problems = try index.verify()
        guard problems.contains(where: { $0.file == file && $0.offset != nil }) else {
          throw TrialFailure("verify: \(problems)")
        }
      }
    }

    func changesAreRefused() throws {
      try isDamaged("put") { try change() }
      try isDamaged("put over an item") { try index.put([Item(id: "i5")]) }
      try isDamaged("delete") { try index.delete(ids: ["i5"]) }
      try isDamaged("delete by query") { try index.delete(matching: .term("t7")) }
      try isDamaged("commit") { try index.commit() }
      try isDamaged("merge") { try index.merge() }
    }

    func close(_ isWriter: Bool) throws {
      if isWriter { try isDamaged("close") { try index.close() } } else { try index.close() }
    }

    private func isDamaged(_ what: String, _ step: () throws -> Void) throws {
      do {
        try step()
      } catch let error as LimelightError {
        return try note(error)
      }
      throw TrialFailure("\(what) works without the file")
    }
  }
}

/// A host with a handler of SIGBUS of its own, and maps of its own.
enum SignalTrial {
  private static let page = 4096
  /// What the handler counts in, and the page that it mends.
  nonisolated(unsafe) private static let calls = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  nonisolated(unsafe) private static let map = UnsafeMutablePointer<UnsafeMutableRawPointer?>
    .allocate(capacity: 1)

  static func run(folder: String) throws {
    calls.initialize(to: 0)
    map.initialize(to: nil)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      SignalTrial.calls.pointee += 1
      if let place = SignalTrial.map.pointee {
        mmap(place, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
      }
    }
    guard sigaction(SIGBUS, &action, nil) == 0 else { throw TrialFailure("sigaction: \(errno)") }
    let index = try Index(
      folder + "/index", options: IndexConfiguration(fileAccess: .guardedMap), access: .readOnly)
    let file = open(folder + "/own", O_RDWR | O_CREAT, 0o600)
    guard ftruncate(file, page) == 0,
      let base = mmap(nil, page, PROT_READ, MAP_SHARED, file, 0), base != MAP_FAILED,
      ftruncate(file, 0) == 0
    else { throw TrialFailure("map: \(errno)") }
    map.pointee = base
    let byte = base.load(as: UInt8.self)
    guard calls.pointee == 1, byte == 0 else {
      throw TrialFailure("the host's handler was called \(calls.pointee) times")
    }
    map.pointee = nil
    kill(getpid(), SIGBUS)
    guard calls.pointee == 2 else { throw TrialFailure("a signal that was sent does not arrive") }
    guard try index.count(.term("all")) > 0 else { throw TrialFailure("no items") }
    tell("signals: passed on")
    // Without a handler, what is nobody's ends the process as ever.
    signal(SIGBUS, SIG_DFL)
    kill(getpid(), SIGBUS)
    throw TrialFailure("SIGBUS does not end the process")
  }
}
