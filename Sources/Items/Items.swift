// What an item may hold: attributes, their kinds and search classes, values, and their forms.

/// The sizes that an item must keep to.
///
/// An item beyond them is refused by itself, with an ``ItemError`` that names the attribute; the
/// rest of its batch is taken.
public enum ItemLimits {
  /// Longest item id, in bytes of UTF-8; the shortest is one byte.
  public static let idBytes = 4096
  /// Longest domain, in bytes of UTF-8.
  public static let domainBytes = 255
  /// Longest name of a custom attribute, in bytes of UTF-8.
  public static let customNameBytes = 255
  /// Most custom attributes that one index can hold.
  public static let customAttributes = 32_768
  /// Largest encoded thumbnail, in bytes.
  public static let thumbnailBytes = 16 << 20
  /// Largest item, in bytes: its id, its thumbnail and the bytes of all its values together.
  public static let itemBytes = 64 << 20
  /// Longest text that is kept in a column as well, for comparing and sorting, in bytes.
  package static let columnTextBytes = 255
}
