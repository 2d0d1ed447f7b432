// Writers that other processes watch, wait for, or kill.

import Limelight
import LimelightStorage

/// Puts items one after the other and tells of each.
enum WritingTrial {
  /// Goes on from the items that are there until it is killed: `open N`, then the number of each item put.
  static func hold(folder: String) throws {
    let index = try Index(folder)
    var number = try index.count
    tell("open \(number)")
    while true {
      try index.put([item(number).item])
      tell("\(number)")
      number += 1
      if number % 3 == 0 { try index.commit() }
      if number % 20 == 0 { try index.merge(into: 1 + number % 3) }
    }
  }

  /// Replaces everything five times, with a commit each, and merges.
  static func churn(folder: String, isSole: Bool) throws {
    let index = try Index(folder, options: IndexConfiguration(soleWriter: isSole))
    let count = try index.count
    for round in 1...5 {
      for start in stride(from: 0, to: count, by: 1000) {
        let batch = (start..<min(start + 1000, count)).map { item($0, round: round).item }
        try index.put(batch)
      }
      if round == 5 { try index.delete(ids: (0..<count / 2).map { "i\($0)" }) }
      try index.commit()
    }
    try index.merge()
    try index.close()
    tell("churn: \(count) items")
  }

  /// Adds so many items of a name in batches, and gives others the lock after each.
  ///
  /// Arguments: folder, name, number of items.
  static func append(_ arguments: [String]) throws {
    guard arguments.count == 3, let count = Int(arguments[2]) else {
      throw TrialFailure("folder, name, items")
    }
    var waits: UInt64 = 0
    for start in stride(from: 0, to: count, by: 100) {
      let began = Clock.monotonicNanoseconds()
      let index = try Index(arguments[0], options: IndexConfiguration(lockWait: 30_000))
      waits += Clock.monotonicNanoseconds() - began
      let receipt = try index.put(
        (start..<min(start + 100, count)).map { number in
          Item(
            id: "\(arguments[1])/\(number)", domain: arguments[1],
            attributes: [.title: .text("all \(arguments[1]) \(number)")])
        })
      guard receipt.refused.isEmpty else { throw TrialFailure("\(receipt.refused)") }
      try index.close()
    }
    tell("append: \(count) items, waited \(waits / 1_000_000) ms")
  }

  private static func item(_ number: Int, round: Int = 0) -> TrialItem {
    TrialItem(
      id: "i\(number)", domain: "d\(number % 5)", words: ["all", "n\(number)", "r\(round)"],
      number: number, thumbnail: number % 10 == 0 ? 40 : 0)
  }
}
