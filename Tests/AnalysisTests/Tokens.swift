// What the tests share: tokens as values, random text, and what must hold for any input.

import LimelightAnalysis
import Testing

/// One token out of a `TokenBuffer`.
struct Token: Equatable {
  var term: String
  var position: Int
  var source: Range<Int>
}

func tokens(_ kind: Analyzer, _ bytes: [UInt8], _ buffer: TokenBuffer = TokenBuffer()) -> [Token] {
  bytes.withUnsafeBytes { TextAnalyzer(kind).analyze($0, into: buffer) }
  return (0..<buffer.count).map { index in
    Token(
      term: String(decoding: buffer.term(index), as: UTF8.self),
      position: Int(buffer.position[index]),
      source: Int(buffer.sourceStart[index])..<Int(buffer.sourceEnd[index]))
  }
}

func terms(_ kind: Analyzer, _ text: String) -> [String] {
  tokens(kind, Array(text.utf8)).map(\.term)
}

func folded(_ text: String) -> String { String(decoding: Folding.fold(text), as: UTF8.self) }

/// A small generator of random numbers that gives the same ones in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  mutating func text(of alphabet: [Unicode.Scalar], upTo length: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      if let scalar = alphabet.randomElement(using: &self) { text.append(scalar) }
    }
    return String(text)
  }
}

/// Every scalar of Unicode 15.0, and a sample of those without a character.
let scalars: [Unicode.Scalar] = (0...0x10_FFFF as ClosedRange<UInt32>)
  .compactMap(Unicode.Scalar.init)
  .filter { scalar in
    switch scalar.properties.generalCategory {
    case .unassigned, .privateUse: scalar.value % 127 == 0
    default: isOfVersion15(scalar)
    }
  }

/// Whether the scalar has meant the same since 15.0: it is that old, or still unassigned.
func isOfVersion15(_ scalar: Unicode.Scalar) -> Bool {
  guard let age = scalar.properties.age else { return true }
  return age.major < 15 || (age.major == 15 && age.minor == 0)
}

/// The scalars of the blocks that begin at these values and are 256 long.
func page(_ pages: UInt32...) -> [Unicode.Scalar] {
  pages.flatMap { first in scalars.filter { $0.value >= first && $0.value < first + 256 } }
}

/// The boundaries of scalars, and how many bytes are not UTF-8, by the standard library's parser.
func parsed(_ bytes: [UInt8]) -> (boundaries: Set<Int>, invalidBytes: Int) {
  var parser = Unicode.UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  var (boundaries, invalid, at): (Set<Int>, Int, Int) = ([0], 0, 0)
  while true {
    switch parser.parseScalar(from: &iterator) {
    case .valid(let encoded): at += encoded.count
    case .error(let length):
      at += length
      invalid += length
    case .emptyInput: return (boundaries, invalid)
    }
    boundaries.insert(at)
  }
}

/// The longest prefix of at most 255 bytes that ends at a scalar.
func cut(_ folded: [UInt8]) -> [UInt8] {
  guard folded.count > 255 else { return folded }
  var end = 255
  while folded[end] & 0xC0 == 0x80 { end -= 1 }
  return Array(folded[..<end])
}

/// Checks what holds for the tokens of any bytes whatever.
func expectSound(_ kind: Analyzer, _ bytes: [UInt8], _ buffer: TokenBuffer) {
  let found = tokens(kind, bytes, buffer)
  let (boundaries, invalidBytes) = parsed(bytes)
  #expect(buffer.invalidBytes == invalidBytes)
  #expect(Int(buffer.positionCount) == found.count)
  var end = 0
  for (index, token) in found.enumerated() {
    let slice = Array(bytes[token.source])
    let isSound =
      token.position == index && token.source.lowerBound >= end && !token.source.isEmpty
      && boundaries.contains(token.source.lowerBound)
      && boundaries.contains(token.source.upperBound)
      && Array(token.term.utf8) == cut(Folding.fold(String(decoding: slice, as: UTF8.self)))
      && Folding.fold(token.term) == Array(token.term.utf8)
    #expect(isSound, "\(kind): token \(token) of \(bytes.prefix(400))")
    end = token.source.upperBound
  }
}
