// The attribute sets of the postings of field 0, and the code of each.

internal import LimelightCodecs
internal import LimelightSegments
internal import LimelightStorage

/// For each part the codes of its postings of field 0, in the order of the terms.
struct PostingCodes {
  let sets: AttributeSets
  /// For each part the number of each posting's set, and the code of each number.
  private let parts: [(numbers: [UInt32], codes: [UInt32])]
  /// For each range of terms how many postings each part has before it.
  private let starts: [[Int]]

  /// What a walk over a part's postings finds.
  private struct Counted {
    var collector: SetCollector
    var numbers: [UInt32] = []
    /// For each set the term and the document, by its number in the segment, where it first comes.
    var firsts: [(term: Int, document: UInt32)] = []
    var starts: [Int] = []
  }

  /// Works out the sets of all postings: each part's in a thread.
  init(
    _ parts: [FlushPart], _ terms: TermsInOrder, _ ranges: [Range<Int>], attributes: [UInt16],
    limit: Int, threads: Int
  ) {
    let counted = UnsafeMutablePointer<Counted>.allocate(capacity: parts.count)
    counted.initialize(
      repeating: Counted(
        collector: SetCollector(attributes: attributes.count, limit: limit)), count: parts.count)
    defer {
      counted.deinitialize(count: parts.count)
      counted.deallocate()
    }
    ParallelTasks.run(threads: threads, count: parts.count) { part in
      Self.collect(parts[part], terms, ranges, part, attributes, &counted[part])
    }
    starts = ranges.indices.map { range in
      (0..<parts.count).map { counted[$0].starts[range] }
    }
    if parts.count == 1 {
      let (sets, codes) = counted[0].collector.finish(attributes: attributes)
      self.sets = sets
      self.parts = [(counted[0].numbers, codes)]
      return
    }
    // Sets are numbered as they come, whichever part has them: of two that are as frequent the first
    // one gets the smaller code.
    var joined = SetCollector(attributes: attributes.count, limit: limit)
    var numbers = (0..<parts.count).map { [Int](repeating: 0, count: counted[$0].firsts.count) }
    let order = numbers.indices.flatMap { part in
      counted[part].firsts.enumerated().map { (first: $1, part: part, number: $0) }
    }
    .sorted { ($0.first.term, $0.first.document) < ($1.first.term, $1.first.document) }
    for set in order {
      numbers[set.part][set.number] = joined.add(set.number, of: counted[set.part].collector)
    }
    let (sets, codes) = joined.finish(attributes: attributes)
    self.sets = sets
    self.parts = numbers.enumerated().map { part, numbers in
      (counted[part].numbers, numbers.map { codes[$0] })
    }
  }

  /// How many postings of each part come before those of a range of terms.
  func starts(ofRange range: Int) -> [Int] { starts[range] }

  /// The code of a posting, counted from the first one of its part.
  @inline(__always)
  func code(_ place: Int, in part: Int) -> UInt32 {
    parts[part].codes[Int(parts[part].numbers[place])]
  }

  /// Walks the postings of field 0 and counts the attribute set of each.
  private static func collect(
    _ part: FlushPart, _ terms: TermsInOrder, _ ranges: [Range<Int>], _ place: Int,
    _ attributes: [UInt16], _ counted: inout Counted
  ) {
    let spans = part.spans
    let rank = spans.known.map { attribute in attributes.firstIndex(of: attribute) ?? 0 }
    let words = (attributes.count + 63) / 64
    var (collector, numbers) = (counted.collector, counted.numbers)
    numbers.reserveCapacity(part.table.postingCount)
    let set = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    defer { set.deallocate() }
    let block = PostingsBlock()
    let standard = terms.keys.firstIndex(of: .standard) ?? terms.keys.count
    let own =
      standard < terms.keys.count ? terms.starts[standard]..<terms.starts[standard + 1] : 0..<0
    spans.starts.withUnsafeBufferPointer { starts in
      spans.attributes.withUnsafeBufferPointer { owners in
        spans.firstValue.withUnsafeBufferPointer { firstValue in
          for range in ranges {
            counted.starts.append(numbers.count)
            for term in range.clamped(to: own) {
              let number = terms.number(of: term, in: place)
              guard number != TermsInOrder.absent else { continue }
              var stream = PostingStream(
                part.table.pool, part.table.terms + Int(number), documents: nil)
              while stream.document != PostingStream.end {
                block.removeAll()
                block.take(&stream)
                set.update(repeating: 0, count: words)
                let document = Int(block.documents[0])
                let end = Int(firstValue[document &+ 1])
                var value = Int(firstValue[document])
                for i in 0..<Int(block.frequencies[0]) {
                  while value &+ 1 < end && starts[value &+ 1] <= block.positions[i] {
                    value &+= 1
                  }
                  let bit = rank[Int(owners[value])]
                  set[bit >> 6] |= 1 &<< UInt64(bit & 63)
                }
                let number = collector.number(of: set)
                if number == counted.firsts.count {
                  counted.firsts.append((term, part.documents?[document] ?? block.documents[0]))
                }
                numbers.append(UInt32(truncatingIfNeeded: number))
              }
            }
          }
        }
      }
    }
    (counted.collector, counted.numbers) = (collector, numbers)
  }
}
