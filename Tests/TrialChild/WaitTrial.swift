// Two sides of a hand-over: a writer that tells generations, a reader whose looks are counted.

import Glibc
import Limelight
import LimelightStorage

/// Puts, loads, commits and merges, and tells the generation and the last id of each change.
enum HandOverTrial {
  /// Takes the folder and the number of changes; says `GENERATION ID` for each, and `done`.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2, let count = Int(arguments[1]) else {
      throw TrialFailure("folder, changes")
    }
    var index = try Index(arguments[0])
    for number in 0..<count {
      let id = "i\(number)"
      let generation: UInt64
      if number % 7 == 3 {
        var batches = [[item(id), item(id + "/second")]]
        generation = try index.load { batches.popLast().map { .items($0) } }.generation
      } else {
        generation = try index.put([item(id)]).generation
      }
      tell("\(generation) \(id)")
      switch number % 10 {
      case 2, 6: try index.commit()
      case 8: try index.merge()
      case 9:
        // The next writer goes on with another journal, or with this one.
        try index.close()
        index = try Index(arguments[0])
      default: break
      }
    }
    tell("done")
    // Holds the lock until the parent ends it.
    while true { Clock.sleep(milliseconds: 1000) }
  }

  private static func item(_ id: String) -> Item {
    Item(id: id, attributes: [.title: .text("all \(id)")])
  }
}

/// A reader that nothing new comes for; the library that is loaded before counts its system calls.
enum IdleTrial {
  static func run(folder: String) throws {
    guard let address = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "calls_so_far") else {
      throw TrialFailure("nobody counts")
    }
    let callsSoFar = unsafeBitCast(address, to: (@convention(c) () -> Int).self)
    let index = try Index(folder, access: .readOnly)
    let count = try index.count
    // The first look of a second goes further.
    try index.wait(for: 1, milliseconds: 0)
    let looks = 2000
    let start = Clock.monotonicNanoseconds()
    let before = callsSoFar()
    for _ in 0..<looks {
      guard try index.count == count else { throw TrialFailure("something has come") }
    }
    let calls = callsSoFar() - before
    let seconds = Int((Clock.monotonicNanoseconds() - start) / 1_000_000_000) + 1
    // One a look; about once a second two names and the segments, of which there are few.
    guard calls <= looks + seconds * 20 else { throw TrialFailure("\(calls) calls") }
    tell("idle: \(looks) looks, \(calls - looks <= seconds * 20 ? "one call each" : "\(calls)")")
  }
}
