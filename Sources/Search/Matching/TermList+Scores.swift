// The scores of a list's postings: of one, of a block, and of those that may be hits.

internal import CWide
internal import LimelightCodecs
internal import LimelightSegments

extension TermList {
  /// A score as the list gives it.
  @inline(__always)
  func rounded(_ score: Float) -> Float {
    score < gridLimit ? (score + 192) - 192 : score
  }

  /// No score of the list is larger.
  var limit: Float { rounded(idf * (1 + (fixedBoost >= 0 ? fixedBoost : boosts.bound(0xFFFF)))) }

  /// The boost of a posting of the current block.
  @inline(__always)
  mutating func boost(at index: Int) throws(CorruptionError) -> Float {
    if fixedBoost >= 0 { return fixedBoost }
    try postings.loadCodes()
    let code = postings.codes[index]
    let known = boosts.byCode[Int(min(code, boosts.codeCount))]
    return known >= 0 ? known : try unknownBoost(at: index, code)
  }

  @inline(never)
  mutating func unknownBoost(at index: Int, _ code: UInt32) throws(CorruptionError) -> Float {
    guard code == AttributeSets.overflowCode else { return context.boost(ofCode: code) }
    return try context.boost(
      of: documents[index], positions: postings.positions(at: index))
  }

  /// The score of a posting of the current block.
  @inline(__always)
  mutating func score(at index: Int) throws(CorruptionError) -> Float {
    try loadFrequencies()
    let factor = lengthFactors[Int(norms[Int(documents[index])])]
    let saturation = ScoreFormula.saturation(frequencies[index], factor)
    return try rounded(idf * (saturation + boost(at: index)))
  }

  /// The boost of all postings of the current block, or negative if it depends on their codes, which
  /// are then decoded.
  @inline(__always)
  mutating func uniformBoost() throws(CorruptionError) -> Float {
    if fixedBoost >= 0 { return fixedBoost }
    let boost = boosts.uniform(signature(of: block))
    if boost < 0 { try postings.loadCodes() }
    return boost
  }

  /// The scores of the postings `range` of the current block, `scores[0]` that of the first.
  ///
  /// What cannot exceed `floor` may get 0 instead: a posting whose boost is so small that not even
  /// the highest frequency would do. If boosts decide, that saves the rest of the formula.
  mutating func score(
    _ range: Range<Int>, into scores: UnsafeMutablePointer<Float>, above floor: Float
  ) throws(CorruptionError) {
    let boost = try uniformBoost()
    let need = leastBoost(above: floor)
    if boost >= 0 {
      if boost < need {
        scores.update(repeating: 0, count: range.count)
        return
      }
      try loadFrequencies()
      return score(range, into: scores, boost: boost)
    }
    try loadFrequencies()
    try loadBoosts(range)
    #if arch(x86_64)
      if context.isWide {
        return wide_score(
          formula(nil), documents + range.lowerBound, frequencies + range.lowerBound, range.count,
          scores)
      }
    #endif
    for i in range {
      let own = ownBoosts[i &- range.lowerBound]
      if own < need {
        scores[i &- range.lowerBound] = 0
      } else {
        let factor = lengthFactors[Int(norms[Int(documents[i])])]
        scores[i &- range.lowerBound] = rounded(
          idf * (ScoreFormula.saturation(frequencies[i], factor) + own))
      }
    }
  }

  /// Looks up the boosts of the postings `range` of the current block, whose codes are decoded;
  /// `ownBoosts[0]` is that of the first.
  private mutating func loadBoosts(_ range: Range<Int>) throws(CorruptionError) {
    let codes = postings.codes + range.lowerBound
    let boosts = self.boosts
    let count = range.count
    var least: Float = 0
    #if arch(x86_64)
      if context.isWide {
        least = wide_boosts(codes, count, boosts.byCode, boosts.codeCount, ownBoosts)
      }
    #endif
    if !context.isWide {
      for i in 0..<count {
        let boost = boosts.byCode[Int(min(codes[i], boosts.codeCount))]
        ownBoosts[i] = boost
        least = boost < least ? boost : least
      }
    }
    guard least < 0 else { return }
    for i in 0..<count where ownBoosts[i] < 0 {
      ownBoosts[i] = try unknownBoost(at: range.lowerBound &+ i, codes[i])
    }
  }

  /// No posting with a lower boost can score more than `floor`.
  ///
  /// The margin covers the rounding of this line and of the scores that it stands for.
  @inline(__always)
  private func leastBoost(above floor: Float) -> Float {
    floor > 0 ? (floor - 0x1p-16) / idf * (1 - 0x1p-20) - (1 + 0x1p-20) : -1
  }

  /// Length factors are gathered first, so that the rest is plain arithmetic on vectors.
  @inline(__always)
  private func score(
    _ range: Range<Int>, into scores: UnsafeMutablePointer<Float>, boost: Float
  ) {
    let documents = self.documents + range.lowerBound
    let frequencies = self.frequencies + range.lowerBound
    let norms = self.norms
    let factors = lengthFactors
    let count = range.count
    #if arch(x86_64)
      if context.isWide {
        return wide_score(formula(boost), documents, frequencies, count, scores)
      }
    #endif
    for i in 0..<count { scores[i] = factors[Int(norms[Int(documents[i])])] }
    let idf = self.idf
    let gridLimit = self.gridLimit
    for i in 0..<count {
      // Signed, for which there is one instruction; sound frequencies are below 2^31.
      let tf = Float(Int32(truncatingIfNeeded: frequencies[i]))
      let score = idf * (tf / (tf + scores[i]) + boost)
      scores[i] = score < gridLimit ? (score + 192) - 192 : score
    }
  }

  #if arch(x86_64)
    @inline(__always)
    private func formula(_ boost: Float?) -> wide_formula {
      wide_formula(
        norms: norms, factors: lengthFactors, idf: idf, grid_limit: gridLimit, boost: boost ?? 0,
        boosts: boost == nil ? UnsafePointer(ownBoosts) : nil)
    }
  #endif

  // MARK: Selecting

  /// Writes the postings `range` of the current block that score more than `floor`, with their scores,
  /// and returns how many these are; the buffers need room for 16 more than the range has.
  ///
  /// If the block's impacts say that only high frequencies can exceed the floor, or the weight that only
  /// high boosts can, the others are passed over without a look at their documents' lengths.
  mutating func select(
    _ range: Range<Int>, above floor: Float, scores: UnsafeMutablePointer<Float>,
    into documents: UnsafeMutablePointer<UInt32>, _ selected: UnsafeMutablePointer<Float>
  ) throws(CorruptionError) -> Int {
    let boost = try uniformBoost()
    guard boost >= 0 else {
      return try selectBoosted(range, above: floor, into: documents, selected)
    }
    if floor > 0 {
      // The margins cover the rounding of these lines and of the scores that they stand for.
      let need = (floor - 0x1p-16) / idf * (1 - 0x1p-20) - boost * (1 + 0x1p-20) - 0x1p-20
      if need >= 1 { return 0 }
      if need > 0, let impacts = postings.impacts {
        let pairs = impacts + block &* 8
        let norm = min(min(pairs[1], pairs[3]), min(pairs[5], pairs[7]))
        let most = lengthFactors[Int(norm)] * need / (1 - need) * (1 - 0x1p-16)
        if most >= 1.125 {
          try loadFrequencies()
          return selectFrequent(
            range, UInt32(min(most, 0x1p30)), above: floor, boost: boost, into: documents, selected)
        }
      }
    }
    #if arch(x86_64)
      if context.isWide {
        try loadFrequencies()
        return wide_select(
          formula(boost), self.documents + range.lowerBound, frequencies + range.lowerBound,
          range.count, 0, 0, floor, documents, selected)
      }
    #endif
    try score(range, into: scores, above: floor)
    let own = self.documents + range.lowerBound
    var count = 0
    for i in 0..<range.count {
      let score = scores[i]
      documents[count] = own[i]
      selected[count] = score
      count &+= exceeds(score, floor)
    }
    return count
  }

  /// The postings of `range` with a frequency above `least` that score more than `floor`.
  private func selectFrequent(
    _ range: Range<Int>, _ least: UInt32, above floor: Float, boost: Float,
    into documents: UnsafeMutablePointer<UInt32>, _ selected: UnsafeMutablePointer<Float>
  ) -> Int {
    #if arch(x86_64)
      if context.isWide {
        return wide_select(
          formula(boost), self.documents + range.lowerBound, frequencies + range.lowerBound,
          range.count, least, 0, floor, documents, selected)
      }
    #endif
    let places = self.places
    var frequent = 0
    for i in range {
      places[frequent] = UInt32(truncatingIfNeeded: i)
      frequent &+= exceeds(frequencies[i], least)
    }
    var count = 0
    for i in 0..<frequent {
      let place = Int(places[i])
      let document = self.documents[place]
      let factor = lengthFactors[Int(norms[Int(document)])]
      let score = rounded(
        idf * (ScoreFormula.saturation(frequencies[place], factor) + boost))
      documents[count] = document
      selected[count] = score
      count &+= exceeds(score, floor)
    }
    return count
  }

  /// The same where boosts differ.
  private mutating func selectBoosted(
    _ range: Range<Int>, above floor: Float, into documents: UnsafeMutablePointer<UInt32>,
    _ selected: UnsafeMutablePointer<Float>
  ) throws(CorruptionError) -> Int {
    let least = leastBoost(above: floor)
    try loadFrequencies()
    try loadBoosts(range)
    #if arch(x86_64)
      if context.isWide {
        return wide_select(
          formula(nil), self.documents + range.lowerBound, frequencies + range.lowerBound,
          range.count, 0, least, floor, documents, selected)
      }
    #endif
    let places = self.places
    var boosted = 0
    for i in 0..<range.count {
      places[boosted] = UInt32(truncatingIfNeeded: i)
      boosted &+= 1 &- exceeds(max(least, 0), ownBoosts[i])
    }
    var count = 0
    for i in 0..<boosted {
      let place = Int(places[i])
      let document = self.documents[range.lowerBound &+ place]
      let factor = lengthFactors[Int(norms[Int(document)])]
      let saturation = ScoreFormula.saturation(frequencies[range.lowerBound &+ place], factor)
      let score = rounded(idf * (saturation + ownBoosts[place]))
      documents[count] = document
      selected[count] = score
      count &+= exceeds(score, floor)
    }
    return count
  }
}
