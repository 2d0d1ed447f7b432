// The texts of a query as terms, by the same analysis as the items.

package import LimelightAnalysis

/// Turns the texts of a query into terms.
package enum QueryAnalysis {
  /// The terms of a text in order, each with its position among the text's words.
  ///
  /// The positions start at 0 and ascend by one, as they do in an item, so that the difference of
  /// two is the distance at which a phrase wants them. An empty result means that there is no
  /// word in the text. Linear in the text.
  package static func terms(
    of text: String, analyzer: TextAnalyzer
  ) -> [(term: [UInt8], position: UInt32)] {
    let tokens = TokenBuffer()
    var text = text
    text.withUTF8 { analyzer.analyze(UnsafeRawBufferPointer($0), into: tokens) }
    return (0..<tokens.count).map { index in
      (term: Array(tokens.term(index)), position: tokens.position[index])
    }
  }
}
