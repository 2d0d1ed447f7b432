// Items checked: kinds, limits, and the members that have two names.

import LimelightItems
import Testing

@Suite struct ItemValidatorTests {
  private func refusal(_ item: Item) -> ItemError? {
    #expect(throws: ItemError.self) { try resolved(item) }
  }

  @Test func everyAttributeTakesItsKindAndNoOther() throws {
    let members = ["domainIdentifier", "contentType", "thumbnailData"]
    for definition in AttributeTable.builtIn where !members.contains(definition.name) {
      let attribute = Attribute(definition.name)
      for kind in AttributeKind.allCases {
        let item = Item(id: "1", attributes: [attribute: kind.sample])
        if kind == definition.kind {
          let taken = try resolved(item)
          #expect(taken.values.map(\.id) == [definition.id])
          #expect(taken.values.map(\.value) == [kind.sample])
        } else if !Self.converted.contains(where: { $0 == (definition.kind, kind) }) {
          let error = refusal(item)
          #expect(error?.code == .wrongKind)
          #expect(error?.attribute == definition.name)
        }
      }
    }
  }

  /// What an attribute of the first kind takes as well.
  private static let converted: [(AttributeKind, AttributeKind)] = [
    (.text, .texts), (.text, .contentType), (.texts, .text), (.texts, .contentType),
    (.dates, .date), (.url, .text), (.contentType, .text),
  ]

  @Test func valuesTakeTheFormOfTheirKind() throws {
    let date = Timestamp(microseconds: 5)
    let item = Item(attributes: [
      .keywords: "one", .userOwned: 1, .allDay: 0, .importantDates: .date(date),
      .url: "https://example.com", .sharedItemContentType: "public.png",
      .title: .localized([LocalizedText(tag: "en", text: "Hi")]), .genre: ["a", "b"],
    ])
    let taken = try resolved(item)
    func value(_ attribute: Attribute) -> Value? {
      attribute.definition.flatMap { taken.value(of: $0.id) }
    }
    #expect(value(.keywords) == .texts(["one"]))
    #expect(value(.userOwned) == .bool(true))
    #expect(value(.allDay) == .bool(false))
    #expect(value(.importantDates) == .dates([date]))
    #expect(value(.url) == .url("https://example.com"))
    #expect(value(.sharedItemContentType) == .contentType("public.png"))
    #expect(value(.genre) == .texts(["a", "b"]))
    #expect(refusal(Item(attributes: [.userOwned: 2]))?.code == .wrongKind)
  }

  @Test func numbersAreFinite() {
    for number in [Double.nan, .infinity, -.infinity] {
      let error = refusal(Item(attributes: [.rating: .number(number)]))
      #expect(error?.code == .numberNotFinite)
      #expect(error?.attribute == "rating")
      #expect(refusal(Item(attributes: ["own": .number(number)]))?.code == .numberNotFinite)
    }
  }

  @Test func customAttributesTakeFourKinds() throws {
    for kind in AttributeKind.allCases {
      let item = Item(attributes: ["own": kind.sample])
      switch kind {
      case .text, .texts, .number, .bool, .date:
        #expect(try resolved(item).values.map(\.id) == [1024])
      default:
        let error = refusal(item)
        #expect(error?.code == .unknownKind)
        #expect(error?.attribute == "own")
      }
    }
    #expect(refusal(Item(attributes: ["a\nb": "x"]))?.code == .invalidName)
    let long = String(repeating: "n", count: 256)
    #expect(refusal(Item(attributes: [Attribute(long): "x"]))?.code == .customNameTooLong)
  }

  @Test func limitsHold() throws {
    let id = String(repeating: "i", count: ItemLimits.idBytes)
    #expect(try resolved(Item(id: id)).id == id)
    #expect(refusal(Item(id: id + "i"))?.code == .idTooLong)
    #expect(refusal(Item(domain: "a..b"))?.code == .invalidDomain)
    let thumbnail = [UInt8](repeating: 0, count: ItemLimits.thumbnailBytes + 1)
    #expect(refusal(Item(thumbnail: thumbnail))?.code == .thumbnailTooLarge)
    let text = String(repeating: "t", count: ItemLimits.itemBytes - 1)
    #expect(try resolved(Item(id: "i", attributes: [.textContent: .text(text)])).values.count == 1)
    #expect(
      refusal(Item(id: "ii", attributes: [.textContent: .text(text)]))?.code == .itemTooLarge)
  }

  @Test func membersWithTwoNamesBecomeOne() throws {
    let taken = try resolved(
      Item(attributes: [
        .domainIdentifier: "mail.inbox", .contentType: .contentType("public.text"),
        .thumbnailData: .data([1, 2]),
      ]))
    #expect(taken.domain == "mail.inbox")
    #expect(taken.contentType == "public.text")
    #expect(taken.thumbnail == [1, 2])
    #expect(taken.hasThumbnail)
    #expect(taken.values.isEmpty)
    #expect(
      try resolved(Item(contentType: "a", attributes: [.contentType: "a"])).contentType == "a")
    let error = refusal(Item(contentType: "a", attributes: [.contentType: "b"]))
    #expect(error?.code == .conflictingValues)
    #expect(error?.attribute == "contentType")
    #expect(refusal(Item(attributes: [.domainIdentifier: "a..b"]))?.code == .invalidDomain)
    #expect(refusal(Item(attributes: [.domainIdentifier: ["a", "b"]]))?.code == .wrongKind)
  }

  @Test func shortValuesStandFirst() throws {
    let long = Value.text(String(repeating: "x", count: 256))
    let item = Item(attributes: [
      .textContent: long, .title: "t", .comment: long, .artist: "a", .creator: "c",
    ])
    let taken = try resolved(item)
    let names = taken.values.compactMap { AttributeTable.definition(id: $0.id)?.name }
    #expect(names == ["creator", "title", "artist", "comment", "textContent"])
    #expect(taken.item(registry: AttributeRegistry()) == item)
  }

  @Test func languagesStandOnce() {
    let text = LocalizedText(tag: "en", text: "x")
    #expect(refusal(Item(attributes: [.title: .localized([text, text])]))?.code == .duplicateKey)
  }

  @Test func textsOfAValueComeOneByOne() {
    func texts(_ value: Value) -> [String] {
      var texts: [String] = []
      forEachText(value) { texts.append(String(decoding: $0, as: UTF8.self)) }
      return texts
    }
    #expect(texts("a b") == ["a b"])
    #expect(texts(["a", "", "b"]) == ["a", "", "b"])
    #expect(texts(.localized([LocalizedText(tag: "en", text: "x")])) == ["x"])
    #expect(
      texts(.persons([Person(displayName: "", handles: ["h"]), Person(displayName: "n")]))
        == ["", "h", "n"])
    #expect(texts(.dictionary(["b": ["3"], "a": ["1", "2"]])) == ["1", "2", "3"])
    #expect(texts(.url("u")) == ["u"])
    #expect(texts(.contentType("c")) == ["c"])
    for value in [1, true, .date(Timestamp(microseconds: 0)), .dates([]), .data([1])] as [Value] {
      #expect(texts(value).isEmpty)
    }
  }
}
