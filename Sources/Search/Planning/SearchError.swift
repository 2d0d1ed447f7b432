// Why a search gives no answer.

package import LimelightSegments

/// The reasons for which a search ends without an answer.
package enum SearchError: Error, Equatable, Sendable {
  /// Bytes of a segment are damaged.
  case corrupt(CorruptionError)
  /// Somebody cancelled the search.
  case cancelled
  /// The query asks for something that this index cannot answer.
  case unsupported(String)
  /// The query is nested more deeply than `Query.maximumDepth`.
  case tooDeep
}
