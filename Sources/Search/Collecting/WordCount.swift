// Counts the items that hold one word: a look-up, where nothing was deleted.

internal import LimelightAnalysis
internal import LimelightSegments
internal import LimelightSnapshots

extension Query {
  /// The text of the only word that decides whether an item matches, if the query is that simple.
  var onlyText: String? {
    // Deeper ones take the long way, which refuses those that are too deep.
    onlyText(within: 8)
  }

  private func onlyText(within depth: Int) -> String? {
    guard depth > 0 else { return nil }
    switch self {
    case .term(let text, in: nil): return text
    case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
      return parts[0].onlyText(within: depth - 1)
    case .boolean(let must, _, let not) where must.count == 1 && not.isEmpty:
      return must[0].onlyText(within: depth - 1)
    case .boolean(let must, let should, let not)
    where must.isEmpty && should.count == 1 && not.isEmpty:
      return should[0].onlyText(within: depth - 1)
    default: return nil
    }
  }
}

extension Searcher {
  /// How many items match, if the dictionary alone can tell; nil if lists must be read.
  ///
  /// The length of a word's list is the number of items that hold it, as long as none is dead or may
  /// expire. Costs a look-up a segment, and no plan.
  func countByDictionary(_ query: Query) throws(SearchError) -> Int? {
    guard holdsOnlyLive, var text = query.onlyText else { return nil }
    text.withUTF8 { analyzer.analyze(UnsafeRawBufferPointer($0), into: tokens) }
    guard tokens.count == 1 else { return tokens.count == 0 ? 0 : nil }
    do throws(CorruptionError) {
      try prepareContexts(for: nil)
      let term = tokens.term(0)
      var entry = TermEntry()
      var sum = 0
      for view in 0..<snapshot.views.count {
        if try standard[view]?.find(term, into: &entry) ?? false {
          sum &+= Int(entry.documentFrequency)
        }
      }
      return sum
    } catch {
      throw .corrupt(error)
    }
  }
}
