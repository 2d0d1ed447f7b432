// Lines that are refused, each with its code, and bytes that are anything.

import Foundation
import LimelightItems
import Testing

@Suite struct JSONStrictnessTests {
  @Test(arguments: [
    "", " ", "[]", "null", "1", #""a""#, "{", "}", "{}x", "{}{}", "{} 1", "{,}", #"{"id"}"#,
    #"{"id":}"#, #"{"id":"1",}"#, #"{"id":"1" "domain":"a"}"#, #"{id:"1"}"#, #"{'id':'1'}"#,
    #"{"id":"1"#, #"{"id":"1"]"#, #"{"id" "1"}"#, "{\"id\":\"a\nb\"}", "{\"id\":\"a\u{0}b\"}",
    "{\"id\":\"\\n\u{1F}\"}", #"{"id":"\x41"}"#, #"{"id":"\u12"}"#, #"{"id":"\u12G4"}"#,
    #"{"id":"\u"#, #"{"id":"\"#, #"{"id":"\u123""#, #"{"attributes":{"rating":01}}"#,
    #"{"attributes":{"rating":-}}"#, #"{"attributes":{"rating":1.}}"#,
    #"{"attributes":{"rating":.5}}"#, #"{"attributes":{"rating":+1}}"#,
    #"{"attributes":{"rating":1e}}"#, #"{"attributes":{"rating":1e+}}"#,
    #"{"attributes":{"rating":0x10}}"#, #"{"attributes":{"rating":1 2}}"#,
    #"{"attributes":{"rating":NaN}}"#, #"{"attributes":{"rating":Infinity}}"#,
    #"{"attributes":{"rating":-00}}"#, #"{"attributes":{"rating":1_0}}"#,
    #"{"attributes":{"flag":tru}}"#, #"{"attributes":{"flag":True}}"#,
    #"{"attributes":{"flag":nul}}"#, #"{"attributes":{"flag":falsey}}"#,
    #"{"attributes":{"keywords":["a",]}}"#, #"{"attributes":{"keywords":[,"a"]}}"#,
    #"{"attributes":{"keywords":["a" "b"]}}"#, #"{"attributes":{"keywords":["a"}}"#,
    #"{"attributes":{"keywords":["a"#, #"{"attributes":{"title":"a"}"#, #"{"attributes":{1:2}}"#,
    #"{"attributes":{}}}"#, #"/**/{}"#, "\u{FEFF}{}", "{\u{A0}}", "{}\u{0}",
  ])
  func notJSON(_ line: String) {
    #expect(code(line) == .invalidJSON)
  }

  @Test(
    arguments: [
      (#"{"id":"\ud800"}"#, .notText, "id"), (#"{"id":"\ud800x"}"#, .notText, "id"),
      (#"{"id":"\udc00"}"#, .notText, "id"), (#"{"id":"\ud800\u0041"}"#, .notText, "id"),
      (#"{"id":"\ud800\ud800"}"#, .notText, "id"), (#"{"id":""}"#, .emptyID, "id"),
      (#"{"id":1}"#, .wrongKind, "id"), (#"{"domain":["a"]}"#, .wrongKind, "domain"),
      (#"{"attributes":[]}"#, .wrongKind, "attributes"),
      (#"{"id":"1","id":"1"}"#, .duplicateKey, "id"),
      (#"{"id":null,"id":"1"}"#, .duplicateKey, "id"),
      (#"{"attributes":{},"attributes":{}}"#, .duplicateKey, "attributes"),
      (#"{"attributes":{"title":"a","title":"a"}}"#, .duplicateKey, "title"),
      (#"{"attributes":{"title":"a","kMDItemTitle":"a"}}"#, .duplicateKey, "title"),
      (#"{"attributes":{"title":null,"title":"a"}}"#, .duplicateKey, "title"),
      (#"{"attributes":{"title":"a","title":null}}"#, .duplicateKey, "title"),
      (#"{"attributes":{"own":1,"own":1}}"#, .duplicateKey, "own"),
      (#"{"attributes":{"title":{"en":"a","en":"b"}}}"#, .duplicateKey, "title"),
      (#"{"attributes":{"emailHeaders":{"a":"1","a":"2"}}}"#, .duplicateKey, "emailHeaders"),
      (
        #"{"attributes":{"authors":[{"displayName":"a","displayName":"b"}]}}"#, .duplicateKey,
        "authors"
      ),
      (#"{"attributes":{"authors":[{"name":"a"}]}}"#, .unknownKey, "authors"),
      (#"{"title":"a"}"#, .unknownKey, "title"), (#"{"":1}"#, .unknownKey, ""),
      (#"{"thumbnail":"A"}"#, .invalidBase64, "thumbnail"),
      (#"{"thumbnail":"AQ"}"#, .invalidBase64, "thumbnail"),
      (#"{"thumbnail":"AR=="}"#, .invalidBase64, "thumbnail"),
      (#"{"thumbnail":"AQJ="}"#, .invalidBase64, "thumbnail"),
      (#"{"thumbnail":"===="}"#, .invalidBase64, "thumbnail"),
      (#"{"thumbnail":"AQ==AQ=="}"#, .invalidBase64, "thumbnail"),
      (#"{"thumbnail":"AQ- "}"#, .invalidBase64, "thumbnail"),
      (#"{"thumbnail":7}"#, .wrongKind, "thumbnail"),
      (#"{"expirationDate":"tomorrow"}"#, .invalidDate, "expirationDate"),
      (#"{"expirationDate":1e300}"#, .invalidDate, "expirationDate"),
      (#"{"expirationDate":true}"#, .wrongKind, "expirationDate"),
      (#"{"attributes":{"startDate":"2023-02-29"}}"#, .invalidDate, "startDate"),
      (#"{"attributes":{"importantDates":["x"]}}"#, .invalidDate, "importantDates"),
      (#"{"attributes":{"importantDates":[null]}}"#, .wrongKind, "importantDates"),
      (#"{"attributes":{"rating":1e400}}"#, .numberNotFinite, "rating"),
      (#"{"attributes":{"rating":-1e99999999999999999999}}"#, .numberNotFinite, "rating"),
      (#"{"attributes":{"rating":"5"}}"#, .wrongKind, "rating"),
      (#"{"attributes":{"rating":true}}"#, .wrongKind, "rating"),
      (#"{"attributes":{"userOwned":2}}"#, .wrongKind, "userOwned"),
      (#"{"attributes":{"userOwned":"true"}}"#, .wrongKind, "userOwned"),
      (#"{"attributes":{"title":5}}"#, .wrongKind, "title"),
      (#"{"attributes":{"kMDItemTitle":5}}"#, .wrongKind, "title"),
      (#"{"attributes":{"title":["a",5]}}"#, .wrongKind, "title"),
      (#"{"attributes":{"title":{"en":5}}}"#, .wrongKind, "title"),
      (#"{"attributes":{"keywords":{"en":"a"}}}"#, .wrongKind, "keywords"),
      (#"{"attributes":{"keywords":["a",null]}}"#, .wrongKind, "keywords"),
      (#"{"attributes":{"url":["a"]}}"#, .wrongKind, "url"),
      (#"{"attributes":{"emailHeaders":"a"}}"#, .wrongKind, "emailHeaders"),
      (#"{"attributes":{"emailHeaders":{"a":1}}}"#, .wrongKind, "emailHeaders"),
      (#"{"attributes":{"authors":"Ada"}}"#, .wrongKind, "authors"),
      (#"{"attributes":{"authors":["Ada"]}}"#, .wrongKind, "authors"),
      (#"{"attributes":{"own":[1]}}"#, .wrongKind, "own"),
      (#"{"attributes":{"own":[["a"]]}}"#, .wrongKind, "own"),
    ] as [(String, ItemError.Code, String)])
  func refused(_ line: String, _ code: ItemError.Code, _ attribute: String) {
    let error = #expect(throws: ItemError.self) { try parse(line) }
    #expect(error?.code == code)
    #expect(error?.attribute == attribute)
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xC3, 0x5C, 0x6E], [0xC0, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      [0x5C, 0x6E, 0xA9], [0xE6, 0xBC],
    ] as [[UInt8]])
  func notUTF8(_ bytes: [UInt8]) {
    let line = Array(#"{"id":"12345678"#.utf8) + bytes + Array(#""}"#.utf8)
    #expect(#expect(throws: ItemError.self) { try parse(line) }?.code == .notText)
  }

  @Test func deepNestingIsRefused() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let deep = String(repeating: open, count: 100_000)
      #expect(code(#"{"x":\#(deep)"#, map: ["x": ""]) == .invalidJSON)
      let fine = String(repeating: open, count: 200) + "1" + String(repeating: close, count: 200)
      #expect(throws: Never.self) { try parse(#"{"x":\#(fine)}"#, map: ["x": ""]) }
    }
  }

  /// What is taken must be JSON for another parser too, and come back from its own writing.
  @Test func changedLinesNeverTrap() throws {
    var random = SeededGenerator(seed: 11)
    let options = JSONOptions(dates: ["when"])
    let pieces = [
      "\"", "\\", "{", "}", "[", "]", ",", ":", "\\u", "d8", "0", "-", "e", "\u{0}", "é",
    ]
    var taken = 0
    var refused = 0
    for _ in 0..<400 {
      let line = ItemJSON.write(random.item())
      for _ in 0..<20 {
        var changed = line
        for _ in 0...random.number(upTo: 2) {
          let place = random.number(upTo: changed.count)
          switch random.number(upTo: 4) {
          case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
          case 1: changed.remove(at: place)
          case 2: changed.removeSubrange(place..<min(changed.count, place + 5))
          default:
            changed.insert(contentsOf: pieces[random.number(upTo: pieces.count)].utf8, at: place)
          }
          if changed.isEmpty { changed = [0x7B] }
        }
        guard let item = try? parse(changed, options) else {
          refused += 1
          continue
        }
        taken += 1
        #expect(try parse(ItemJSON.write(item), options) == item)
        #expect(throws: Never.self, "\(String(decoding: changed, as: UTF8.self))") {
          try JSONSerialization.jsonObject(with: Data(changed))
        }
      }
    }
    #expect(taken > 500 && refused > 500)
  }

  @Test func randomBytesNeverTrap() {
    var random = SeededGenerator(seed: 12)
    let letters = Array(#"{}[]":,\u0123456789eE+-.truefalsn dD8"#.utf8) + [0, 10, 0xC3, 0xA9, 0xFF]
    let map = ["a": "", "": "title"]
    for round in 0..<30_000 {
      var line = (0..<random.number(upTo: 40)).map { _ in
        letters[random.number(upTo: letters.count)]
      }
      if round % 2 == 0 { line = Array(#"{"a":"#.utf8) + line }
      _ = try? parse(line, JSONOptions(map: map))
    }
  }

  private func code(_ line: String, map: [String: String] = [:]) -> ItemError.Code? {
    #expect(throws: ItemError.self, "\(line)") { try parse(line, map: map) }?.code
  }
}
