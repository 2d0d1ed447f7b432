// A query to measure: what is asked, and the kind whose figures it belongs to.

internal import Limelight

/// A query of a set.
struct BenchmarkQuery: Sendable {
  /// How the query comes to the index.
  enum Form: Sendable {
    /// As a tree that is ready.
    case tree(Query)
    /// As text that a person typed; reading it counts as part of the search.
    case typed(String)
  }

  /// The queries that are reported together.
  let kind: String
  /// The query for people to read.
  let text: String
  let form: Form

  /// A query tree.
  init(kind: String, text: String, _ query: Query) {
    self.kind = kind
    self.text = text
    form = .tree(query)
  }

  /// A typed text.
  init(kind: String, typed text: String) {
    self.kind = kind
    self.text = text
    form = .typed(text)
  }
}

/// Queries, and what of their source could not be asked.
struct QuerySet: Sendable {
  /// Where the queries come from, in few words.
  var name: String
  var queries: [BenchmarkQuery] = []
  /// How many queries of which kind were left out, as Limelight has nothing like them.
  var unsupported: [String: Int] = [:]

  /// Only the queries of these kinds, of which each must be there.
  func limited(to kinds: [String]) throws -> QuerySet {
    let present = Set(queries.map(\.kind))
    for kind in kinds where !present.contains(kind) {
      throw BenchmarkError(
        "\(name) has no queries of kind '\(kind)'; there are: "
          + present.sorted().joined(separator: ", "))
    }
    var set = self
    set.queries = queries.filter { kinds.contains($0.kind) }
    set.unsupported = [:]
    return set
  }
}
