// How an index is made and opened.

/// Whether an index is opened to be changed.
public enum Access: Sendable {
  /// For searching and changing. One such handle at a time, over all processes.
  case readWrite
  /// For searching; takes no lock, writes nothing, and follows a writer in another process.
  case readOnly
}

/// A custom attribute whose kind and search class are fixed before its first value.
public struct CustomAttribute: Hashable, Sendable {
  /// 1 to 255 bytes.
  public var name: String
  /// Text, number, bool or date.
  public var kind: AttributeKind
  /// Who finds it; nil: text when named, everything else as a filter.
  public var searchClass: SearchClass?

  /// Describes a custom attribute.
  public init(_ name: String, kind: AttributeKind, searchClass: SearchClass? = nil) {
    self.name = name
    self.kind = kind
    self.searchClass = searchClass
  }
}

/// What an index is made with, and how it is opened.
public struct IndexConfiguration: Sendable {
  /// How texts become words; fixed when the index is made.
  public var analyzer: Analyzer
  /// Whether items are stored, so that they can be returned and highlighted; fixed when the index is
  /// made.
  public var storesItems: Bool
  /// How long to wait for another writer to end, in milliseconds.
  public var lockWait: Int
  /// Custom attributes to declare when the index is opened.
  public var customAttributes: [CustomAttribute]

  /// Describes an index.
  public init(
    analyzer: Analyzer = .words, storesItems: Bool = true, lockWait: Int = 0,
    customAttributes: [CustomAttribute] = []
  ) {
    self.analyzer = analyzer
    self.storesItems = storesItems
    self.lockWait = lockWait
    self.customAttributes = customAttributes
  }
}
