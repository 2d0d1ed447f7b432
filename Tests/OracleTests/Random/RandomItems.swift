// Random items: attributes of every kind, some of them refused.

import Limelight

/// How the items of a run look.
struct ItemStyle: Sendable {
  /// How many custom standard attributes there are.
  var customStandard = 0
  /// How many ids are in use; fewer mean more replaced items.
  var ids = 200
  /// Whether ids may come again.
  var replaces = true
  /// Percentage of items with an expiry date.
  var expiring = 0
  /// The most words of a usual text.
  var words = 12
}

/// Makes random items.
struct RandomItems {
  let style: ItemStyle
  let words: RandomWords
  private var fresh = 0

  static let standard: [Attribute] = [
    .title, .displayName, .textContent, .contentDescription, .keywords, .alternateNames, .comment,
    .subject, .album, .artist, .authorNames, .city, .headline, .authors, .primaryRecipients,
    .htmlContentData,
  ]
  static let named: [Attribute] = [
    .kind, .identifier, .creator, .languages, .contentURL, .path, .hiddenAdditionalRecipients,
    .projects, "shelf", "aisle",
  ]
  static let numbers: [Attribute] = [.fileSize, .rating, .pageCount, .altitude, "weight"]
  static let dates: [Attribute] = [.startDate, .importantDates, "seen"]
  static let flags: [Attribute] = [.allDay, .userOwned, "broken"]
  static let domains = [
    "mail", "mail.inbox", "mail.inbox.old", "mailing", "notes", "notes.work", "ärger", "a", "a.b",
    "ab", "shop-1.x",
  ]
  static let types = ["public.jpeg", "public.text", "com.example.note"]

  /// The custom attributes that an index of this style declares.
  static func declared(_ style: ItemStyle) -> [CustomAttribute] {
    (0..<style.customStandard).map {
      CustomAttribute("field\($0)", kind: .text, searchClass: .standard)
    }
  }

  init(_ style: ItemStyle, _ words: RandomWords) {
    self.style = style
    self.words = words
  }

  mutating func id(_ random: inout RandomSource) -> String {
    if !style.replaces {
      fresh += 1
      return "item \(fresh)"
    }
    let number = random.below(style.ids)
    return number % 17 == 0 ? "ид/\(number)" : "item \(number)"
  }

  /// An item that will be taken.
  mutating func item(_ random: inout RandomSource) -> Item {
    var item = Item(id: id(&random))
    if random.chance(70) { item.domain = random.pick(Self.domains) }
    if random.chance(15) { item.contentType = random.pick(Self.types) }
    if random.chance(style.expiring) {
      item.expirationDate = Timestamp(
        secondsSince1970: random.chance(50) ? 1_000_000_000 : 9_000_000_000)
    }
    if random.chance(5) { item.thumbnail = (0...random.below(40)).map { UInt8($0) } }
    for _ in 0..<random.number(0...4) {
      let attribute = random.pick(Self.standard)
      item.attributes[attribute] = value(attribute, &random)
    }
    if style.customStandard > 0 {
      for _ in 0..<random.number(0...6) {
        item.attributes[Attribute("field\(random.skewed(style.customStandard))")] = text(&random)
      }
    }
    for _ in 0..<random.number(0...2) {
      let attribute = random.pick(Self.named)
      item.attributes[attribute] = value(attribute, &random)
    }
    for _ in 0..<random.number(0...2) { addFilter(to: &item, &random) }
    return item
  }

  private func addFilter(to item: inout Item, _ random: inout RandomSource) {
    switch random.below(3) {
    case 0: item.attributes[random.pick(Self.numbers)] = .number(Self.number(&random))
    case 1:
      let attribute = random.pick(Self.dates)
      item.attributes[attribute] =
        attribute == .importantDates && random.chance(80)
        ? .dates((0..<random.below(4)).map { _ in Self.date(&random) }) : .date(Self.date(&random))
    default:
      let attribute = random.pick(Self.flags)
      let flag = random.chance(50)
      item.attributes[attribute] =
        attribute.definition != nil && random.chance(20) ? .number(flag ? 1 : 0) : .bool(flag)
    }
  }

  static func number(_ random: inout RandomSource) -> Double {
    switch random.below(6) {
    case 0: -Double(random.below(5))
    case 1: Double(random.below(10)) / 4
    case 2: random.pick([0.0, -0.0, 1e300, -1e300, .leastNonzeroMagnitude, 0.1, 1e15 + 0.5])
    default: Double(random.below(6))
    }
  }

  static func date(_ random: inout RandomSource) -> Timestamp {
    Timestamp(microseconds: Int64(random.number(-3...6)) * 86_400_000_000)
  }

  private func text(_ random: inout RandomSource) -> Value {
    var count = random.number(0...style.words)
    if random.chance(4) { count = random.number(20...150) }
    let text = words.text(count, &random)
    // Now and then one word so often that a byte does not hold it.
    if random.chance(1) {
      return .text(Array(repeating: words.word(&random), count: 300).joined(separator: " "))
    }
    return .text(text)
  }

  private func texts(_ random: inout RandomSource) -> [String] {
    (0..<random.below(4)).map { _ in words.text(random.number(0...3), &random) }
  }

  private func value(_ attribute: Attribute, _ random: inout RandomSource) -> Value {
    switch attribute.definition?.kind {
    case .texts?:
      return random.chance(20) ? text(&random) : .texts(texts(&random))
    case .persons?:
      return .persons(
        (0..<random.below(3)).map { _ in
          Person(displayName: words.text(random.below(3), &random), handles: texts(&random))
        })
    case .url?:
      let url = "https://example.com/\(words.word(&random))"
      return random.chance(50) ? .url(url) : .text(url)
    case .data?:
      let html = "<html><p class=x>\(plain(&random))</p><b>\(plain(&random))</b>"
      return .data(Array(html.utf8))
    default:
      if random.chance(10) { return .texts(texts(&random)) }
      if random.chance(10) {
        return .localized([
          LocalizedText(tag: "en", text: words.text(random.below(4), &random)),
          LocalizedText(tag: "de", text: words.text(random.below(4), &random)),
        ])
      }
      return text(&random)
    }
  }

  /// Words without anything that HTML would read.
  private func plain(_ random: inout RandomSource) -> String {
    (0..<random.number(0...5)).map { _ in words.word(&random) }.joined(separator: " ")
  }

  /// An item that will be refused, with the reason.
  mutating func badItem(_ random: inout RandomSource) -> (Item, ItemError.Code) {
    var item = item(&random)
    item.id = "bad item"
    switch random.below(6) {
    case 0:
      item.attributes[.title] = .number(1)
      return (item, .wrongKind)
    case 1:
      item.attributes[.rating] = .number(.nan)
      return (item, .numberNotFinite)
    case 2:
      item.domain = "a..b"
      return (item, .invalidDomain)
    case 3:
      item.id = String(repeating: "x", count: ItemLimits.idBytes + 1)
      return (item, .idTooLong)
    case 4:
      item.attributes[Attribute(String(repeating: "n", count: 256))] = .text("a")
      return (item, .customNameTooLong)
    default:
      item.attributes["never heard of"] = .dates([])
      return (item, .unknownKind)
    }
  }
}
