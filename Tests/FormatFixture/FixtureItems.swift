// The items of the fixtures of the file format: every kind of value, words rare and frequent.

import LimelightItems

enum FixtureItems {
  /// How many items are loaded at once: so many that a word in an eighth of them has a list of several
  /// blocks.
  static let loadCount = 1100

  /// A small item; `common` is in all of them, `seldom` in a few more than a block of postings holds.
  static func loaded(_ number: Int, round: Int = 0) -> Item {
    var item = Item(id: "load/\(number)", domain: ["mail.inbox", "mail", "notes"][number % 3])
    let seldom = number % 8 == 3 && number < 1048 ? " seldom" : ""
    item.attributes[.title] = .text("common \(word(number)) number\(number % 40)\(seldom)")
    item.attributes[.textContent] = .text(
      "\(word(number &* 7)) \(word(number / 5)) round\(round) \(word(number &* number))")
    item.attributes[.pageCount] = .number(Double(number % 17))
    return item
  }

  private static func word(_ number: Int) -> String { "w\(number % 211)" }

  /// An item with every kind of value.
  static func rich(_ number: Int) -> Item {
    var item = Item(
      id: "rich/\(number)", domain: "notes.rich\(number % 2)", contentType: "public.text")
    if number % 4 == 0 {
      item.expirationDate = Timestamp(microseconds: 4_102_444_800_000_000 + Int64(number))
    }
    if number % 5 == 0 {
      item.thumbnail = (0..<(60 + number)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
    }
    item.attributes[.title] = .text("Café \(number) rich common")
    item.attributes[.displayName] = .text("Straße number\(number)")
    item.attributes[.textContent] = .localized([
      LocalizedText(tag: "en", text: "The quick brown fox, common words; the quick end"),
      LocalizedText(tag: "de", text: "Der schnelle braune Fuchs \(number)"),
    ])
    item.attributes[.keywords] = .texts(["alpha", "beta gamma", "key\(number)"])
    item.attributes[.pageCount] = .number(Double(number) * 1.5)
    item.attributes[.fileSize] = .number(Double(number) * 1000)
    item.attributes[.allDay] = .bool(number % 3 == 0)
    item.attributes[.contentCreationDate] = .date(Timestamp(microseconds: Int64(number) << 40))
    item.attributes[.importantDates] = .dates([
      Timestamp(microseconds: 1), Timestamp(microseconds: Int64(number)),
    ])
    item.attributes[.contentURL] = .url("file:///tmp/\(number).txt")
    item.attributes[.htmlContentData] = .data(Array("<p>marked <b>up</b> \(number)</p>".utf8))
    item.attributes[.authors] = .persons([
      Person(displayName: "Ada Lovelace", handles: ["ada@example.org"])
    ])
    item.attributes[.emailHeaders] = .dictionary(["To": ["a", "b\(number)"], "X": []])
    item.attributes[Attribute("colour")] = .text("green \(number)")
    item.attributes[Attribute("weight")] = .number(Double(number))
    return item
  }

  /// An item that brings a custom attribute which none has before.
  static func late(_ number: Int) -> Item {
    var item = rich(number)
    item.id = "late/\(number)"
    item.attributes[Attribute("due")] = .date(Timestamp(microseconds: Int64(number) * 1_000_000))
    return item
  }
}
