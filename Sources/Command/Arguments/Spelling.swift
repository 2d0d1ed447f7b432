// Words that may have been meant.

/// Finds the word that was probably meant.
enum Spelling {
  /// The candidate with the fewest letters added, left out, changed or swapped, if it is near
  /// enough to be a slip: at most a third of the letters, or a beginning of the candidate.
  static func nearest(to word: String, in candidates: [String]) -> String? {
    if word.isEmpty { return nil }
    let near = candidates.map { (candidate: $0, distance: distance(word, $0)) }
      .min { $0.distance < $1.distance }
    if let near, near.distance <= max(1, (word.count + 1) / 3) { return near.candidate }
    let longer = candidates.filter { $0.hasPrefix(word) }
    return longer.count == 1 ? longer[0] : nil
  }

  /// A question to put behind a message: the nearest word, or nothing when none is near.
  static func question(about word: String, in candidates: [String], dashes: String = "") -> String {
    guard let nearest = nearest(to: word, in: candidates) else { return "" }
    return "; did you mean '\(dashes)\(nearest)'?"
  }

  /// The edit distance with swaps of neighbours (optimal string alignment), in |a| x |b| steps.
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforePrevious[j - 1] + 1)
        }
        row.append(best)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }
}
