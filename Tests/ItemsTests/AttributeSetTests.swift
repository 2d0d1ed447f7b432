// Sets of attributes: order, replacement, removal, equality.

import LimelightItems
import Testing

@Suite struct AttributeSetTests {
  @Test func keepsTheOrderOfFirstSetting() {
    var set: AttributeSet = [.title: "a", .keywords: ["b", "c"], .rating: 4, .userOwned: true]
    set[.title] = "d"
    #expect(set.map(\.attribute) == [.title, .keywords, .rating, .userOwned])
    #expect(set[.title] == .text("d"))
    #expect(set[.keywords] == .texts(["b", "c"]))
    #expect(set[.rating] == .number(4))
    #expect(set[.userOwned] == .bool(true))
    set[.keywords] = nil
    #expect(set[.keywords] == nil)
    #expect(set.count == 3)
    #expect(!set.isEmpty)
  }

  @Test func equalWhateverTheOrder() {
    let left: AttributeSet = [.title: "a", .subject: "b"]
    let right: AttributeSet = [.subject: "b", .title: "a"]
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left != [.title: "a"])
    #expect(left != [.title: "a", .subject: "c"])
    #expect(left != [.title: "a", .comment: "b"])
  }

  @Test func agreesWithADictionary() {
    var random = SeededGenerator(seed: 7)
    var set = AttributeSet()
    var model: [String: Value] = [:]
    for _ in 0..<5000 {
      let name = "custom\(random.number(upTo: 60))"
      let value: Value? = random.chance(3) ? nil : .number(random.double())
      set[Attribute(name)] = value
      model[name] = value
      #expect(set.count == model.count)
      let probe = "custom\(random.number(upTo: 60))"
      #expect(set[Attribute(probe)] == model[probe])
    }
    for (attribute, value) in set { #expect(model[attribute.name] == value) }
  }

  @Test func thousandsOfAttributesStayFast() {
    var set = AttributeSet()
    for number in 0..<20_000 { set[Attribute("custom\(number)")] = .number(Double(number)) }
    #expect(set.count == 20_000)
    #expect(set["custom19999"] == .number(19_999))
  }
}
