// The loops for wide vectors against their twins, bit for bit.

import CWide
import LimelightCodecs
import Testing

@Suite struct WideTests {
  private static func words(
    _ generator: inout SeededGenerator, _ count: Int, oneIn: UInt64
  ) -> [UInt64] {
    (0..<count).map { _ in
      (0..<64).reduce(0) { word, _ in word << 1 | (generator.next() % oneIn == 0 ? 1 : 0) }
    }
  }

  @Test(arguments: [1, 2, 9, 70] as [UInt64])
  func bitSets(_ oneIn: UInt64) {
    var generator = SeededGenerator(oneIn)
    for count in [1, 7, 8, 9, 16, 33, 64] {
      let a = Self.words(&generator, count, oneIn: oneIn)
      let b = Self.words(&generator, count, oneIn: 2)
      #expect(BitSet.popcount(a, count) == BitSet.popcountPortably(a, count))
      #expect(BitSet.countAnd(a, b, count) == BitSet.countAndPortably(a, b, count))
      for _ in 0..<50 {
        let from = Int(generator.next() % UInt64(count * 64))
        let to = from + Int(generator.next() % UInt64(count * 64 - from + 1))
        let rank = BitSet.rankPortably(a, from: from, to: to)
        #expect(BitSet.rank(a, from: from, to: to) == rank)
        var out = [UInt32](repeating: 0, count: 129 + 80)
        let found = BitSet.extractAll(a, from: from, to: to, limit: 129, into: &out)
        #expect(found == rank || (rank > 129 && found >= 129))
        var place = from
        for i in 0..<min(found, rank, 129) {
          let next = BitSet.next(a, from: place, to: to)
          #expect(Int(out[i]) == next)
          place = next + 1
        }
      }
    }
  }

  @Test func runningSums() {
    var generator = SeededGenerator(6)
    for base in [0, 7, .max - 3] as [UInt32] {
      let gaps = (0..<128).map { _ in UInt32(truncatingIfNeeded: generator.next() >> 20) }
      var (wide, portable) = (gaps, gaps)
      BitPacking.sum(&wide, base: base)
      BitPacking.sumPortably(&portable, base: base)
      var sum = base
      let wanted = gaps.map { gap in
        sum &+= gap
        return sum
      }
      #expect(wide == wanted)
      #expect(portable == wanted)
    }
  }

  @Test func integersOfPackedBlocks() {
    var generator = SeededGenerator(5)
    for width in 0...32 {
      for exceptions in [0, 1, 9] {
        var values = (0..<128).map { _ in
          UInt32(truncatingIfNeeded: generator.next() & ((1 << UInt64(width)) - 1))
        }
        for _ in 0..<exceptions {
          values[Int(generator.next() % 128)] = UInt32(truncatingIfNeeded: generator.next())
        }
        let writer = ByteWriter()
        PFOR.encode(values, count: 128, into: writer)
        let bytes = Array(writer.written)
        bytes.withUnsafeBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          for index in 0..<128 {
            #expect(
              PFOR.value(at: index, base, available: bytes.count, count: 128)
                == Int64(values[index]))
          }
          let bits = values.map { 32 - $0.leadingZeroBitCount }.max() ?? 0
          #expect(PFOR.bitLimit(base) >= bits)
          #expect(PFOR.value(at: 3, base, available: bytes.count - 1, count: 128) == -1)
          #expect(PFOR.value(at: 3, base, available: bytes.count, count: 100) == -1)
          #expect(PFOR.value(at: 128, base, available: bytes.count, count: 128) == -1)
        }
      }
    }
  }

  #if arch(x86_64)
    /// The formula in plain steps.
    private static func score(
      _ tf: UInt32, _ factor: Float, _ idf: Float, _ boost: Float, _ limit: Float
    ) -> Float {
      let saturation = Float(tf) / (Float(tf) + factor)
      let score = idf * (saturation + boost)
      return score < limit ? (score * 65_536).rounded(.toNearestOrEven) / 65_536 : score
    }

    @Test(.enabled(if: Wide.isSupported), arguments: [0, 64] as [Float])
    func scores(_ limit: Float) {
      var generator = SeededGenerator(8)
      // A length that is no multiple of four, so that the last norms stand alone.
      let norms = UnsafeMutablePointer<UInt32>.allocate(capacity: 251)
      defer { norms.deallocate() }
      let bytes = UnsafeMutableRawPointer(norms).assumingMemoryBound(to: UInt8.self)
      for i in 0..<1_004 { bytes[i] = UInt8(truncatingIfNeeded: generator.next()) }
      let factors = (0..<256).map { 0.3 + Float($0) * 0.0371 }
      for count in [1, 2, 15, 16, 17, 100, 127, 128] {
        let chosen = Set((0..<1_003).shuffled(using: &generator).prefix(count)).sorted()
        let documents = chosen.map { UInt32($0) } + [UInt32](repeating: .max, count: 16)
        let frequencies = (0..<(count + 16)).map { _ in UInt32(generator.next() % 9 + 1) }
        let idf = Float(generator.next() % 1_000) / 70
        let boost = Float(generator.next() % 3) / 3
        let wanted = (0..<count).map {
          Self.score(
            frequencies[$0], factors[Int(bytes[Int(documents[$0])])], idf, boost, limit)
        }
        factors.withUnsafeBufferPointer { factors in
          let formula = wide_formula(
            norms: bytes, factors: factors.baseAddress, idf: idf, grid_limit: limit, boost: boost,
            boosts: nil)
          var scores = [Float](repeating: -1, count: count + 16)
          wide_score(formula, documents, frequencies, count, &scores)
          #expect(Array(scores.prefix(count)) == wanted)
          for least in [0, 1, 5] as [UInt32] {
            let floor = wanted.sorted()[count / 2]
            var selected = [UInt32](repeating: 0, count: count + 16)
            let found = wide_select(
              formula, documents, frequencies, count, least, 0, floor, &selected, &scores)
            let places = (0..<count).filter { wanted[$0] > floor && frequencies[$0] > least }
            #expect(Array(selected.prefix(found)) == places.map { documents[$0] })
            #expect(Array(scores.prefix(found)) == places.map { wanted[$0] })
          }
        }
      }
    }

    @Test(.enabled(if: Wide.isSupported))
    func scoresWithBoosts() {
      var generator = SeededGenerator(10)
      let norms = UnsafeMutablePointer<UInt32>.allocate(capacity: 64)
      defer { norms.deallocate() }
      let bytes = UnsafeMutableRawPointer(norms).assumingMemoryBound(to: UInt8.self)
      for i in 0..<256 { bytes[i] = UInt8(truncatingIfNeeded: generator.next()) }
      let factors = (0..<256).map { 0.3 + Float($0) * 0.0371 }
      let byCode: [Float] = [0, 0.5, 0.25, 3, -1]
      for count in [1, 15, 16, 17, 100, 128] {
        for known in [4, 9] as [UInt64] {
          let documents = (0..<(count + 16)).map { UInt32(min($0 * 2, 255)) }
          let frequencies = (0..<(count + 16)).map { _ in UInt32(generator.next() % 9 + 1) }
          let codes = (0..<count).map { _ in UInt32(generator.next() % known) }
          let boosts = codes.map { byCode[Int(min($0, 4))] }
          let own = UnsafeMutablePointer<Float>.allocate(capacity: count + 16)
          defer { own.deallocate() }
          #expect(wide_boosts(codes, count, byCode, 4, own) == boosts.min())
          #expect((0..<count).map { own[$0] } == boosts)
          let wanted = (0..<count).map {
            Self.score(
              frequencies[$0], factors[Int(bytes[Int(documents[$0])])], 2.5, boosts[$0], 64)
          }
          factors.withUnsafeBufferPointer { factors in
            let formula = wide_formula(
              norms: bytes, factors: factors.baseAddress, idf: 2.5, grid_limit: 64, boost: 9,
              boosts: own)
            var scores = [Float](repeating: -1, count: count + 16)
            wide_score(formula, documents, frequencies, count, &scores)
            #expect(Array(scores.prefix(count)) == wanted)
            for (least, leastBoost) in [(0, -1), (0, 0.25), (3, 0.5), (0, 4)] as [(UInt32, Float)] {
              var selected = [UInt32](repeating: 0, count: count + 16)
              let floor = wanted.sorted()[count / 3]
              let found = wide_select(
                formula, documents, frequencies, count, least, leastBoost, floor, &selected, &scores
              )
              let places = (0..<count).filter {
                wanted[$0] > floor && frequencies[$0] > least && boosts[$0] >= leastBoost
              }
              #expect(Array(selected.prefix(found)) == places.map { documents[$0] })
              #expect(Array(scores.prefix(found)) == places.map { wanted[$0] })
            }
          }
        }
      }
      #expect(wide_boosts([], 0, byCode, 4, nil) == 0)
    }

    @Test(.enabled(if: Wide.isSupported))
    func saturationsOfImpacts() {
      var generator = SeededGenerator(9)
      let factors = (0..<256).map { 0.3 + Float($0) * 0.0371 }
      for blocks in [1, 3, 4, 5, 32] {
        let pairs = (0..<(blocks * 8)).map { _ in
          generator.next() % 9 == 0 ? 255 : UInt8(truncatingIfNeeded: generator.next() % 20)
        }
        var bounds = [Float](repeating: 0, count: blocks + 4)
        wide_saturations(pairs, blocks, factors, &bounds)
        for block in 0..<blocks {
          let wanted = (0..<4).map { pair -> Float in
            let tf = Float(pairs[block * 8 + pair * 2])
            return tf == 255 ? 1 : tf / (tf + factors[Int(pairs[block * 8 + pair * 2 + 1])])
          }
          #expect(bounds[block] == wanted.max())
        }
      }
    }
  #endif
}
