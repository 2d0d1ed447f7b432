// Where the documents of a batch stand in a list, so that positions are found without another search.

internal import LimelightCodecs
internal import LimelightSegments

/// A posting of a list: its block, and its place in there.
struct PostingPlace {
  private let value: UInt32

  @inline(__always)
  init(block: Int, index: Int) {
    value = UInt32(truncatingIfNeeded: block &<< 7 | index & 127)
  }

  var block: Int { Int(value &>> 7) }
  var index: Int { Int(value & 127) }
}

extension TermList {
  /// Notes where postings of the current block stand, the `i`-th at the place `place(i)`.
  @inline(__always)
  func note(
    _ slots: UnsafePointer<UInt32>, count: Int, into places: UnsafeMutablePointer<PostingPlace>,
    place: (Int) -> Int
  ) {
    for i in 0..<count {
      let place = place(i)
      places[Int(slots[i])] = PostingPlace(
        block: block, index: origins.map { Int($0[place]) } ?? place)
    }
  }

  /// Notes where documents stand that are all in the list, which is a bit set.
  ///
  /// That follows from counting bits, from word to word along the batch; no block is decoded.
  mutating func note(
    _ batch: Batch, in bits: UnsafePointer<UInt64>, into places: UnsafeMutablePointer<PostingPlace>
  ) {
    let count = batch.count
    let documents = batch.documents
    let slots = batch.slots
    var read = 0
    while read < count {
      let number = blockIndex(for: documents[read], near: placeBlock)
      placeBlock = number
      let end = self.end(of: number)
      // Damaged bytes may have the first document of a block behind the one that it was found for.
      let first = min(postings.firstDocuments[number], documents[read])
      var word = Int(first &>> 6)
      var before = 0 &- (bits[word] & Self.below(first)).nonzeroBitCount
      var stop = read
      repeat {
        let document = documents[stop]
        while word < Int(document &>> 6) {
          before &+= bits[word].nonzeroBitCount
          word &+= 1
        }
        let place = before &+ (bits[word] & Self.below(document)).nonzeroBitCount
        places[Int(slots[stop])] = PostingPlace(block: number, index: min(max(place, 0), 127))
        stop &+= 1
      } while stop < count && documents[stop] < end
      read = stop
    }
  }

  /// The frequency of a posting.
  @inline(__always)
  mutating func frequency(at place: PostingPlace) throws(CorruptionError) -> UInt32 {
    try postings.frequency(at: place.index, inBlock: place.block)
  }

  /// The positions of a posting; good until the next call.
  @inline(__always)
  mutating func run(at place: PostingPlace) throws(CorruptionError) -> AscendingRun {
    try postings.run(at: place.index, inBlock: place.block)
  }
}
