// The attributes of an item with their values, in the order in which they were set.

/// Attributes with their values, each attribute at most once, in the order of first setting.
///
/// Two sets are equal when they hold the same values, whatever the order. Finding and setting
/// take constant time; removing takes time in proportion to the size.
public struct AttributeSet: Sendable {
  fileprivate struct Entry {
    let attribute: Attribute
    var value: Value
  }

  private var entries: [Entry] = []
  /// Places by attribute, kept once the set is too large to look through.
  private var places: [Attribute: Int] = [:]
  private static let smallCount = 16

  /// Makes an empty set.
  public init() {}

  /// The number of attributes that have a value.
  public var count: Int { entries.count }

  /// Whether no attribute has a value.
  public var isEmpty: Bool { entries.isEmpty }

  /// The value of an attribute; setting nil removes it.
  public subscript(attribute: Attribute) -> Value? {
    get { place(of: attribute).map { entries[$0].value } }
    set {
      let place = place(of: attribute)
      if let newValue {
        if let place {
          entries[place].value = newValue
        } else {
          append(attribute, newValue)
        }
      } else if let place {
        entries.remove(at: place)
        places = [:]
        if entries.count > Self.smallCount { indexPlaces() }
      }
    }
  }

  /// Gives an attribute its first value; false when it has one already.
  mutating func insert(_ value: Value, for attribute: Attribute) -> Bool {
    guard place(of: attribute) == nil else { return false }
    append(attribute, value)
    return true
  }

  private func place(of attribute: Attribute) -> Int? {
    if entries.count > Self.smallCount { return places[attribute] }
    return entries.firstIndex { $0.attribute == attribute }
  }

  private mutating func append(_ attribute: Attribute, _ value: Value) {
    entries.append(Entry(attribute: attribute, value: value))
    if entries.count == Self.smallCount + 1 {
      indexPlaces()
    } else if entries.count > Self.smallCount {
      places[attribute] = entries.count - 1
    }
  }

  private mutating func indexPlaces() {
    for (place, entry) in entries.enumerated() { places[entry.attribute] = place }
  }
}

extension AttributeSet: Sequence {
  /// The attributes with their values in the order of first setting.
  public struct Iterator: IteratorProtocol {
    private var entries: IndexingIterator<[Entry]>

    fileprivate init(_ entries: [Entry]) {
      self.entries = entries.makeIterator()
    }

    /// The next attribute with its value.
    public mutating func next() -> (attribute: Attribute, value: Value)? {
      entries.next().map { ($0.attribute, $0.value) }
    }
  }

  /// Makes an iterator over the attributes and values in the order of first setting.
  public func makeIterator() -> Iterator { Iterator(entries) }

  /// The number of attributes, so that copies are made in one go.
  public var underestimatedCount: Int { entries.count }
}

extension AttributeSet: ExpressibleByDictionaryLiteral {
  /// Makes a set; the last value of an attribute that stands twice is kept.
  public init(dictionaryLiteral elements: (Attribute, Value)...) {
    for (attribute, value) in elements { self[attribute] = value }
  }
}

extension AttributeSet: Hashable {
  /// Whether both hold the same attributes with the same values.
  public static func == (left: AttributeSet, right: AttributeSet) -> Bool {
    left.count == right.count && left.allSatisfy { right[$0.attribute] == $0.value }
  }

  /// Hashes the attributes and values, whatever their order.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for entry in entries {
      var own = Hasher()
      own.combine(entry.attribute)
      own.combine(entry.value)
      sum &+= own.finalize()
    }
    hasher.combine(sum)
  }
}
