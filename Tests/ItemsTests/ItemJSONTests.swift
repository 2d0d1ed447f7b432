// Lines of JSON: what is taken, and that items come back.

import Foundation
import LimelightItems
import Testing

@Suite struct ItemJSONTests {
  private let options = JSONOptions(dates: ["when"])

  @Test func everyAttributeComesBack() throws {
    for definition in AttributeTable.builtIn {
      let item = Item(
        id: "1", attributes: [Attribute(definition.name): definition.kind.sample])
      #expect(try parse(ItemJSON.write(item)) == item)
    }
  }

  @Test func randomItemsComeBack() throws {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<3000 {
      let item = random.item()
      let line = ItemJSON.write(item)
      #expect(!line.contains(0x0A))
      let read = try parse(line, options)
      #expect(read == item)
      #expect(read.attributes.map(\.attribute) == item.attributes.map(\.attribute))
      #expect(try JSONSerialization.jsonObject(with: Data(line)) is [String: Any])
    }
  }

  @Test func aWholeLine() throws {
    let item = try parse(
      """
      { "id" : "1", "domain": "mail.inbox", "contentType": "public.text",
        "expirationDate": "2030-01-02T03:04:05+01:00", "thumbnail": "AQID/w==",
        "attributes": {
          "title": {"en": "Hello", "de": "Hallo"}, "keywords": "one", "genre": ["a", "b"],
          "rating": 4.5, "userOwned": 1, "allDay": false, "startDate": 1.5,
          "importantDates": ["1970-01-01", 2], "kMDItemURL": "https://example.com",
          "authors": {"displayName": "Ada", "handles": "ada@example.com"},
          "primaryRecipients": [{"handles": []}, {}], "emailHeaders": {"a": "1", "b": ["2", "3"]},
          "htmlContentData": "PGI+", "sharedItemContentType": "public.png", "subject": null,
          "own": "text", "size": -0.5e2, "flag": true, "many": ["x", "y"], "lang": {"fr": "z"}
        } }
      """)
    #expect(
      item
        == Item(
          id: "1", domain: "mail.inbox", contentType: "public.text",
          expirationDate: Timestamp(iso8601: "2030-01-02T02:04:05Z"), thumbnail: [1, 2, 3, 255],
          attributes: [
            .title: .localized([
              LocalizedText(tag: "en", text: "Hello"), LocalizedText(tag: "de", text: "Hallo"),
            ]), .keywords: ["one"], .genre: ["a", "b"], .rating: 4.5, .userOwned: true,
            .allDay: false, .startDate: .date(Timestamp(microseconds: 1_500_000)),
            .importantDates: .dates([
              Timestamp(microseconds: 0), Timestamp(microseconds: 2_000_000),
            ]), .url: .url("https://example.com"),
            .authors: .persons([Person(displayName: "Ada", handles: ["ada@example.com"])]),
            .primaryRecipients: .persons([Person(displayName: ""), Person(displayName: "")]),
            .emailHeaders: .dictionary(["a": ["1"], "b": ["2", "3"]]),
            .htmlContentData: .data(Array("<b>".utf8)),
            .sharedItemContentType: .contentType("public.png"), "own": "text", "size": -50,
            "flag": true, "many": ["x", "y"],
            "lang": .localized([LocalizedText(tag: "fr", text: "z")]),
          ]))
  }

  @Test func whatIsMissingIsMissing() throws {
    #expect(try parse("{}") == Item())
    #expect(
      try parse(#" {"id":null,"domain":null,"thumbnail":null,"attributes":null} "#) == Item())
  }

  @Test func escapesAreRead() throws {
    let item = try parse(
      #"{"id":"\"\\\/\b\f\n\r\t\u0041\u00e9\u6F22\ud83e\uDD8A\u0000","attributes":{"t\u0069tle":"x"}}"#
    )
    #expect(item.id == "\"\\/\u{8}\u{C}\n\r\tAé漢🦊\u{0}")
    #expect(item.attributes[.title] == "x")
  }

  @Test func longStringsWithEscapesAtEveryPlace() throws {
    for count in 0..<40 {
      let text = String(repeating: "a", count: count) + "\n" + String(repeating: "é", count: count)
      let item = Item(id: text, attributes: [.title: .text(text + "\"" + text)])
      #expect(try parse(ItemJSON.write(item)) == item)
    }
  }

  @Test func flatLinesAreMapped() throws {
    let map = ["body": "textContent", "key": "id", "skip": "", "kind": "own"]
    let line = #"{"key":"1","title":"t","body":"b","skip":[{"a":[1,null,"\u00e9"]}],"kind":"k"}"#
    #expect(
      try parse(line, map: map)
        == Item(id: "1", attributes: [.title: "t", .textContent: "b", "own": "k"]))
    #expect(throws: ItemError.self) { try parse(#"{"title":"t"}"#) }
    #expect(throws: ItemError.self) { try parse(#"{"other":"t"}"#, map: map) }
    #expect(throws: ItemError.self) { try parse(#"{"id":"1","key":"1"}"#, map: map) }
  }

  @Test func declaredDatesAreDates() throws {
    let line = #"{"attributes":{"birthday":"1969-02-27T00:00:00Z"}}"#
    #expect(try parse(line).attributes["birthday"] == "1969-02-27T00:00:00Z")
    let date = try #require(Timestamp(iso8601: "1969-02-27"))
    #expect(try parse(line, dates: ["birthday"]).attributes["birthday"] == .date(date))
  }

  @Test func numbersAreTheNearestDoubles() throws {
    var random = SeededGenerator(seed: 9)
    func check(_ text: String) throws {
      let value = try parse(#"{"attributes":{"rating":\#(text)}}"#).attributes[.rating]
      #expect(value == Double(text).map(Value.number), "\(text)")
    }
    for text in [
      "0", "-0", "0.0", "1e22", "1e23", "9007199254740993", "123456789012345678901234567890",
      "0.1e-7", "5e-324", "2.4703282292062328e-324", "1.7976931348623157e308", "1e-400",
      "0e999999999999999999999", "0.000000000000000000000000000000001", "1E+2",
      "18446744073709551616",
    ] { try check(text) }
    for _ in 0..<5000 {
      try check(random.double().description)
      var text = "\(random.next())"
      let point = random.number(upTo: text.count - 1) + 1
      text.insert(".", at: text.index(text.startIndex, offsetBy: point))
      let sign = random.chance(2) ? "-" : ""
      let digits = String(text.drop { $0 == "0" })
      try check(
        sign + (digits.first == "." ? "0" : "") + digits + "1e\(random.number(upTo: 200) - 100)")
    }
  }

  @Test func base64AgreesWithFoundation() throws {
    var random = SeededGenerator(seed: 10)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let text = Data(bytes).base64EncodedString()
      #expect(try parse(#"{"thumbnail":"\#(text)"}"#).thumbnail == bytes)
      let line = String(decoding: ItemJSON.write(Item(thumbnail: bytes)), as: UTF8.self)
      #expect(line == #"{"thumbnail":"\#(text)","attributes":{}}"#)
    }
  }

  @Test func partsCanBeWrittenAlone() {
    var json = JSONText()
    json.array { json in
      json.text("a\"\u{1}")
      json.value(.persons([Person(displayName: "A", handles: ["1", "2"])]))
      json.value(.number(.nan))
      json.object { json in
        json.member("none") { $0.text(nil) }
        json.member("empty") { $0.array { _ in } }
        json.key("whole")
        json.number(-3)
      }
      json.bool(true)
    }
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"["a\"\u0001",[{"displayName":"A","handles":["1","2"]}],null,"#
        + #"{"none":null,"empty":[],"whole":-3},true]"#)
  }

  @Test func aThumbnailCanBeLeftOut() throws {
    var json = JSONText()
    json.item(Item(id: "1", thumbnail: [1, 2, 3]), withThumbnail: false)
    json.endLine()
    #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"id\":\"1\",\"attributes\":{}}\n")
  }
}
