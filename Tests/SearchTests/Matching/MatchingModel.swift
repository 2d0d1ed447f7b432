// Random items and segments made of them, and the plain model that searches are compared with.

import LimelightItems
import LimelightSearch
import LimelightSegments
import LimelightSnapshots
import LimelightStorage
import Testing

/// A small generator with a seed, so that failures repeat.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  /// Whether something with a chance of one in `n` happens.
  mutating func oneIn(_ n: Int) -> Bool { below(n) == 0 }

  /// A number below `limit`, small ones far more often.
  mutating func skewed(_ limit: Int, power: Int = 3) -> Int {
    let unit = Double(next() % 1_000_000) / 1_000_000
    var value = unit
    for _ in 1..<power { value *= unit }
    return min(Int(value * Double(limit)), limit - 1)
  }
}

/// An item of the model: text values as lists of words, and what filters look at.
struct ModelDocument {
  var values: [(attribute: UInt16, words: [String])] = []
  var number: Double?
  var date: Int64?
  var domain: String?
  var label: String?
  var expiry: Int64?
  var isDead = false
}

/// Words of letters only, so that every analyser takes one for one term; some begin others.
func modelWord(_ number: Int) -> String {
  var text = ""
  var rest = number
  repeat {
    text.append(Character(UnicodeScalar(UInt8(97 + rest % 5))))
    rest /= 5
  } while rest > 0
  return text
}

/// How random items are made.
struct ModelShape {
  var documents = 300
  var segments = 3
  var vocabulary = 60
  /// How much more frequent the first words are.
  var skew = 3
  var wordsAValue = 6
  var standardAttributes = 3
  /// Sets that get a code; the others overflow.
  var knownSets = 6
  var chanceOfDeath = 0
  var chanceOfExpiry = 0
  /// Every item alike in length, one value each.
  var isUniform = false
}

/// The attributes that the model uses, by their place in the built-in table.
enum ModelAttributes {
  static let standard: [AttributeDefinition] = {
    let first = AttributeTable.builtIn.filter { $0.searchClass == .standard }
    // Weighted ones first, so that boosts differ.
    return first.filter { Weights.standard[Attribute($0.name)] > 0 }
      + first.filter { Weights.standard[Attribute($0.name)] == 0 }
  }()
  static let named: [AttributeDefinition] = Array(
    AttributeTable.builtIn.filter { $0.searchClass == .named && $0.kind == .text }.prefix(2))
  static let number = AttributeTable.builtIn.first {
    $0.kind == .number && $0.searchClass == .filter
  }
  static let date = AttributeTable.builtIn.first {
    $0.kind == .date && $0.searchClass == .filter
  }
}

/// Items, cut into segments.
struct ModelIndex {
  var documents: [ModelDocument] = []
  var segmentSizes: [Int] = []
  let shape: ModelShape
  static let now: Int64 = 1_000_000

  /// One without items, to which a test adds its own.
  static func empty(_ seed: UInt64, standardAttributes: Int? = nil, knownSets: Int? = nil) -> Self {
    var shape = ModelShape()
    shape.documents = 0
    shape.segments = 1
    if let standardAttributes { shape.standardAttributes = standardAttributes }
    if let knownSets { shape.knownSets = knownSets }
    return ModelIndex(shape, seed: seed)
  }

  init(_ shape: ModelShape, seed: UInt64) {
    self.shape = shape
    var random = SeededRandom(seed)
    for _ in 0..<shape.documents { documents.append(Self.document(shape, &random)) }
    var left = shape.documents
    for segment in 0..<shape.segments {
      let size =
        segment == shape.segments - 1
        ? left : min(left, random.below(2 * left / (shape.segments - segment) + 1))
      segmentSizes.append(size)
      left -= size
    }
  }

  private static func document(
    _ shape: ModelShape, _ random: inout SeededRandom
  ) -> ModelDocument {
    var document = ModelDocument()
    let standard = ModelAttributes.standard.prefix(shape.standardAttributes)
    let count = shape.isUniform ? 1 : random.below(4)
    for _ in 0..<count {
      let attribute =
        shape.isUniform ? standard[0] : standard[random.skewed(standard.count, power: 2)]
      let length = shape.isUniform ? shape.wordsAValue : random.below(2 * shape.wordsAValue + 1)
      document.values.append((attribute.id, words(length, shape, &random)))
    }
    if !shape.isUniform {
      if random.oneIn(50), let first = standard.first {
        document.values.append((first.id, words(60, shape, &random)))
      }
      // A word many times over: frequencies beyond 255.
      if random.oneIn(200), let first = standard.first {
        document.values.append(
          (first.id, Array(repeating: modelWord(1), count: 200 + random.below(200))))
      }
      for named in ModelAttributes.named where random.oneIn(3) {
        document.values.append((named.id, words(random.below(5), shape, &random)))
      }
    }
    if random.oneIn(2) { document.number = Double(random.below(10)) - 3.5 }
    if random.oneIn(3) { document.date = Int64(random.below(100)) }
    if random.oneIn(2) { document.domain = ["a", "a.b", "ab", "c.d.e"][random.below(4)] }
    if random.oneIn(3) { document.label = ["Red", "red", "RED", "Réd", "blue"][random.below(5)] }
    if shape.chanceOfExpiry > 0, random.oneIn(shape.chanceOfExpiry) {
      document.expiry = now + Int64(random.below(3)) - 1
    }
    if shape.chanceOfDeath > 0 { document.isDead = random.oneIn(shape.chanceOfDeath) }
    return document
  }

  private static func words(
    _ count: Int, _ shape: ModelShape, _ random: inout SeededRandom
  ) -> [String] {
    (0..<count).map { _ in modelWord(random.skewed(shape.vocabulary, power: shape.skew)) }
  }

  /// The attribute that labels stand under; any id of a filter that takes strings would do.
  static let labelAttribute = AttributeTable.builtIn.first {
    $0.kind == .text && $0.searchClass == .filter
  }

  /// The snapshot of these items.
  func snapshot() throws -> Snapshot {
    var segments: [(segment: Segment, live: LiveDocs)] = []
    var start = 0
    for (number, size) in segmentSizes.enumerated() {
      let part = Array(documents[start..<(start + size)])
      let segment = try ModelSegment(part, knownSets: shape.knownSets).open(number)
      var live = LiveDocs(count: size)
      for (document, item) in part.enumerated() where item.isDead {
        _ = live.delete(UInt32(document))
      }
      segments.append((segment, live))
      start += size
    }
    return Snapshot(
      segments, generation: 1, registry: AttributeRegistry(),
      options: IndexOptions(analyzerName: "runs", analyzerVersion: 1))
  }
}
