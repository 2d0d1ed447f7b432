// The weights of a search by attribute number, and what they give for sets of attributes.

internal import LimelightItems
internal import LimelightSegments
internal import LimelightSnapshots

/// The weights of a search, with the attributes' names resolved to their numbers.
struct AttributeWeights {
  /// By attribute, as far as the last that has one.
  private var values: [Float] = []

  init(_ weights: Weights, registry: AttributeRegistry) {
    for attribute in weights.attributes {
      guard let number = registry.number(of: attribute).map({ Int($0) }) else { continue }
      if number >= values.count {
        values += [Float](repeating: 0, count: number + 1 - values.count)
      }
      values[number] = max(values[number], weights[attribute])
    }
  }

  /// The weight of an attribute.
  func weight(of attribute: UInt16) -> Float {
    Int(attribute) < values.count ? values[Int(attribute)] : 0
  }
}

/// What the attribute sets of one segment are worth: the boost of a posting by its set code.
///
/// Plain pointers into an arena, so that a list may keep a copy. The boost of a code is worked out
/// when it is first met: a segment may have thousands of sets, of which a query meets a few.
struct BoostTable {
  /// Whether every boost is 0.
  let isZero: Bool
  /// By code: the boost, or a negative number where it is not known yet; behind the last set an
  /// entry that stays negative, for the overflow code and for codes without a set.
  let byCode: UnsafeMutablePointer<Float>
  let codeCount: UInt32
  /// The largest weight that each half byte of a signature stands for, 4 x 16.
  private let byNibble: UnsafeMutablePointer<Float>

  /// Marks a boost that must be looked up.
  static let unknown: Float = -1

  init(_ sets: AttributeSets, weights: AttributeWeights, arena: ScratchArena) {
    var bits = [Float](repeating: 0, count: 16)
    for (index, attribute) in sets.attributes.enumerated() {
      let bit = min(index, 15)
      bits[bit] = max(bits[bit], weights.weight(of: attribute))
    }
    isZero = bits.allSatisfy { $0 == 0 }
    byNibble = arena.allocate(Float.self, 64)
    for nibble in 0..<4 {
      for value in 0..<16 {
        var best: Float = 0
        for bit in 0..<4 where value >> bit & 1 == 1 { best = max(best, bits[nibble * 4 + bit]) }
        byNibble[nibble * 16 + value] = best
      }
    }
    let count = isZero ? 0 : sets.sets.count
    codeCount = UInt32(count)
    byCode = arena.allocate(Float.self, count + 1)
    byCode.initialize(repeating: Self.unknown, count: count + 1)
  }

  /// The largest boost of a posting whose attributes are all in the signature.
  @inline(__always)
  func bound(_ signature: UInt16) -> Float {
    let s = Int(signature)
    return max(
      max(byNibble[s & 15], byNibble[16 &+ ((s &>> 4) & 15)]),
      max(byNibble[32 &+ ((s &>> 8) & 15)], byNibble[48 &+ (s &>> 12)]))
  }

  /// The boost of all postings with this signature, or a negative number if they may differ.
  @inline(__always)
  func uniform(_ signature: UInt16) -> Float {
    signature & (signature &- 1) == 0 && signature < 0x8000 ? bound(signature) : Self.unknown
  }
}
