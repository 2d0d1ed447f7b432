// Items as bytes: they come back, bad bytes are errors, parts can be read alone.

import LimelightItems
import Testing

@Suite struct ItemCodecTests {
  @Test func everyAttributeComesBack() throws {
    for definition in AttributeTable.builtIn {
      let item = Item(
        id: definition.name, attributes: [Attribute(definition.name): definition.kind.sample])
      guard definition.name != "domainIdentifier" else { continue }
      let taken = try resolved(item)
      let read = try decode(encode(taken, thumbnail: .bytes))
      #expect(read == taken)
      let back = read.item(registry: AttributeRegistry())
      if taken.values.isEmpty {
        #expect(back.contentType != nil || back.thumbnail != nil)
      } else {
        #expect(back == item)
      }
    }
  }

  @Test func randomItemsComeBack() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<2000 {
      let item = random.item()
      var registry = AttributeRegistry()
      let taken = try ItemValidator.validate(item, registry: &registry)
      let bytes = encode(taken, thumbnail: .bytes)
      let read = try decode(bytes)
      #expect(read == taken)
      #expect(read.item(registry: registry) == item)
      #expect(encode(read, thumbnail: .bytes) == bytes)
    }
  }

  @Test func theThumbnailIsWrittenAsAsked() throws {
    let taken = try resolved(Item(id: "1", thumbnail: [1, 2, 3], attributes: [.title: "t"]))
    let omitted = try decode(encode(taken))
    #expect(omitted.thumbnail == nil && !omitted.hasThumbnail)
    let flagged = try decode(encode(taken, thumbnail: .flag))
    #expect(flagged.thumbnail == nil && flagged.hasThumbnail)
    #expect(encode(flagged, thumbnail: .flag) == encode(taken, thumbnail: .flag))
    let whole = try decode(encode(taken, thumbnail: .bytes))
    #expect(whole.thumbnail == [1, 2, 3] && whole.hasThumbnail)
  }

  @Test func someValuesCanBeReadFromTheFront() throws {
    let long = Value.text(String(repeating: "body ", count: 20_000))
    let taken = try resolved(
      Item(id: "1", domain: "d", attributes: [.textContent: long, .title: "t", .rating: 3]))
    let bytes = encode(taken)
    let title = try #require(Attribute.title.definition?.id)
    let rating = try #require(Attribute.rating.definition?.id)
    let body = try #require(Attribute.textContent.definition?.id)
    let front = Array(bytes.prefix(200))
    let values = try front.withUnsafeBytes { try ItemCodec.values(of: [title, rating], in: $0) }
    #expect(values.map(\.id) == [title, rating].sorted())
    #expect(values.first { $0.id == title }?.value == "t")
    #expect(try front.withUnsafeBytes { try ItemCodec.values(of: [9999], in: $0) }.isEmpty)
    #expect(throws: ItemDecodingError.self) {
      try front.withUnsafeBytes { try ItemCodec.values(of: [body], in: $0) }
    }
    let whole = try bytes.withUnsafeBytes { try ItemCodec.values(of: [body], in: $0) }
    #expect(whole.first?.value == long)
    let head = try front.withUnsafeBytes { try ItemCodec.head($0) }
    #expect(head.id == "1" && head.domain == "d" && head.values.isEmpty)
  }

  @Test func everyTruncationIsAnError() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      var registry = AttributeRegistry()
      let taken = try ItemValidator.validate(random.item(), registry: &registry)
      let bytes = encode(taken, thumbnail: .bytes)
      for count in 0..<min(bytes.count, 400) {
        #expect(throws: ItemDecodingError.self) { try decode(Array(bytes.prefix(count))) }
      }
      #expect(throws: ItemDecodingError.self) { try decode(bytes + [0]) }
    }
  }

  @Test func changedBytesNeverTrap() throws {
    var random = SeededGenerator(seed: 4)
    var refused = 0
    for _ in 0..<300 {
      var registry = AttributeRegistry()
      let taken = try ItemValidator.validate(random.item(), registry: &registry)
      let bytes = encode(taken, thumbnail: .bytes)
      for _ in 0..<40 {
        var changed = bytes
        for _ in 0...random.number(upTo: 3) {
          changed[random.number(upTo: changed.count)] = UInt8(truncatingIfNeeded: random.next())
        }
        if let read = try? decode(changed) {
          #expect(try decode(encode(read, thumbnail: .bytes)) == read)
        } else {
          refused += 1
        }
      }
    }
    #expect(refused > 1000)
  }

  @Test func randomBytesNeverTrap() {
    var random = SeededGenerator(seed: 5)
    var refused = 0
    for _ in 0..<30_000 {
      let bytes = (0..<random.number(upTo: 60)).map { _ in
        UInt8(truncatingIfNeeded: random.chance(2) ? random.next() : random.next() & 15)
      }
      if (try? decode(bytes)) == nil { refused += 1 }
      _ = try? bytes.withUnsafeBytes { try ItemCodec.values(of: [1, 2, 3], in: $0) }
    }
    #expect(refused > 20_000)
  }

  @Test(
    arguments: [
      ([], "a byte past the end", 0),
      ([32, 0, 0], "flags of an item", 0),
      ([16, 0, 0], "flags of an item", 0),
      ([0, 1, 0xFF, 0], "text that is not UTF-8", 2),
      ([0, 5, 65, 0], "a count past the end", 1),
      ([0, 0, 0x80, 0], "an integer that is too long", 2),
      ([0, 0, 1, 0, 13, 0], "a value's entry", 3),
      ([0, 0, 1, 0, 5, 1, 2], "a boolean that is neither", 6),
      ([0, 0, 1, 0, 5, 2, 1, 1], "bytes behind a value", 7),
      ([0, 0, 1, 0, 7, 3, 0, 0, 0], "a date that is cut off", 6),
      ([0, 0, 1, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F], "a number that is not finite", 6),
      ([0, 0, 1, 0, 11, 7, 2, 1, 65, 0, 1, 65, 0], "a name that stands twice", 10),
      ([0, 0, 0, 0], "bytes behind an item", 3),
    ] as [([UInt8], String, Int)])
  func badBytesAreNamed(_ bytes: [UInt8], _ what: String, _ offset: Int) {
    let error = #expect(throws: ItemDecodingError.self) { try decode(bytes) }
    #expect(error?.what.description == what)
    #expect(error?.offset == offset)
  }
}
