// The values that attributes take.

/// A person: a name and the addresses or numbers that reach them.
public struct Person: Hashable, Sendable {
  /// The name as it is shown; empty when only a handle is known.
  public var displayName: String
  /// Mail addresses, telephone numbers and the like.
  public var handles: [String]

  /// Makes a person.
  public init(displayName: String, handles: [String] = []) {
    self.displayName = displayName
    self.handles = handles
  }
}

/// A text in one language.
public struct LocalizedText: Hashable, Sendable {
  /// The language as a BCP 47 tag, such as `en` or `zh-Hant`.
  public var tag: String
  /// The text in that language.
  public var text: String

  /// Makes a text in one language.
  public init(tag: String, text: String) {
    self.tag = tag
    self.text = text
  }
}

/// A value of an attribute.
///
/// What an attribute takes follows from its ``AttributeKind``. A text attribute takes `text`,
/// `texts` or `localized`; a list takes a single value; a boolean takes the numbers 0 and 1.
/// Anything else is refused with ``ItemError/Code/wrongKind``.
public enum Value: Hashable, Sendable {
  /// A text.
  case text(String)
  /// Several texts, kept apart: no phrase crosses from one to the next.
  case texts([String])
  /// One text in several languages, all of which are searched.
  case localized([LocalizedText])
  /// A finite double.
  case number(Double)
  /// True or false.
  case bool(Bool)
  /// A moment in time.
  case date(Timestamp)
  /// Several moments.
  case dates([Timestamp])
  /// A web or file address, kept as it is written.
  case url(String)
  /// Bytes.
  case data([UInt8])
  /// People.
  case persons([Person])
  /// Names, each with a list of texts.
  case dictionary([String: [String]])
  /// A uniform type identifier, such as `public.jpeg`.
  case contentType(String)
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  /// Makes a text.
  public init(stringLiteral text: String) {
    self = .text(text)
  }

  /// Makes a number.
  public init(integerLiteral number: Int) {
    self = .number(Double(number))
  }

  /// Makes a number.
  public init(floatLiteral number: Double) {
    self = .number(number)
  }

  /// Makes a boolean.
  public init(booleanLiteral flag: Bool) {
    self = .bool(flag)
  }

  /// Makes a list of texts.
  public init(arrayLiteral texts: String...) {
    self = .texts(texts)
  }
}
