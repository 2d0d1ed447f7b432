// Items that hold values of every kind.

package import LimelightItems

/// The items of the indexes that are damaged.
package enum SpecimenItems {
  /// One item with every kind of value.
  package static func rich(_ id: String, _ number: Int) -> Item {
    var item = Item(
      id: id, domain: number % 2 == 0 ? "mail.inbox" : "notes", contentType: "public.text")
    item.expirationDate = Timestamp(microseconds: 4_102_444_800_000_000 + Int64(number))
    item.thumbnail = (0..<(30 + number)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
    item.attributes[.title] = .text("Café number\(number) common")
    item.attributes[.textContent] = .localized([
      LocalizedText(tag: "en", text: "The quick brown fox, common words"),
      LocalizedText(tag: "de", text: "Der schnelle braune Fuchs"),
    ])
    item.attributes[.keywords] = .texts(["alpha", "beta gamma", "word\(number)"])
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
    item.attributes[Attribute("done")] = .bool(number % 2 == 1)
    item.attributes[Attribute("due")] = .date(Timestamp(microseconds: Int64(number) * 1_000_000))
    return item
  }

  /// A plain item.
  package static func plain(_ id: String, _ number: Int, words: Int = 6) -> Item {
    var item = Item(id: id, domain: ["mail", "mail.inbox", "notes.old"][number % 3])
    item.attributes[.title] = .text("common title\(number % 5) number\(number)")
    let text = (0..<words).map { "w\(($0 &* 31 &+ number &* 17) % 97)" }.joined(separator: " ")
    item.attributes[.textContent] = .text(text)
    item.attributes[.pageCount] = .number(Double(number % 10))
    return item
  }
}
