// How far inputs got: counts that show whether the code behind the checks is reached at all.

/// Counts of what the targets have done since the start.
///
/// For one thread.
package enum FuzzReach {
  /// Something that a target did with an input.
  package enum Step: Int, CaseIterable, Sendable {
    /// Refused at the door.
    case refused
    /// Opened, or parsed whole.
    case opened
    /// Found whole by `verify`.
    case whole
    case terms, postings, positions, columnValues, storedItems, hits, merges, records, items
    case highlights
  }

  nonisolated(unsafe) private static var counts = [Int](repeating: 0, count: Step.allCases.count)

  static func note(_ step: Step, _ count: Int = 1) { counts[step.rawValue] &+= count }

  package static func count(_ step: Step) -> Int { counts[step.rawValue] }

  /// All counts that are not 0, in one line.
  package static var report: String {
    Step.allCases.filter { count($0) > 0 }.map { "\($0) \(count($0))" }.joined(separator: ", ")
  }
}
