// Columns against plain arrays: values, ranges, strings, merges.

import LimelightCodecs
import LimelightSegments
import Testing

@Suite struct ColumnsTests {
  /// A segment of columns only.
  private func segment(_ items: [[UInt16: [ModelValue]]]) throws -> Segment {
    let writer = testWriter()
    writer.meta.documentCount = UInt32(items.count)
    let columns = ColumnsWriter()
    for (document, item) in items.enumerated() {
      add(item, document: UInt32(document), to: columns)
    }
    columns.finish(into: writer, documentCount: items.count)
    for _ in items { writer.buffer(.norms).u8(1) }
    return try open(writer.finish().mappedBytes())
  }

  private func code(_ value: ModelValue) -> Int64? {
    switch value {
    case .integer(let value), .date(let value): value
    case .number(let value): Ordered.integer(value)
    case .bool(let value): value ? 1 : 0
    case .string: nil
    }
  }

  private func filled(_ column: Column, _ low: Int64, _ high: Int64, _ count: Int) throws -> [Int] {
    var words = [UInt64](repeating: 0, count: (count + 63) / 64 + 1)
    var failure: (any Error)?
    words.withUnsafeMutableBufferPointer { buffer in
      do {
        if let base = buffer.baseAddress { try column.fill(base, from: low, through: high) }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return (0..<count).filter { words[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 }
  }

  @Test(arguments: sizes.dropFirst())
  func rangesAgreeWithTheModel(count: Int) throws {
    var random = Random(UInt64(count) + 7)
    let items = modelItems(count, seed: UInt64(count)).map(\.columns)
    let segment = try segment(items)
    let reader = try #require(try segment.columns())
    for column in try reader.all() where column.kind != .string {
      let codes = items.map { ($0[column.attribute] ?? []).compactMap(code) }
      let all = codes.joined().sorted()
      #expect(column.valueCount == all.count)
      #expect(column.documentCount == codes.filter { !$0.isEmpty }.count)
      #expect(column.minimum == all.first)
      #expect(column.maximum == all.last)
      #expect(column.isDense == codes.allSatisfy { $0.count == 1 })
      for _ in 0..<20 {
        let a = try #require(all.randomElement(using: &random))
        let b = try #require(all.randomElement(using: &random))
        let range = min(a, b)...max(a, b)
        let expected = codes.indices.filter { codes[$0].contains { range.contains($0) } }
        #expect(
          try filled(column, range.lowerBound, range.upperBound, count) == expected)
      }
      #expect(
        try filled(column, .min, .max, count) == codes.indices.filter { !codes[$0].isEmpty })
      #expect(try filled(column, 1, 0, count) == [])
      // Random access, back and forth.
      let cursor = column.cursor()
      var values: [Int64] = []
      for _ in 0..<min(500, count * 4) {
        let document = Int(random.next() % UInt64(count))
        try cursor.values(of: UInt32(document), into: &values)
        #expect(values == codes[document])
        #expect(try cursor.firstValue(of: UInt32(document)) == codes[document].first)
      }
    }
    #expect(try reader.column(999) == nil)
    #expect(try reader.column(21, .date) == nil)
  }

  @Test func extremesKeepTheirBits() throws {
    let numbers: [Double] = [
      0, -0.0, 1, -1, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      9_007_199_254_740_991, 9_007_199_254_740_992, 1e18, -1e300, 0.1,
    ]
    let integers: [Int64] = [.min, .max, 0, -1, 1]
    let segment = try segment([[5: numbers.map { .number($0) }, 6: integers.map { .integer($0) }]])
    let reader = try #require(try segment.columns())
    var codes: [Int64] = []
    let column = try #require(try reader.column(5))
    try column.cursor().values(of: 0, into: &codes)
    #expect(codes.map { Ordered.number($0) } == numbers)
    try #require(try reader.column(6)).cursor().values(of: 0, into: &codes)
    #expect(codes == integers)
    #expect(segment.verify().map(\.section) == ["idIndex"])  // there are no ids here
  }

  @Test(arguments: sizes.dropFirst())
  func strings(count: Int) throws {
    var random = Random(UInt64(count))
    let texts = (0..<count).map { _ -> String in
      let word = String(random.next() % UInt64(count), radix: 36)
      return switch random.next() % 3 {
      case 0: word.uppercased()
      case 1: "É\(word)"
      default: word
      }
    }
    let segment = try segment(texts.map { [9: [.string($0)]] })
    let column = try #require(try segment.columns()?.column(9))
    let sorted = Set(texts).map { (folded: Array(testFold($0).utf8), text: Array($0.utf8)) }
      .sorted {
        $0.folded == $1.folded
          ? $0.text.lexicographicallyPrecedes($1.text)
          : $0.folded.lexicographicallyPrecedes($1.folded)
      }
    #expect(column.stringCount == sorted.count)
    for (ordinal, entry) in sorted.enumerated() {
      #expect(try column.string(ordinal) == entry.text)
      #expect(try column.ordinal(of: entry.text, folded: entry.folded) == ordinal)
    }
    for _ in 0..<50 {
      let bound = Array(String(random.next() % 5000, radix: 36).utf8)
      func place(_ key: [UInt8]) -> Int {
        sorted.firstIndex { !$0.folded.lexicographicallyPrecedes(key) } ?? sorted.count
      }
      #expect(try column.ordinals(from: bound, to: nil) == place(bound)..<sorted.count)
      #expect(try column.ordinals(from: nil, to: bound) == 0..<place(bound))
      let prefixed = sorted.indices.filter { sorted[$0].folded.starts(with: bound) }
      #expect(try Array(column.ordinals(prefix: bound)) == prefixed)
      let equal = sorted.indices.filter { sorted[$0].folded == bound }
      #expect(try Array(column.ordinals(folded: bound)) == equal)
    }
    // A range of ordinals is a filter.
    let upper = sorted.count / 2
    let wanted = Set(sorted[0...upper].map { $0.text })
    #expect(
      try filled(column, 0, Int64(upper), count)
        == texts.indices.filter { wanted.contains(Array(texts[$0].utf8)) })
  }

  @Test func longStringsAreCounted() throws {
    let long = String(repeating: "l", count: 256)
    let segment = try segment([
      [9: [.string(long)], 10: [.string(long)], SystemColumn.domain: [.string(long)]],
      [9: [.string(String(long.dropLast()))]],
    ])
    let reader = try #require(try segment.columns())
    let mixed = try #require(try reader.column(9))
    #expect(mixed.skipped == 1 && mixed.valueCount == 1 && mixed.stringCount == 1)
    let empty = try #require(try reader.column(10))
    #expect(empty.skipped == 1 && empty.valueCount == 0 && empty.stringCount == 0)
    #expect(try filled(empty, .min, .max, 2) == [])
    let domains = try #require(try reader.column(SystemColumn.domain))
    #expect(try domains.string(0) == Array(long.utf8))
    #expect(try empty.ordinals(from: nil, to: nil) == 0..<0)
    #expect(segment.verify().map(\.section) == ["idIndex"])  // there are no ids here
  }

  @Test func mergeKeepsWhatTheMapKeeps() throws {
    var random = Random(8)
    var kept: [[UInt16: [ModelValue]]] = []
    let writer = testWriter()
    var sources: [Segment] = []
    var inputs: [ColumnsInput] = []
    for count in [300, 1, 0, 129] {
      let items = modelItems(count, seed: UInt64(count)).map(\.columns)
      let map = items.map { item -> UInt32 in
        guard random.next() % 3 != 0 else { return .max }
        kept.append(item)
        return UInt32(kept.count - 1)
      }
      let source = try segment(items)
      sources.append(source)
      inputs.append(ColumnsInput(try source.columns(), map: map))
    }
    writer.meta.documentCount = UInt32(kept.count)
    try ColumnsMerger(writer, inputs, documentCount: kept.count).write()
    withExtendedLifetime(sources) {}
    let segment = try open(writer.finish().mappedBytes())
    #expect(segment.verify().map(\.section) == ["norms", "idIndex"])  // which are missing here
    let fresh = try self.segment(kept)
    let section = try #require(segment.section(.columns))
    let expected = try #require(fresh.section(.columns))
    // A merge gives the bytes of a fresh build.
    #expect(
      UnsafeRawBufferPointer(start: section.base, count: section.count).elementsEqual(
        UnsafeRawBufferPointer(start: expected.base, count: expected.count)))
  }
}
