// Goes through a run of intervals: adds essential lists up, looks the others up for what can win.

internal import LimelightCodecs
internal import LimelightSegments

extension DisjunctionCollector {
  /// Offers what can win in the intervals `first ..< last`.
  func collectRun(_ first: Int, _ last: Int) throws(CorruptionError) {
    let (start, end) = documents(first, last)
    let nonEssential = partition(first, last)
    for interval in first..<last {
      var sum: Float = 0
      for place in 0..<nonEssential { sum += parts[order[place]].bounds[interval] }
      missing[interval &- first] = sum * margin
    }
    runIntervals = last &- first
    for i in 0..<runIntervals {
      cuts[i] = max((heap.threshold - missing[i]) * (2 - margin), 0)
    }
    candidateCount = 0
    try gather(start, end, nonEssential)
    guard candidateCount > 0 else { return }
    if nonEssential > 0 && sums[nonEssential] > 0 && isBulkCheaper(start, end, nonEssential) {
      try completeInBulk(first, start, end, nonEssential)
    } else {
      for i in 0..<candidateCount {
        let offset = Int(candidates[i] &- start)
        try complete(
          candidates[i], candidateScores[i], first, offset &>> Int(shift), nonEssential)
      }
    }
  }

  // MARK: Essential lists

  /// Adds up the essential lists, and notes the documents that exceed their interval's cut.
  private func gather(
    _ start: UInt32, _ end: UInt32, _ nonEssential: Int
  ) throws(CorruptionError) {
    if nonEssential &+ 1 == partCount {
      return try walk(order[nonEssential], start, end, nonEssential)
    }
    clear(start, end)
    let all = sums[partCount]
    var postings = 0
    for place in nonEssential..<partCount {
      postings &+= parts[order[place]].list.pointee.documentFrequency
    }
    let isSparse = postings < Int(context.documentCount) / 6
    for index in 0..<partCount where parts[index].runBound > 0 {
      if isNonEssential(index, nonEssential) { continue }
      try accumulate(
        index, start, end, others: all - parts[index].runBound, marks: isSparse)
    }
    if isSparse {
      visitMarks(start, end)
    } else {
      scan(start, end)
    }
  }

  /// Orders the lists by their bounds in a run; how many of the least do not exceed the threshold.
  private func partition(_ first: Int, _ last: Int) -> Int {
    for index in 0..<partCount {
      var bound: Float = 0
      let bounds = parts[index].bounds
      for interval in first..<last where bounds[interval] > bound { bound = bounds[interval] }
      parts[index].runBound = bound
      var place = index
      while place > 0 && parts[order[place &- 1]].runBound > bound {
        order[place] = order[place &- 1]
        place &-= 1
      }
      order[place] = index
    }
    sums[0] = 0
    var nonEssential = 0
    for place in 0..<partCount {
      sums[place &+ 1] = sums[place] + parts[order[place]].runBound
      if sums[place &+ 1] * margin <= heap.threshold { nonEssential = place &+ 1 }
    }
    return min(nonEssential, partCount &- 1)
  }

  private func isNonEssential(_ index: Int, _ nonEssential: Int) -> Bool {
    for place in 0..<nonEssential where order[place] == index { return true }
    return false
  }

  func clear(_ start: UInt32, _ end: UInt32) {
    let count = Int(end &- start)
    accumulators.initialize(repeating: 0, count: count &+ 8)
    touched.initialize(repeating: 0, count: count &>> 6 &+ 1)
  }

  /// Adds a list's scores in `start ..< end` to the accumulators, and marks these if asked to.
  ///
  /// Blocks and postings that together with the `others` do not exceed the threshold are left out:
  /// their documents cannot win, and what the others add up for them is too little.
  func accumulate(
    _ index: Int, _ start: UInt32, _ end: UInt32, others: Float, marks: Bool
  ) throws(CorruptionError) {
    if let documents = parts[index].documents, let scores = parts[index].scores {
      let from = seek(start, in: index, documents)
      var to = from
      while documents[to] < end { to &+= 1 }
      add(documents + from, scores + from, to &- from, start, marks)
      return
    }
    let list = parts[index].list
    let first = list.pointee.postings.firstDocuments
    let floor = (heap.threshold - others * margin) * (2 - margin)
    var number = list.pointee.blockIndex(for: start)
    while number < list.pointee.blockCount && first[number] < end {
      if (list.pointee.bound(ofBlock: number) + others) * margin > heap.threshold {
        let (from, to) = try score(list, number, start, end, above: floor)
        add(list.pointee.documents + from, scores, to &- from, start, marks)
      }
      number &+= 1
    }
  }

  @inline(__always)
  private func add(
    _ documents: UnsafePointer<UInt32>, _ scores: UnsafePointer<Float>, _ count: Int,
    _ start: UInt32, _ marks: Bool
  ) {
    let accumulators = self.accumulators
    for i in 0..<count { accumulators[Int(documents[i] &- start)] += scores[i] }
    guard marks else { return }
    let touched = self.touched
    for i in 0..<count { BitSet.set(touched, Int(documents[i] &- start)) }
  }

  /// Scores what a block has in `start ..< end`, and says which postings these are.
  @inline(__always)
  private func score(
    _ list: UnsafeMutablePointer<TermList>, _ number: Int, _ start: UInt32, _ end: UInt32,
    above floor: Float
  ) throws(CorruptionError) -> (from: Int, to: Int) {
    try list.pointee.load(number)
    let documents = list.pointee.documents
    let count = list.pointee.count
    let from =
      documents[0] >= start
      ? 0 : BlockIndex.first(notBelow: start, in: documents, from: 0, count: count)
    let to =
      count > 0 && documents[count &- 1] < end
      ? count : BlockIndex.first(notBelow: end, in: documents, from: from, count: count)
    try list.pointee.score(from..<to, into: scores, above: floor)
    return (from, to)
  }

  /// With one essential list: notes its postings without any accumulator.
  private func walk(
    _ index: Int, _ start: UInt32, _ end: UInt32, _ nonEssential: Int
  ) throws(CorruptionError) {
    if let documents = parts[index].documents, let scores = parts[index].scores {
      var i = seek(start, in: index, documents)
      while documents[i] < end {
        note(documents[i], scores[i], start)
        i &+= 1
      }
      return
    }
    let list = parts[index].list
    let others = sums[nonEssential]
    let firstDocuments = list.pointee.postings.firstDocuments
    var number = list.pointee.blockIndex(for: start)
    while number < list.pointee.blockCount && firstDocuments[number] < end {
      if (list.pointee.bound(ofBlock: number) + others) * margin > heap.threshold {
        let floor = (heap.threshold - others * margin) * (2 - margin)
        let (from, to) = try score(list, number, start, end, above: floor)
        for i in from..<to {
          note(list.pointee.documents[i], scores[i &- from], start)
        }
      }
      number &+= 1
    }
  }

  /// Notes the marked accumulators.
  private func visitMarks(_ start: UInt32, _ end: UInt32) {
    for word in 0..<((Int(end &- start) &+ 63) &>> 6) {
      var bits = touched[word]
      while bits != 0 {
        let i = word &* 64 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        note(start &+ UInt32(truncatingIfNeeded: i), accumulators[i], start)
      }
    }
  }

  /// Notes the accumulators that exceed their interval's cut.
  private func scan(_ start: UInt32, _ end: UInt32) {
    // Scores are not negative, so their bits sort like them.
    let bits = UnsafeRawPointer(accumulators).assumingMemoryBound(to: UInt32.self)
    let size = 1 &<< Int(shift)
    var from = 0
    var interval = 0
    while from < Int(end &- start) {
      let to = min(from &+ size, Int(end &- start))
      var i = from &- 1
      while true {
        i = BlockSearch.firstIndex(
          notBelow: cuts[interval].bitPattern &+ 1, in: bits, from: i &+ 1, count: to)
        guard i < to else { break }
        note(start &+ UInt32(truncatingIfNeeded: i), accumulators[i], start)
      }
      from = to
      interval &+= 1
    }
  }

  // MARK: Candidates

  /// Notes a document if it exceeds its interval's cut.
  @inline(__always)
  private func note(_ document: UInt32, _ accumulated: Float, _ start: UInt32) {
    // Which ones exceed it cannot be foreseen: all are written, without a branch, and some kept. In a
    // sound list no document comes twice, so that the run has room for all.
    let isKept =
      accumulated > cuts[Int((document &- start) &>> shift)] && candidateCount < runCapacity
    candidates[candidateCount] = document
    candidateScores[candidateCount] = accumulated
    candidateCount &+= isKept ? 1 : 0
  }

  /// Whether adding the lists up that are not essential costs less than looking candidates up in them.
  ///
  /// A look-up costs as much as about 12 postings in a row.
  private func isBulkCheaper(_ start: UInt32, _ end: UInt32, _ nonEssential: Int) -> Bool {
    var postings = 0
    for place in 0..<nonEssential where parts[order[place]].runBound > 0 {
      postings &+= parts[order[place]].list.pointee.documentFrequency
    }
    let inRun = Double(postings) * Double(end &- start) / Double(context.documentCount)
    return Double(candidateCount) * 12 > inRun
  }

  /// Adds the lists that are not essential up for all candidates of a run.
  private func completeInBulk(
    _ first: Int, _ start: UInt32, _ end: UInt32, _ nonEssential: Int
  ) throws(CorruptionError) {
    clear(start, end)
    let all = sums[partCount]
    for place in 0..<nonEssential where parts[order[place]].runBound > 0 {
      let index = order[place]
      try accumulate(index, start, end, others: all - parts[index].runBound, marks: false)
    }
    var kept = 0
    for i in 0..<candidateCount {
      let score = candidateScores[i] + accumulators[Int(candidates[i] &- start)]
      candidates[kept] = candidates[i]
      candidateScores[kept] = score
      kept &+= score * margin > heap.threshold ? 1 : 0
    }
    for i in 0..<kept where candidateScores[i] * margin > heap.threshold {
      let document = candidates[i]
      guard collection.accepted.contains(document) else { continue }
      try insert(document, candidateScores[i], first &+ Int(document &- start) &>> Int(shift))
    }
  }

  /// Looks a document up in the lists that are not essential, the best first, while it can still win.
  private func complete(
    _ document: UInt32, _ accumulated: Float, _ first: Int, _ interval: Int, _ nonEssential: Int
  ) throws(CorruptionError) {
    guard collection.accepted.contains(document) else { return }
    var score = accumulated
    var rest = missing[interval]
    var place = nonEssential
    while place > 0 {
      place &-= 1
      let index = order[place]
      let bound = parts[index].bounds[first &+ interval]
      guard bound > 0 else { continue }
      guard (score + rest) * margin > heap.threshold else { return }
      rest = max(rest - bound, 0)
      score += try self.score(of: document, in: index)
    }
    guard score * margin > heap.threshold else { return }
    try insert(document, score, first &+ interval)
  }

  /// Offers a document with its score, summed up in some order.
  private func insert(
    _ document: UInt32, _ sum: Float, _ interval: Int
  ) throws(CorruptionError) {
    var score = sum
    // The sum of two is the same either way; that of more is made in the order of the query.
    if partCount > 2 {
      score = 0
      for index in 0..<partCount where parts[index].bounds[interval] > 0 {
        score += try self.score(of: document, in: index)
      }
    }
    guard score > heap.threshold else { return }
    heap.insert(document, view: collection.view, score: score)
  }

  /// The score that one list gives a document, or 0.
  private func score(of document: UInt32, in index: Int) throws(CorruptionError) -> Float {
    if let documents = parts[index].documents, let scores = parts[index].scores {
      let place = seek(document, in: index, documents)
      return documents[place] == document ? scores[place] : 0
    }
    let list = parts[index].list
    let place = try list.pointee.locate(document)
    return place >= 0 ? try list.pointee.score(at: place) : 0
  }

  /// The first place of a short list that is not before a document; gallops from the last one.
  @inline(__always)
  private func seek(
    _ document: UInt32, in index: Int, _ documents: UnsafePointer<UInt32>
  ) -> Int {
    let count = parts[index].count
    var low = parts[index].place
    if low > 0 && documents[low &- 1] >= document { low = 0 }
    var step = 1
    while low &+ step < count && documents[low &+ step &- 1] < document {
      low &+= step
      step &+= step
    }
    // Everything before low is before the document.
    var high = min(low &+ step, count)
    while low < high {
      let middle = (low &+ high) &>> 1
      if documents[middle] < document { low = middle &+ 1 } else { high = middle }
    }
    parts[index].place = low
    return low
  }
}
