// Text to terms, the same at index and query time: analysers, folding, word boundaries.

/// How text is cut into terms; part of an index's identity.
///
/// Both analysers fold what they cut (see `Folding`) and give each token the next position. They
/// take time linear in the text and never fail: bytes that are not UTF-8 separate words.
public enum Analyzer: String, Sendable, CaseIterable {
  /// The words of UAX #29, version 15.0: `can't` and `3.14` are one word, each ideograph is one.
  ///
  /// A segment between two boundaries is a word when it holds a letter, a number, a pictograph
  /// (emoji) or a squared abbreviation; other segments are passed over and take no position.
  case words

  /// Longest runs of letters and numbers, with the marks that follow them.
  ///
  /// Soft hyphens, joiners and other ignorable format characters inside a run do not end it; a
  /// zero width space does. Scripts written without spaces give one long token a phrase.
  case runs

  /// Raised whenever the terms of some text change: an index made with another must be rebuilt.
  public var version: UInt32 { 1 }
}
