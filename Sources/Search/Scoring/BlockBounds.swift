// True bounds on a word's scores, from the impacts and signatures of blocks.

internal import CWide
internal import LimelightCodecs
internal import LimelightSegments

extension TermList {
  /// No score in a block is larger; negative if an attribute filter leaves nothing of it.
  ///
  /// The bounds of 32 blocks are worked out together when the first of them is asked for.
  @inline(__always)
  mutating func bound(ofBlock number: Int) -> Float {
    guard let blockBounds, let boundsReady, boundsReady[number &>> 5] else {
      return prepareBounds(ofBlock: number)
    }
    return blockBounds[number]
  }

  /// No score in 32 blocks is larger.
  @inline(__always)
  mutating func bound(ofSuperBlock number: Int) -> Float {
    guard let superBounds, !superBounds[number].isNaN else {
      return prepareBound(ofSuperBlock: number)
    }
    return superBounds[number]
  }

  /// No score in the list is larger.
  mutating func bound() -> Float {
    var best: Float = -1
    for number in 0..<superCount { best = max(best, bound(ofSuperBlock: number)) }
    return best
  }

  /// Blocks of 32 blocks, the last one maybe of fewer.
  var superCount: Int { (blockCount &+ 31) &>> 5 }

  /// No score in `from ..< to` is larger; negative if nothing of the list is there.
  mutating func bound(from: UInt32, to: UInt32) -> Float {
    var number = blockIndex(for: from, near: boundBlock)
    boundBlock = number
    let first = postings.firstDocuments
    let blocks = blockCount
    var best: Float = -1
    while number < blocks && first[number] < to {
      let next = number &+ 32
      if number & 31 == 0, next < blocks ? first[next] <= to : to >= documentCount {
        best = max(best, bound(ofSuperBlock: number &>> 5))
        number = next
      } else {
        best = max(best, bound(ofBlock: number))
        number &+= 1
      }
    }
    return best
  }

  /// The union of the attribute signatures of a block.
  @inline(__always)
  func signature(of number: Int) -> UInt16 {
    postings.signatures.map { $0[number] } ?? postings.signature
  }

  private mutating func allocateBounds() {
    guard blockBounds == nil else { return }
    let arena = context.scratch
    blockBounds = arena.allocate(Float.self, blockCount + 4)
    let ready = arena.allocate(Bool.self, superCount)
    ready.initialize(repeating: false, count: superCount)
    boundsReady = ready
    let supers = arena.allocate(Float.self, superCount)
    supers.initialize(repeating: .nan, count: superCount)
    superBounds = supers
  }

  @inline(never)
  private mutating func prepareBounds(ofBlock number: Int) -> Float {
    allocateBounds()
    guard let blockBounds, let boundsReady else { return .infinity }
    let start = number & ~31
    let end = min(start &+ 32, blockCount)
    boundsReady[number &>> 5] = true
    #if arch(x86_64)
      if context.isWide, let impacts = postings.impacts {
        let bounds = blockBounds + start
        wide_saturations(impacts + start &* 8, end &- start, lengthFactors, bounds)
        for i in 0..<(end &- start) {
          bounds[i] = bound(ofSaturation: bounds[i], signature: signature(of: start &+ i))
        }
        return blockBounds[number]
      }
    #endif
    for block in start..<end {
      blockBounds[block] = bound(
        postings.impacts.map { $0 + block &* 8 }, signature: signature(of: block))
    }
    return blockBounds[number]
  }

  @inline(never)
  private mutating func prepareBound(ofSuperBlock number: Int) -> Float {
    allocateBounds()
    guard let superBounds else { return .infinity }
    let signature = postings.superSignatures.map { $0[number] } ?? postings.signature
    let bound = bound(postings.superImpacts.map { $0 + number &* 8 }, signature: signature)
    superBounds[number] = bound
    return bound
  }

  /// The bound that four (frequency, norm) pairs and a signature give.
  ///
  /// A list of one block has no impacts; what bounds it is that `sat` does not exceed 1.
  @inline(__always)
  private func bound(_ pairs: UnsafePointer<UInt8>?, signature: UInt16) -> Float {
    var best: Float = 1
    if let pairs {
      let tf = SIMD4<Float>(
        Float(pairs[0]), Float(pairs[2]), Float(pairs[4]), Float(pairs[6]))
      let factors = SIMD4<Float>(
        lengthFactors[Int(pairs[1])], lengthFactors[Int(pairs[3])],
        lengthFactors[Int(pairs[5])], lengthFactors[Int(pairs[7])])
      // The same steps as in `ScoreFormula.saturation`, four at a time.
      best = (tf / (tf + factors)).max()
      // A frequency of 255 stands for any larger one.
      if max(max(pairs[0], pairs[2]), max(pairs[4], pairs[6])) == 255 { best = 1 }
    }
    return bound(ofSaturation: best, signature: signature)
  }

  @inline(__always)
  private func bound(ofSaturation saturation: Float, signature: UInt16) -> Float {
    if let filter, signature & filter.signatureBit == 0 { return -1 }
    return rounded(
      idf * (saturation + (fixedBoost >= 0 ? fixedBoost : boosts.bound(signature))))
  }
}
