// Finds an order of items in which those with the same words stand together.

internal import LimelightCodecs
internal import LimelightSegments
internal import LimelightSnapshots

/// Orders the items of a merge so that the gaps in the lists of their words are short.
///
/// Recursive graph bisection: the items are halved again and again so that as few words as possible stand in
/// both halves. (Dhulipala, Kabiljo, Karrer, Ottaviano, Pupyrev, Shalita: Compressing Graphs and Indexes
/// with Recursive Graph Bisection, KDD 2016; the exchange at a median is that of Mackenzie, Petri,
/// Moffat: Faster Index Reordering with Bipartite Graph Partitioning, SIGIR 2021.)
///
/// Words of the standard field that few items hold say nothing, and those that more than an eighth hold are
/// stored as bits, whatever the order. What is left is kept in memory, 4 bytes a posting; where that
/// would be more than 64 MiB, only as many words as fit, chosen by their hash.
struct DocumentOrdering {
  private let views: [SegmentView]
  private let map: DocumentMap

  private static let leastFrequency: UInt32 = 16
  private static let postingsLimit = 16 << 20

  init(_ views: [SegmentView], map: DocumentMap) {
    self.views = views
    self.map = map
  }

  /// The ranks of the items by arrival, in the order of the documents to be.
  ///
  /// When `isCancelled`, asked now and then, says so, any order.
  func order(isCancelled: () -> Bool) throws(CorruptionError) -> [UInt32] {
    let words = try chooseWords(isCancelled)
    let lists = try WordLists(views, map, words, isCancelled)
    let bisection = GraphBisection(lists)
    bisection.run(isCancelled)
    return bisection.order
  }

  /// Numbers for the words that count, by the hashes of their bytes: two words of one hash are taken for one.
  private func chooseWords(_ isCancelled: () -> Bool) throws(CorruptionError) -> [UInt64: UInt32] {
    var frequencies: [UInt64: Int] = [:]
    try Self.forEachWord(views) { _, _, hash, entry, _ in
      frequencies[hash, default: 0] += Int(entry.documentFrequency)
      return !isCancelled()
    }
    frequencies = frequencies.filter { $0.value <= map.count / 8 }
    let postings = frequencies.values.reduce(0, +)
    if postings > Self.postingsLimit {
      let bound = UInt64.max / UInt64(postings) * UInt64(Self.postingsLimit)
      frequencies = frequencies.filter { $0.key &* 0x9E37_79B9_7F4A_7C15 <= bound }
    }
    var numbers: [UInt64: UInt32] = [:]
    for hash in frequencies.keys.sorted() { numbers[hash] = UInt32(numbers.count) }
    return numbers
  }

  /// Calls `body` with each word that enough items of an input hold, until it returns false.
  static func forEachWord(
    _ views: [SegmentView],
    _ body: (
      _ input: Int, _ dictionary: TermDictionary, _ hash: UInt64, _ entry: TermEntry,
      _ arena: ScratchArena
    ) throws(CorruptionError) -> Bool
  ) throws(CorruptionError) {
    for (input, view) in views.enumerated() {
      guard let dictionary = try view.segment.field(.standard) else { continue }
      let arena = ScratchArena()
      var terms = try dictionary.iterator(arena: arena)
      while try terms.next() {
        guard terms.entry.documentFrequency >= leastFrequency else { continue }
        let term = terms.term
        guard let base = term.baseAddress else { continue }
        let hash = XXH64.hash(base, term.count, seed: 0)
        guard try body(input, dictionary, hash, terms.entry, arena) else { return }
      }
    }
  }
}

/// The words of each item, as numbers.
struct WordLists {
  /// The words of item i are `words[starts[i] ..< starts[i + 1]]`; items by arrival.
  private(set) var starts: [Int]
  private(set) var words: [UInt32]
  let wordCount: Int
  var count: Int { starts.count - 1 }

  /// Turns the lists of the words in `numbers` around.
  init(
    _ views: [SegmentView], _ map: DocumentMap, _ numbers: [UInt64: UInt32],
    _ isCancelled: () -> Bool
  ) throws(CorruptionError) {
    var starts = [Int](repeating: 0, count: map.count + 1)
    try Self.forEachPosting(views, map, numbers, isCancelled) { item, _ in starts[item + 1] += 1 }
    for item in 0..<map.count { starts[item + 1] += starts[item] }
    var words = [UInt32](repeating: 0, count: starts[map.count])
    var ends = starts
    try Self.forEachPosting(views, map, numbers, isCancelled) { item, word in
      // A file that is cut meanwhile may say something else the second time.
      guard ends[item] < starts[item + 1] else { return }
      words[ends[item]] = word
      ends[item] += 1
    }
    self.starts = starts
    self.words = words
    wordCount = numbers.count
  }

  private static func forEachPosting(
    _ views: [SegmentView], _ map: DocumentMap, _ numbers: [UInt64: UInt32],
    _ isCancelled: () -> Bool, _ body: (_ item: Int, _ word: UInt32) -> Void
  ) throws(CorruptionError) {
    var cursors: [Int: PostingsCursor] = [:]
    try DocumentOrdering.forEachWord(views) {
      (input, dictionary, hash, entry, arena) throws(CorruptionError) -> Bool in
      guard let word = numbers[hash] else { return true }
      var cursor: PostingsCursor
      if let known = cursors[input] {
        cursor = known
        try cursor.open(entry, in: dictionary)
      } else {
        cursor = try PostingsCursor(entry, in: dictionary, arena: arena)
      }
      let row = map.rows[input]
      for block in 0..<cursor.blockCount {
        try cursor.load(block: block)
        for i in 0..<cursor.count {
          let item = row[Int(cursor.documents[i])]
          if item != DocumentMap.dropped { body(Int(item), word) }
        }
      }
      cursors[input] = cursor
      return !isCancelled()
    }
  }
}
