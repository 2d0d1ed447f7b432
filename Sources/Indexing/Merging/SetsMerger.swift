// Joins the attribute sets of several segments.

internal import LimelightSegments

/// The attribute sets of a merged segment, and what becomes of each input's codes.
struct MergedSets {
  /// nil if the output has at most one default attribute: then postings need no code.
  let sets: AttributeSets?
  /// The attributes and sets to store, even if postings need no code.
  let stored: AttributeSets
  /// For each input and code the new code.
  let codes: [[UInt32]]

  /// Joins tables; `tokens` orders the attributes, most frequent first.
  ///
  /// How often a set occurs is not stored: sets are weighed by their rank in each input and its size.
  init(_ tables: [AttributeSets], documents: [Int], tokens: [UInt16: UInt64]) {
    var attributes: [UInt16] = []
    for table in tables {
      for attribute in table.attributes where !attributes.contains(attribute) {
        attributes.append(attribute)
      }
    }
    attributes.sort { a, b in
      let (x, y) = (tokens[a] ?? 0, tokens[b] ?? 0)
      return x != y ? x > y : a < b
    }
    var collector = SetCollector(attributes: attributes.count)
    var numbers: [[Int]] = []
    let words = max((attributes.count + 63) / 64, 1)
    for (input, table) in tables.enumerated() {
      let places = table.attributes.map { attribute in
        attributes.firstIndex(of: attribute) ?? 0
      }
      var row: [Int] = []
      for code in table.sets.indices {
        var set = [UInt64](repeating: 0, count: words)
        for (index, place) in places.enumerated()
        where table.sets[code][index >> 6] >> UInt64(index & 63) & 1 == 1 {
          set[place >> 6] |= 1 << UInt64(place & 63)
        }
        let weight = documents[input] * 16 / (code + 1) + 1
        row.append(
          set.withUnsafeBufferPointer { words in
            words.baseAddress.map { collector.number(of: $0, weight: weight) } ?? 0
          })
      }
      numbers.append(row)
    }
    let (joined, codes) = collector.finish(attributes: attributes)
    stored = joined
    sets = attributes.count > 1 ? joined : nil
    self.codes = numbers.map { row in row.map { codes[$0] } }
  }
}
