// Custom attributes: declared, fixed by their first value, written and read.

import LimelightItems
import Testing

@Suite struct AttributeRegistryTests {
  private func code(_ body: () throws -> Void) -> ItemError.Code? {
    #expect(throws: ItemError.self, performing: body)?.code
  }

  @Test func resolvesNamesAliasesAndNumbers() throws {
    var registry = AttributeRegistry()
    #expect(registry.resolve("kMDItemTitle")?.name == "title")
    #expect(registry.resolve("size") == nil)
    let size = try registry.declare("size", kind: .number)
    #expect(size.id == 1024)
    #expect(size.searchClass == .filter)
    #expect(try registry.declare("words", kind: .text).searchClass == .named)
    #expect(try registry.declare("found", kind: .text, searchClass: .standard).id == 1026)
    #expect(registry.resolve("size") == size)
    #expect(registry.attribute(id: 1024) == size)
    #expect(registry.attribute(id: 1027) == nil)
    #expect(registry.attribute(id: 0)?.name == "isPriority")
    #expect(registry.attribute(id: 500) == nil)
  }

  @Test func aDeclarationHolds() throws {
    var registry = AttributeRegistry()
    try registry.declare("birthday", kind: .date)
    #expect(try registry.declare("birthday", kind: .date).id == 1024)
    #expect(code { try registry.declare("birthday", kind: .text) } == .wrongKind)
    #expect(
      code { try registry.declare("birthday", kind: .date, searchClass: SearchClass.none) }
        == .wrongKind)
    #expect(try registry.declare("title", kind: .text).id < 1024)
    #expect(code { try registry.declare("title", kind: .number) } == .wrongKind)
    #expect(
      code { try registry.declare("n", kind: .number, searchClass: .named) }
        == .invalidSearchClass)
    #expect(code { try registry.declare("p", kind: .persons) } == .unknownKind)
    #expect(registry.custom.count == 1)
  }

  @Test func refusesBadNames() throws {
    var registry = AttributeRegistry()
    for name in ["", "a\nb", "a\u{0}", "a\"b", "\u{7F}", "kMDItemTitel"] {
      #expect(code { try registry.declare(name, kind: .text) } == .invalidName)
    }
    let long = String(repeating: "é", count: 128)
    #expect(code { try registry.declare(long, kind: .text) } == .customNameTooLong)
    try registry.declare(String(long.dropLast()) + "x", kind: .text)
    #expect(registry.custom.first?.name.utf8.count == 255)
  }

  @Test func theFirstValueFixesTheKind() throws {
    var registry = AttributeRegistry()
    _ = try ItemValidator.validate(Item(attributes: ["size": 1]), registry: &registry)
    let error = #expect(throws: ItemError.self) {
      try ItemValidator.validate(
        Item(attributes: ["fresh": "text", "size": "one"]), registry: &registry)
    }
    #expect(error?.code == .wrongKind)
    #expect(error?.attribute == "size")
    #expect(registry.resolve("fresh") == nil, "a refused item leaves nothing behind")
  }

  @Test func bytesComeBack() throws {
    var registry = AttributeRegistry()
    for number in 0..<300 {
      let kinds: [AttributeKind] = [.text, .number, .bool, .date]
      try registry.declare("custom \(number) é", kind: kinds[number % 4])
    }
    var first: [UInt8] = []
    registry.encode(into: &first)
    var read = AttributeRegistry()
    try first.withUnsafeBytes { try read.append(decoding: $0) }
    #expect(read == registry)

    try registry.declare("late", kind: .text, searchClass: .standard)
    var rest: [UInt8] = []
    registry.encode(from: 300, into: &rest)
    try rest.withUnsafeBytes { try read.append(decoding: $0) }
    #expect(read == registry)
    #expect(throws: ItemDecodingError.self, "a name twice") {
      try rest.withUnsafeBytes { try read.append(decoding: $0) }
    }
  }

  @Test func badBytesAreErrors() {
    for bytes in [
      [1], [1, 2, 5, 65], [0, 2, 1, 65], [1, 9, 1, 65], [1, 2, 0], [3, 1, 1, 65],
      [9, 2, 1, 65], [1, 2, 1, 0xFF], [1, 2, 1, 10],
    ] as [[UInt8]] {
      #expect(throws: ItemDecodingError.self) {
        var registry = AttributeRegistry()
        try bytes.withUnsafeBytes { try registry.append(decoding: $0) }
      }
    }
  }

  @Test func anIndexKeepsNamesThatBecameBuiltIn() throws {
    var registry = AttributeRegistry()
    let bytes: [UInt8] = [3, 3, 5] + "title".utf8
    try bytes.withUnsafeBytes { try registry.append(decoding: $0) }
    #expect(registry.resolve("title")?.kind == .number)
    #expect(registry.resolve("title")?.id == 1024)
  }
}
