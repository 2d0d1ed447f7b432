// Counts the items that hold one word: a look-up, where nothing was deleted.

internal import LimelightAnalysis
internal import LimelightSegments

extension Query {
  /// The text of the only word that decides whether an item matches, if the query is that simple.
  var onlyText: String? {
    var query = self
    // Deeper ones take the long way, which refuses those that are too deep.
    for _ in 0..<8 {
      switch query {
      case .term(let text, in: nil): return text
      case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
        query = parts[0]
      case .boolean(let must, _, let not) where must.count == 1 && not.isEmpty: query = must[0]
      case .boolean(let must, let should, let not)
      where must.isEmpty && should.count == 1 && not.isEmpty:
        query = should[0]
      default: return nil
      }
    }
    return nil
  }
}

extension Searcher {
  /// How many items match, if the dictionary alone can tell; nil if lists must be read.
  ///
  /// The length of a word's list is the number of items that hold it, as long as none is dead or may
  /// expire. Costs a look-up a segment, and no plan.
  func countByDictionary(_ query: Query) throws(SearchError) -> Int? {
    guard let text = query.onlyText, holdsOnlyLive else { return nil }
    var copy = text
    copy.withUTF8 { analyzer.analyze(UnsafeRawBufferPointer($0), into: tokens) }
    guard tokens.count == 1 else { return tokens.count == 0 ? 0 : nil }
    do throws(CorruptionError) {
      var sum = 0
      for context in try contexts(for: nil) {
        sum += Int(try context.dictionary(.standard)?.find(tokens.term(0))?.documentFrequency ?? 0)
      }
      return sum
    } catch {
      throw .corrupt(error)
    }
  }
}
