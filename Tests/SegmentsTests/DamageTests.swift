// Damaged segments: a typed error or the answers from before, never a trap.

import LimelightSegments
import LimelightStorage
import Testing

@Suite struct DamageTests {
  private let items: [ModelItem]
  private let bytes: [UInt8]

  init() {
    items = modelItems(34, seed: 2).map { item in
      var item = item
      item.record = Array(item.record.prefix(40))
      item.columns[21] = item.columns[21].map { Array($0.prefix(5)) }
      return item
    }
    bytes = contents(segmentImage(items).mappedBytes())
  }

  /// Reads everything; true when it was refused.
  private func isRefused(_ bytes: [UInt8]) throws -> Bool {
    do {
      let segment = try open(mapped(bytes))
      #expect(try readItems(segment) == items)
      for item in items {
        #expect(try segment.ids()?.find(item.id) != nil)
      }
      return false
    } catch is SegmentError {
      return true
    } catch is CorruptionError {
      return true
    }
  }

  @Test func everyFlippedByte() throws {
    var unchanged = 0
    for place in bytes.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var damaged = bytes
        damaged[place] ^= mask
        if try !isRefused(damaged) { unchanged += 1 }
      }
    }
    // The first page covers all sections: nothing stays unnoticed but for the gap before the tail.
    #expect(unchanged == 0)
  }

  @Test func everyTruncation() throws {
    for length in bytes.indices {
      #expect(try isRefused(Array(bytes[..<length])))
    }
    #expect(try isRefused(bytes + [0]))
  }

  /// Reads all that can be read, whatever comes of it.
  private func readAll(_ bytes: [UInt8], dictionary: StoredDictionary? = nil) {
    guard let segment = try? open(mapped(bytes), verified: true, dictionary: dictionary),
      segment.documentCount < 1000
    else { return }
    _ = try? readItems(segment)
    _ = segment.verify()
    for item in items {
      _ = try? segment.ids()?.find(item.id)
      _ = try? segment.ids()?.find(item.id + "x")
    }
    if let columns = try? segment.columns()?.all() {
      var words = [UInt64](repeating: 0, count: (segment.documentCount + 63) / 64 + 1)
      for column in columns {
        words.withUnsafeMutableBufferPointer { buffer in
          guard let base = buffer.baseAddress else { return }
          try? column.fill(base, from: column.minimum + 1, through: .max)
          try? column.fill(base, from: .min, through: .max)
        }
        _ = try? column.ordinals(prefix: Array("be".utf8))
        _ = try? column.ordinal(of: Array("Alpha".utf8), folded: Array("alpha".utf8))
      }
    }
    merge(segment)
  }

  private func merge(_ segment: Segment) {
    let map = (0..<UInt32(segment.documentCount)).map { $0 % 3 == 0 ? .max : $0 - 1 - $0 / 3 }
    let writer = testWriter()
    let stored = StoredWriter(writer)
    let table = ValueTableWriter(writer)
    let columns = ColumnsInput(try? segment.columns(), map: map)
    try? ColumnsMerger(writer, [columns], documentCount: segment.documentCount).write()
    if let reader = try? segment.storedItems() { try? stored.append(reader, map: map) }
    if let reader = try? segment.valueTable() { try? table.append(reader, map: map) }
    if let reader = try? segment.ids() {
      try? IdsMerger(writer, [reader], maps: [map]).write()
      try? reader.forEachSuperseded { _ in }
      try? reader.forEachShared(with: reader) { _, _ in }
    }
    stored.finish()
    table.finish()
    #expect(writer.finish().count > 0)
  }

  /// The decoders on their own, with the checksums switched off.
  @Test func decodersTrustNoByte() {
    var random = Random(11)
    for place in bytes.indices {
      for mask in [0x01, UInt8(random.next() & 0xFF)] {
        var damaged = bytes
        damaged[place] ^= mask
        readAll(damaged)
      }
    }
  }

  @Test(arguments: [false, true])
  func decodersSurviveManyDamages(withDictionary: Bool) {
    let dictionary = withDictionary ? StoredDictionary(Array("Alpha says hello; ".utf8)) : nil
    let bytes = contents(segmentImage(items, dictionary: dictionary).mappedBytes())
    var random = Random(12)
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<Int(random.next() % 12 + 1) {
        let place = Int(random.next() % UInt64(bytes.count - 128))
        damaged[place] =
          switch random.next() % 3 {
          case 0: 0xFF
          case 1: 0
          default: UInt8(random.next() & 0xFF)
          }
      }
      readAll(damaged, dictionary: dictionary)
    }
  }
}
