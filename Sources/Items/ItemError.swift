// Why an item was refused.

/// The reason why one item was refused, with the attribute that is to blame.
///
/// An error concerns a single item: the other items of a batch are taken.
public struct ItemError: Error, Hashable, Sendable {
  /// What was wrong; the raw values are stable words for reports and other languages.
  public enum Code: String, Sendable, CaseIterable {
    /// The id is there but empty.
    case emptyID
    /// The id is longer than ``ItemLimits/idBytes``.
    case idTooLong
    /// The domain is empty, too long, has an empty component or holds a control character.
    case invalidDomain
    /// The item is larger than ``ItemLimits/itemBytes``.
    case itemTooLarge
    /// The thumbnail is larger than ``ItemLimits/thumbnailBytes``.
    case thumbnailTooLarge
    /// The value's kind is not the attribute's.
    case wrongKind
    /// A custom attribute cannot hold values of this kind.
    case unknownKind
    /// The search class does not fit the attribute's kind.
    case invalidSearchClass
    /// The custom name is longer than ``ItemLimits/customNameBytes``.
    case customNameTooLong
    /// The attribute's name is empty, reserved, or holds a control character or a quote.
    case invalidName
    /// The index holds ``ItemLimits/customAttributes`` custom attributes already.
    case tooManyAttributes
    /// The number is infinite, not a number, or beyond the range of a double.
    case numberNotFinite
    /// The date cannot be read, does not exist, or is out of range.
    case invalidDate
    /// An attribute and the item's own member of the same meaning hold different values.
    case conflictingValues
    /// The text is not Unicode: invalid UTF-8 or a lone surrogate.
    case notText
    /// The line is not JSON as RFC 8259 has it.
    case invalidJSON
    /// A member stands twice in one JSON object.
    case duplicateKey
    /// A JSON object has a member that means nothing here.
    case unknownKey
    /// The bytes are not base64 as RFC 4648 has it, with its padding.
    case invalidBase64
  }

  /// What was wrong.
  public let code: Code
  /// The attribute or member that is to blame, where there is one.
  public let attribute: String?
  /// What was wrong, in words for people.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, attribute: String? = nil, message: String) {
    self.code = code
    self.attribute = attribute
    self.message = message
  }
}

extension ItemError: CustomStringConvertible {
  /// The attribute and the reason on one line.
  public var description: String {
    guard let attribute else { return "\(message) (\(code.rawValue))" }
    return "\(attribute): \(message) (\(code.rawValue))"
  }
}
