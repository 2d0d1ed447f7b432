// What is asked of an index: a tree of words, phrases, ranges and their combinations.

public import LimelightItems

/// A question to an index, as a value.
///
/// Build one out of leaves and combine them; `&`, `|` and `!` are the short forms of ``all(_:)``,
/// ``any(_:)`` and ``not(_:)``:
///
/// ```swift
/// let query: Query = .term("coffee") & (.prefix("gri") | .phrase("french press"))
///   & !.term("decaf") & .atLeast(.rating, 4) & .domain("shop.kitchen")
/// ```
///
/// **Text.** The texts in a query are plain text, as a person writes it. They are analysed like
/// the items, so case, accents and width make no difference, and a text of several words
/// (`wi-fi`) stands for these words in a row. A text without any word, such as `"?!"`, matches
/// nothing.
///
/// **Attributes.** A text is looked for in all attributes whose search class is *standard*; with
/// `in:` only in the one named, which may also be of class *named*. A name that the index does not
/// know matches nothing.
///
/// **Score.** Words score by rarity, frequency and the attribute in which they stand
/// (``Weights``); ranges, domains, ``everything`` and what is negated score 0. The score of an
/// item is the sum over the query's words that it matches, in the order in which they stand
/// in the query. Items of the same score come in the order of their arrival.
///
/// For what a person typed, hand the text itself to the index's search: it never fails.
public indirect enum Query: Hashable, Sendable {
  /// Items that hold the word.
  case term(String, in: Attribute? = nil)

  /// Items that hold a word with this beginning.
  ///
  /// With several words, the last one is the beginning and those before it must stand in a row:
  /// `wi-f` finds items that hold `wi` and any word in `f…`.
  case prefix(String, in: Attribute? = nil)

  /// Items that hold the words one after the other, within one value of one attribute.
  case phrase(String, in: Attribute? = nil)

  /// Items that hold the word or one within so many letters of it: left out, added or changed
  /// ones, or two swapped.
  ///
  /// The distance is 0, 1 or 2; what lies beyond counts as the nearest of these. With several
  /// words, each one must be found in this manner.
  case fuzzy(String, distance: Int = 1, in: Attribute? = nil)

  /// Items that match all of the queries; the empty list matches everything.
  case all([Query])

  /// Items that match at least one of the queries; the empty list matches nothing.
  case any([Query])

  /// Items that match all of `must` and none of `not`; what they match of `should` adds to the
  /// score.
  ///
  /// Without any `must`, one of `should` has to match; without these too, every item does
  /// that `not` leaves over.
  case boolean(must: [Query] = [], should: [Query] = [], not: [Query] = [])

  /// Items that do not match the query.
  case not(Query)

  /// Items with a value of the attribute between the bounds.
  ///
  /// An attribute of several values matches with any of them. Values are compared with bounds of
  /// their own kind: numbers with numbers, dates with dates, texts with texts (by their folded
  /// form, then by their bytes); a bound of another kind matches nothing.
  case range(Attribute, lower: RangeBound, upper: RangeBound)

  /// Items of the domain or of one below it: `mail` finds `mail.inbox`, but not `mailing`.
  case domain(String)

  /// All items.
  case everything

  /// No item.
  case nothing
}

extension Query {
  /// How deeply queries may be nested; a query beyond this is refused as an invalid argument.
  public static var maximumDepth: Int { 100 }

  /// Whether the query is nested more deeply than that.
  ///
  /// Looked at without recursion, so that it can guard code that recurs. Linear in the number of
  /// nodes.
  package func isDeeper(than limit: Int) -> Bool {
    var pending = [(query: self, depth: 1)]
    while let (query, depth) = pending.popLast() {
      if depth > limit { return true }
      for child in query.children { pending.append((child, depth + 1)) }
    }
    return false
  }

  /// The queries right below this one, in their order.
  package var children: [Query] {
    switch self {
    case .all(let queries), .any(let queries): queries
    case .boolean(let must, let should, let not): must + should + not
    case .not(let query): [query]
    case .term, .prefix, .phrase, .fuzzy, .range, .domain, .everything, .nothing: []
    }
  }
}
