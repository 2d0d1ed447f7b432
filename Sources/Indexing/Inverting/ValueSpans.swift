// Which attribute a position of an item belongs to.

/// The text values of default attributes, document by document, while a segment is being built.
///
/// A posting's attribute set follows from its positions: values stand one behind the other in the
/// item's position space, so walking both in step gives each position its attribute.
struct ValueSpans {
  /// The first position of each value, and its attribute as a number within the segment.
  private(set) var starts: [UInt32] = []
  private(set) var attributes: [UInt16] = []
  /// The first value of each document; one more than there are documents.
  private(set) var firstValue: [UInt32] = [0]
  /// The default attributes met so far, numbered in order, with their tokens.
  private(set) var known: [UInt16] = []
  private(set) var tokens: [UInt64] = []
  /// The document in which each was met first.
  private(set) var firstDocuments: [Int] = []

  /// Adds a value of the document being built.
  mutating func add(attribute: UInt16, start: UInt32, tokens count: UInt32) {
    var number = -1
    for i in 0..<known.count where known[i] == attribute {
      number = i
      break
    }
    if number < 0 {
      number = known.count
      known.append(attribute)
      tokens.append(0)
      firstDocuments.append(firstValue.count &- 1)
    }
    tokens[number] &+= UInt64(count)
    starts.append(start)
    attributes.append(UInt16(truncatingIfNeeded: number))
  }

  /// Ends the document.
  mutating func endDocument() {
    firstValue.append(UInt32(truncatingIfNeeded: starts.count))
  }

  mutating func removeAll() {
    starts.removeAll(keepingCapacity: starts.count < 1 << 16)
    attributes.removeAll(keepingCapacity: attributes.count < 1 << 16)
    firstValue.removeAll(keepingCapacity: firstValue.count < 1 << 16)
    firstValue.append(0)
    known.removeAll()
    tokens.removeAll()
    firstDocuments.removeAll()
  }

  var memory: Int { starts.count &* 6 &+ firstValue.count &* 4 }
}
