// IndexOptions: what is chosen when an index is made, and stands for its whole life.
internal import LimelightCodecs
internal import LimelightStorage

/// What an index is: its identity, its analyser and what it keeps.
package struct IndexOptions: Hashable, Sendable {
  /// 16 bytes that stand in every file of the index.
  package let uuid: [UInt8]
  /// The analyser that made the terms: queries must go through the same one.
  package let analyzerName: String
  package let analyzerVersion: UInt32
  /// Whether whole items are stored; without them only ids come back.
  package let storesItems: Bool

  package init(
    analyzerName: String, analyzerVersion: UInt32, storesItems: Bool = true,
    uuid: [UInt8] = Randomness.uuid()
  ) {
    self.uuid = uuid
    self.analyzerName = analyzerName
    self.analyzerVersion = analyzerVersion
    self.storesItems = storesItems
  }

  /// The bytes of a uuid.
  static let uuidSize = 16
  private static let storesItemsFlag: UInt32 = 1

  // flags u32 (1 items are stored), analyser's version u32, length of its name u8, name
  func encode(into writer: ByteWriter) {
    writer.u32(storesItems ? Self.storesItemsFlag : 0)
    writer.u32(analyzerVersion)
    let name = Array(analyzerName.utf8.prefix(255))
    writer.u8(UInt8(truncatingIfNeeded: name.count))
    writer.bytes(name)
  }

  init(decoding reader: inout ByteReader, uuid: [UInt8]) throws(DecodingError) {
    let start = reader.position
    let flags = try reader.u32()
    guard flags & ~Self.storesItemsFlag == 0 else {
      throw .corrupt("the options hold unknown flags", at: start)
    }
    let version = try reader.u32()
    let length = Int(try reader.u8())
    let nameStart = reader.position
    guard let name = String(validating: try reader.bytes(length), as: UTF8.self), !name.isEmpty
    else {
      throw .corrupt("the analyser's name is not text", at: nameStart)
    }
    self.init(
      analyzerName: name, analyzerVersion: version,
      storesItems: flags & Self.storesItemsFlag != 0, uuid: uuid)
  }
}
