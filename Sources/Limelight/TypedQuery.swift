// Typed text as a query that can be combined with others.

internal import LimelightAnalysis
internal import LimelightSearch

extension Index {
  /// The query that a typed text stands for, as this index reads it; never an error.
  ///
  /// Searching it gives what searching the text gives. As a query it can be combined:
  /// `index.query(typed: "coffee gri") & .atLeast(.rating, 4)`.
  public func query(typed text: String, lastWordIsPrefix: Bool = true) -> Query {
    TypedText.parse(text, analyzer: TextAnalyzer(analyzer), lastWordIsPrefix: lastWordIsPrefix)
  }
}
