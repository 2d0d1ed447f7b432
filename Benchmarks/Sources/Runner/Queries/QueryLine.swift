// The harness' query grammar as a query tree.

package import Limelight

/// Clauses separated by spaces: `+x` must, `-x` must not, bare `x` should; a word, `"a phrase"`,
/// `pre*`, `word~1` or `word~2`.
package enum QueryLine {
  package static func parse(_ text: String) -> Query {
    var must: [Query] = []
    var should: [Query] = []
    var not: [Query] = []
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " }
      guard let sign = rest.first else { break }
      if sign == "+" || sign == "-" { rest = rest.dropFirst() }
      let query = clause(&rest)
      switch sign {
      case "+": must.append(query)
      case "-": not.append(query)
      default: should.append(query)
      }
    }
    if not.isEmpty && should.isEmpty { return must.count == 1 ? must[0] : .all(must) }
    if not.isEmpty && must.isEmpty { return should.count == 1 ? should[0] : .any(should) }
    return .boolean(must: must, should: should, not: not)
  }

  private static func clause(_ rest: inout Substring) -> Query {
    if rest.first == "\"" {
      rest = rest.dropFirst()
      let phrase = rest.prefix { $0 != "\"" }
      rest = rest.dropFirst(phrase.count + 1)
      return .phrase(String(phrase))
    }
    let word = rest.prefix { $0 != " " }
    rest = rest.dropFirst(word.count)
    if word.last == "*" { return .prefix(String(word.dropLast())) }
    if word.hasSuffix("~1") { return .fuzzy(String(word.dropLast(2)), distance: 1) }
    if word.hasSuffix("~2") { return .fuzzy(String(word.dropLast(2)), distance: 2) }
    return .term(String(word))
  }
}
