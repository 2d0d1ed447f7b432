// JournalRecord: what one journal record says, and how it is written.
internal import LimelightCodecs
package import LimelightItems

/// One change to the index, resolved: whole items and ids, never a query or a clock.
package enum JournalOperation: Equatable, Sendable {
  /// Puts whole items in order, each replacing the one of its id.
  case put([ResolvedItem])
  /// Deletes items by id; ids that are not there are passed over.
  case delete(ids: [String])
  /// Deletes every item.
  case deleteAll
  /// Adds custom attributes behind those known, as `AttributeRegistry` writes them.
  case declare([UInt8])
  /// Replaces the host's own state; nil takes it away.
  case clientState([UInt8]?)
}

/// The kinds of operations; the numbers are part of the file format.
private enum OperationKind: UInt8 {
  case put = 1
  case delete, deleteAll, declare, clientState, noClientState
}

/// One record: operations that take effect in order, together and as one number.
package struct JournalRecord: Equatable, Sendable {
  package let sequence: UInt64
  package let operations: [JournalOperation]

  package init(sequence: UInt64, operations: [JournalOperation]) {
    self.sequence = sequence
    self.operations = operations
  }
}

/// A record ready to be appended, all but its number: made before any lock is taken.
///
/// The payload is one operation after the other: kind u8, length of what follows as a varint, then
///
///     1 put            count varint, each item: length varint, the bytes of `ItemCodec` with
///                      its thumbnail
///     2 delete         count varint, each id: length varint, UTF-8
///     3 delete all     nothing
///     4 declare        bytes of `AttributeRegistry`
///     5 client state   at most 250 bytes
///     6 no client state
///
/// A record without operations is allowed: it takes a number, and changes nothing.
package final class EncodedRecord {
  /// Room for the head, then the payload, then zeros up to a multiple of 8.
  fileprivate(set) var bytes: [UInt8]
  let kind: JournalRecordKind
  let length: UInt32
  let payloadChecksum: UInt64

  package init(_ operations: [JournalOperation]) throws(SnapshotError) {
    var bytes = [UInt8](repeating: 0, count: RecordHead.size)
    for operation in operations { try operation.encode(into: &bytes) }
    let length = bytes.count - RecordHead.size
    guard length <= SnapshotFormat.recordBytes else {
      throw SnapshotError(
        .tooLarge, file: "",
        "the batch has \(length) bytes, the limit is \(SnapshotFormat.recordBytes)")
    }
    (self.bytes, kind) = (bytes, .operations)
    self.length = UInt32(truncatingIfNeeded: length)
    payloadChecksum = Self.checksum(of: bytes)
    pad()
  }

  /// The record that ends a journal.
  init(continuesIn journal: UInt64) {
    var bytes = [UInt8](repeating: 0, count: RecordHead.size)
    withUnsafeBytes(of: journal.littleEndian) { bytes.append(contentsOf: $0) }
    (self.bytes, kind, length) = (bytes, .continues, 8)
    payloadChecksum = Self.checksum(of: bytes)
  }

  /// The record that says that those before it are on disk.
  static func synced() -> EncodedRecord { EncodedRecord() }

  private init() {
    bytes = [UInt8](repeating: 0, count: RecordHead.size)
    (kind, length) = (.synced, 0)
    payloadChecksum = Self.checksum(of: bytes)
  }

  /// A record with the bytes of one that was read, for another journal.
  init(copying payload: [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: RecordHead.size)
    bytes.append(contentsOf: payload)
    (self.bytes, kind) = (bytes, .operations)
    length = UInt32(truncatingIfNeeded: payload.count)
    payloadChecksum = Self.checksum(of: bytes)
    pad()
  }

  private func pad() {
    while bytes.count & 7 != 0 { bytes.append(0) }
  }

  private static func checksum(of bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return XXH64.hash(base + RecordHead.size, bytes.count - RecordHead.size)
    }
  }

  /// Fills in the head.
  func seal(sequence: UInt64, synced: UInt64, salt: UInt64) {
    let head = RecordHead(
      length: length, kind: kind.rawValue, sequence: sequence, synced: synced,
      payloadChecksum: payloadChecksum)
    bytes.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { head.encode(into: base, salt: salt) }
    }
  }
}

extension JournalOperation {
  fileprivate func encode(into bytes: inout [UInt8]) throws(SnapshotError) {
    switch self {
    case .put(let items):
      Self.append(.put, to: &bytes) { bytes in
        Self.appendList(items, to: &bytes) { ItemCodec.encode($0, into: &$1, thumbnail: .bytes) }
      }
    case .delete(let ids):
      Self.append(.delete, to: &bytes) { bytes in
        Self.appendList(ids, to: &bytes) { $1.append(contentsOf: $0.utf8) }
      }
    case .deleteAll: Self.append(.deleteAll, to: &bytes) { _ in }
    case .declare(let attributes):
      Self.append(.declare, to: &bytes) { $0.append(contentsOf: attributes) }
    case .clientState(let state?):
      guard state.count <= SnapshotFormat.clientStateBytes else {
        throw SnapshotError(
          .tooLarge, file: "",
          "the client state has \(state.count) bytes, the limit is "
            + "\(SnapshotFormat.clientStateBytes)")
      }
      Self.append(.clientState, to: &bytes) { $0.append(contentsOf: state) }
    case .clientState(nil): Self.append(.noClientState, to: &bytes) { _ in }
    }
  }

  private static func append(
    _ kind: OperationKind, to bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    bytes.append(kind.rawValue)
    appendMeasured(to: &bytes, body)
  }

  private static func appendList<Element>(
    _ list: [Element], to bytes: inout [UInt8], _ body: (Element, inout [UInt8]) -> Void
  ) {
    appendVarint(UInt64(list.count), to: &bytes)
    for element in list { appendMeasured(to: &bytes) { body(element, &$0) } }
  }

  /// Appends the length of what `body` appends, then that.
  private static func appendMeasured(
    to bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    let start = bytes.count
    body(&bytes)
    let length = UInt64(bytes.count - start)
    withUnsafeTemporaryAllocation(byteCount: Varint.maximumLength, alignment: 1) { room in
      guard let base = room.baseAddress else { return }
      let used = Varint.put(into: base, length)
      bytes.insert(contentsOf: room.prefix(used), at: start)
    }
  }

  private static func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(byteCount: Varint.maximumLength, alignment: 1) { room in
      guard let base = room.baseAddress else { return }
      bytes.append(contentsOf: room.prefix(Varint.put(into: base, value)))
    }
  }
}

extension JournalOperation {
  /// Reads the payload of a record, which starts at `start` of the file.
  package static func decode(
    _ payload: UnsafeRawBufferPointer, file: String, at start: Int
  ) throws(SnapshotError) -> [JournalOperation] {
    var operations: [JournalOperation] = []
    var reader = ByteReader(payload)
    while reader.remaining > 0 {
      do {
        operations.append(try decode(&reader, file: file, at: start))
      } catch let error as DecodingError {
        throw .damaged(file, at: start, error)
      } catch let error as SnapshotError {
        throw error
      } catch {
        throw .damaged(file, at: start, "\(error)")
      }
    }
    return operations
  }

  private static func decode(
    _ reader: inout ByteReader, file: String, at start: Int
  ) throws -> JournalOperation {
    let offset = reader.position
    let kind = OperationKind(rawValue: try reader.u8())
    let length = try reader.length(atMost: reader.remaining)
    let bodyStart = reader.position
    let body = try reader.bytes(length)
    switch kind {
    case .put:
      return .put(
        try list(body, at: bodyStart) { bytes, offset in
          do {
            return try ItemCodec.decode(bytes)
          } catch let error as ItemDecodingError {
            throw SnapshotError.damaged(file, at: start + offset, error)
          }
        })
    case .delete:
      return .delete(
        ids: try list(body, at: bodyStart) { bytes, offset in
          guard let id = String(validating: bytes, as: UTF8.self) else {
            throw DecodingError.corrupt("an id is not text", at: offset)
          }
          return id
        })
    case .declare: return .declare(Array(body))
    case .clientState where length <= SnapshotFormat.clientStateBytes:
      return .clientState(Array(body))
    case .deleteAll where length == 0: return .deleteAll
    case .noClientState where length == 0: return .clientState(nil)
    default: throw DecodingError.corrupt("an operation that cannot be", at: offset)
    }
  }

  private static func list<Element>(
    _ bytes: UnsafeRawBufferPointer, at start: Int,
    _ body: (UnsafeRawBufferPointer, Int) throws -> Element
  ) throws -> [Element] {
    var reader = ByteReader(bytes)
    let count = try reader.length(atMost: reader.remaining)
    var elements: [Element] = []
    elements.reserveCapacity(min(count, 4096))
    for _ in 0..<count {
      let length = try reader.length(atMost: reader.remaining)
      let offset = start + reader.position
      elements.append(try body(try reader.bytes(length), offset))
    }
    guard reader.remaining == 0 else {
      throw DecodingError.corrupt("bytes behind a list", at: start + reader.position)
    }
    return elements
  }
}
