// Walks every field, term and list of a segment and names what is wrong.

extension Segment {
  /// Reads all terms, postings and positions, and checks what readers rely on.
  ///
  /// Linear in the size of the index part of the segment. Stops at the first damage of each field.
  func verifyFields(_ isCancelled: () -> Bool) -> [CorruptionError] {
    var problems: [CorruptionError] = []
    do throws(CorruptionError) {
      for key in try fieldKeys() {
        do throws(CorruptionError) {
          guard let dictionary = try field(key) else { continue }
          try dictionary.verify(isCancelled)
          if key == .standard { try PrefixLists(self)?.verify(dictionary, isCancelled) }
        } catch {
          problems.append(error)
        }
      }
    } catch {
      problems.append(error)
    }
    return problems
  }
}

extension TermDictionary {
  /// Reads every list of the field.
  fileprivate func verify(_ isCancelled: () -> Bool) throws(CorruptionError) {
    let arena = ScratchArena()
    let tails = try TermTails(self)
    var terms = try iterator(arena: arena)
    var previous: [UInt8] = []
    var seen = 0
    var postingSum = 0
    while try terms.next() {
      if isCancelled() { return }
      let term = terms.term
      let isAscending =
        seen == 0
        || previous.withUnsafeBytes { TermOrder.compare($0, term) } < 0
      guard isAscending else { throw pages.corrupt("terms are out of order", at: pagesStart) }
      if let tails, tails.code(at: seen) != TermTails.code(of: term) {
        throw pages.corrupt("a term ends otherwise than its tail says", at: pagesStart)
      }
      previous = Array(term)
      seen += 1
      let listArena = ScratchArena()
      var cursor = try PostingsCursor(terms.entry, in: self, arena: listArena)
      postingSum += try verify(&cursor)
    }
    guard seen == termCount, postingSum == postingCount else {
      throw pages.corrupt("a field has not as many terms or postings as it says", at: pagesStart)
    }
  }

  /// Reads a list and returns its length.
  private func verify(_ cursor: inout PostingsCursor) throws(CorruptionError) -> Int {
    var sum = 0
    var last: UInt32?
    for block in 0..<cursor.blockCount {
      try cursor.load(block: block)
      try cursor.loadFrequencies()
      try cursor.loadCodes()
      guard cursor.documents[0] == cursor.firstDocuments[block] else {
        throw pages.corrupt("a block does not start with its first document", at: pagesStart)
      }
      for i in 0..<cursor.count {
        if let last, cursor.documents[i] <= last {
          throw pages.corrupt("documents of a list are out of order", at: pagesStart)
        }
        last = cursor.documents[i]
        let positions = try cursor.positions(at: i)
        for j in 1..<max(positions.count, 1) where positions[j] <= positions[j - 1] {
          throw pages.corrupt("positions of a posting are out of order", at: pagesStart)
        }
      }
      sum += cursor.count
    }
    guard sum == cursor.documentFrequency else {
      throw pages.corrupt("a list is not as long as its entry says", at: pagesStart)
    }
    return sum
  }
}
