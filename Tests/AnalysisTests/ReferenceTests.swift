// The analysers against slow ones built on the standard library, over all its scalars.

@_spi(_Unicode) import Swift

import LimelightAnalysis
import Testing

@Suite struct ReferenceTests {
  private func category(_ scalar: Unicode.Scalar) -> Unicode.GeneralCategory {
    scalar.properties.generalCategory
  }

  private func isLetterOrNumber(_ scalar: Unicode.Scalar) -> Bool {
    switch category(scalar) {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  private func continues(_ scalar: Unicode.Scalar) -> Bool {
    switch category(scalar) {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    case .format: scalar.properties.isDefaultIgnorableCodePoint && scalar.value != 0x200B
    default: false
    }
  }

  /// The runs of a text as source ranges, by general categories.
  private func slowRuns(_ text: String) -> [Token] {
    var (tokens, run, start, at): ([Token], String.UnicodeScalarView, Int, Int) = (
      [], .init(), 0, 0
    )
    func close() {
      let term = cut(Folding.fold(String(run)))
      if !term.isEmpty {
        tokens.append(
          Token(
            term: String(decoding: term, as: UTF8.self), position: tokens.count,
            source: start..<at))
      }
      run = .init()
    }
    for scalar in text.unicodeScalars {
      if isLetterOrNumber(scalar) || (!run.isEmpty && continues(scalar)) {
        if run.isEmpty { start = at }
        run.append(scalar)
      } else {
        close()
      }
      at += UTF8.width(scalar)
    }
    close()
    return tokens
  }

  /// The boundaries of a text by the standard library's own segmentation.
  private func slowBoundaries(_ text: String) -> [Int] {
    guard !text.isEmpty else { return [] }
    var (offsets, index) = ([0], text.startIndex)
    while index < text.endIndex {
      index = text._wordIndex(after: index)
      offsets.append(text.utf8.distance(from: text.startIndex, to: index))
    }
    return offsets
  }

  private static let alphabets: [[Unicode.Scalar]] = [
    scalars, page(0x00), page(0x00, 0x300, 0x400, 0x2000), page(0x500, 0x600, 0x2000, 0xFB00),
    page(0x900, 0xE00, 0x1100, 0x3000), page(0x00, 0x1F300, 0x1F600, 0x2600, 0x2000),
    // No Hebrew here: after its letter and a quote the library breaks before a letter, against WB7.
    Array("aZ09_.,:;'\" -é’·ーカ漢\u{301}\u{200D}\u{AD}".unicodeScalars),
  ]

  @Test(arguments: alphabets.indices)
  func runsAreTheSlowRuns(_ alphabet: Int) {
    var random = SplitMix(state: UInt64(alphabet))
    let buffer = TokenBuffer()
    for _ in 0..<2000 {
      let text = random.text(of: Self.alphabets[alphabet], upTo: 150)
      #expect(
        tokens(.runs, Array(text.utf8), buffer) == slowRuns(text),
        "\(text.unicodeScalars.map(\.value))")
    }
  }

  /// Scalars whose properties the library has from a later version of Unicode, and the syllables
  /// that it does not take for letters (Swift 6.3).
  private func isSegmentedOtherwise(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xB8, 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x19DA, 0xFE10, 0xFE14, 0x110BD,
      0x110CD:
      true
    case 0xAFA4...0xD7A3: true
    case 0x2300...0x27BF, 0x1F000...0x1FAFF: !scalar.properties.isEmoji
    default: false
    }
  }

  @Test(arguments: alphabets.indices)
  func boundariesAreTheSlowBoundaries(_ alphabet: Int) {
    var random = SplitMix(state: UInt64(100 + alphabet))
    let scalars = Self.alphabets[alphabet].filter { !isSegmentedOtherwise($0) }
    for _ in 0..<2000 {
      var text = random.text(of: scalars, upTo: 80)
      let found = text.withUTF8 { WordBoundaries.boundaries(UnsafeRawBufferPointer($0)) }
      #expect(found == slowBoundaries(text), "\(text.unicodeScalars.map(\.value))")
    }
  }

  /// Each scalar alone and beside a letter, a number, and itself.
  @Test func everyScalarAmongNeighbours() {
    var (wrongRuns, wrongWords): ([UInt32], [UInt32]) = ([], [])
    for scalar in scalars where category(scalar) != .unassigned && category(scalar) != .privateUse {
      if (0x3400...0xD7A3).contains(scalar.value) || scalar.value > 0x1_FFFF,
        scalar.value % 64 != 0
      {
        continue  // ideographs and syllables are all alike
      }
      var text = "a\(scalar)b 1\(scalar)2 \(scalar)\(scalar)"
      if tokens(.runs, Array(text.utf8)) != slowRuns(text) { wrongRuns.append(scalar.value) }
      if isSegmentedOtherwise(scalar) { continue }
      let found = text.withUTF8 { WordBoundaries.boundaries(UnsafeRawBufferPointer($0)) }
      if found != slowBoundaries(text) { wrongWords.append(scalar.value) }
    }
    #expect(wrongRuns.isEmpty)
    #expect(wrongWords.isEmpty, "\(wrongWords.map { String($0, radix: 16) })")
  }
}
