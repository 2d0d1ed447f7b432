// Random queries: every case of the tree, and what people might type.

import Limelight

/// Makes random queries about random items.
struct RandomQueries {
  let words: RandomWords
  let style: ItemStyle

  /// A tree of queries.
  func query(_ random: inout RandomSource) -> Query {
    switch random.below(10) {
    case 0...3: return leaf(&random)
    case 4: return disjunction(&random)
    default: return tree(depth: 3, &random)
    }
  }

  private func tree(depth: Int, _ random: inout RandomSource) -> Query {
    if depth == 0 || random.chance(35) { return leaf(&random) }
    switch random.below(9) {
    case 0...2: return .all(trees(1...3, depth, &random))
    case 3, 4: return .any(trees(1...4, depth, &random))
    case 5: return .not(tree(depth: depth - 1, &random))
    default:
      return .boolean(
        must: trees(0...2, depth, &random), should: trees(0...3, depth, &random),
        not: trees(0...2, depth, &random).filter { _ in random.chance(60) })
    }
  }

  private func trees(
    _ count: ClosedRange<Int>, _ depth: Int, _ random: inout RandomSource
  ) -> [Query] {
    (0..<random.number(count)).map { _ in tree(depth: depth - 1, &random) }
  }

  /// Words of which any may match: the shape with a loop of its own.
  private func disjunction(_ random: inout RandomSource) -> Query {
    let attribute = random.chance(80) ? nil : self.attribute(&random)
    return .any(
      (0..<random.number(2...6)).map { _ in .term(spelt(&random), in: attribute) })
  }

  private func spelt(_ random: inout RandomSource) -> String {
    words.spelling(of: words.word(&random), &random)
  }

  private func leaf(_ random: inout RandomSource) -> Query {
    let attribute = random.chance(65) ? nil : self.attribute(&random)
    switch random.below(16) {
    case 0...4: return .term(spelt(&random), in: attribute)
    case 5, 6: return .prefix(prefix(&random), in: attribute)
    case 7...9: return .phrase(phrase(&random), in: attribute)
    case 10, 11:
      let edited = words.edited(words.word(&random), random.below(3), &random)
      return .fuzzy(edited, distance: random.number(-1...3), in: attribute)
    case 12: return .domain(random.chance(90) ? random.pick(RandomItems.domains) : "no.such")
    case 13, 14: return range(&random)
    default: return random.chance(70) ? .everything : .nothing
    }
  }

  private func prefix(_ random: inout RandomSource) -> String {
    let beginning = words.beginning(of: words.word(&random), &random)
    return random.chance(15) ? spelt(&random) + " " + beginning : beginning
  }

  private func phrase(_ random: inout RandomSource) -> String {
    if random.chance(10) { return random.pick(["", "?!", "-", "\u{301}"]) }
    return (0..<random.number(1...3)).map { _ in spelt(&random) }.joined(separator: " ")
  }

  /// An attribute of any class, sometimes one that no item has.
  private func attribute(_ random: inout RandomSource) -> Attribute {
    switch random.below(10) {
    case 0...4: random.pick(RandomItems.standard)
    case 5, 6: random.pick(RandomItems.named)
    case 7:
      style.customStandard > 0
        ? Attribute("field\(random.skewed(style.customStandard))") : "contentType"
    case 8: random.pick(RandomItems.numbers + RandomItems.flags)
    default: random.pick(["unheard of", .producer, .copyright])
    }
  }

  // MARK: Ranges

  private func range(_ random: inout RandomSource) -> Query {
    let attribute: Attribute
    let kind = random.below(4)
    switch kind {
    case 0: attribute = random.pick(RandomItems.numbers)
    case 1: attribute = random.pick(RandomItems.dates)
    case 2: attribute = random.pick(RandomItems.flags)
    default:
      attribute = random.pick(
        [.title, .displayName, .subject, .album, .artist, .contentType] + RandomItems.named)
    }
    return .range(attribute, lower: bound(kind, &random), upper: bound(kind, &random))
  }

  private func bound(_ kind: Int, _ random: inout RandomSource) -> RangeBound {
    if random.chance(30) { return .open }
    let value: RangeValue
    switch random.chance(96) ? kind : random.below(4) {
    case 0: value = .number(random.chance(3) ? .nan : RandomItems.number(&random))
    case 1: value = .date(RandomItems.date(&random))
    case 2: value = .bool(random.chance(50))
    default: value = .string(words.text(random.number(0...2), &random))
    }
    return random.chance(50) ? .included(value) : .excluded(value)
  }

  // MARK: Typed text

  /// What somebody might type.
  func typed(_ random: inout RandomSource) -> String {
    var text = ""
    for index in 0..<random.number(1...4) {
      if index > 0 { text += random.chance(90) ? " " : random.pick(["", "  ", "\u{3000}", "\t"]) }
      text += piece(&random)
    }
    if random.chance(30) {
      text += random.pick([" ", ".", "\"", "?", "'", " OR", " OR ", " -", "++"])
    }
    return text
  }

  private func piece(_ random: inout RandomSource) -> String {
    switch random.below(20) {
    case 0: return "OR"
    case 1, 2: return "-" + spelt(&random)
    case 3, 4: return "\"" + phrase(&random) + "\""
    case 5: return "-\"" + phrase(&random) + "\""
    case 6: return random.pick(["“", "«", "\""]) + phrase(&random)
    case 7: return spelt(&random) + " OR " + spelt(&random)
    case 8: return spelt(&random) + random.pick(["-", "/", ".", "_", "\"", "--"]) + spelt(&random)
    case 9: return random.pick(["--", "-", "??", "\"\"", "--help", "OR", "…"])
    case 10...13: return words.beginning(of: words.word(&random), &random)
    default: return spelt(&random)
    }
  }
}
