// What a change or a load did, behind a handle.

internal import CLimelight
internal import Limelight
internal import LimelightItems
internal import LimelightStorage

/// An item that was not taken.
struct RefusedItem {
  let position: Int
  let line: Int?
  let id: String?
  let error: ItemError
}

/// A receipt, and what was lent of it.
final class ReceiptObject: HandleObject {
  static let kind = HandleKind.receipt

  /// What a load has more than a change.
  struct Load {
    let read: Int
    let bytes: Int
    let microseconds: UInt64
  }

  let generation: UInt64
  let isDurable: Bool
  let put: Int
  let deleted: Int
  let made: [(position: Int, id: String)]
  let refused: [RefusedItem]
  let load: Load?
  private let lock = Lock()
  private let lender = Lender()
  private var lent: [Key: Lent] = [:]

  private enum Key: Hashable {
    case made(Int)
    case refusal(Int, UInt32)
    case json
  }

  init(_ receipt: Receipt) {
    generation = receipt.generation
    isDurable = receipt.isDurable
    put = receipt.put
    deleted = receipt.deleted
    made = receipt.madeIDs
    refused = receipt.refused.map(RefusedItem.init)
    load = nil
  }

  /// A load; `overlong` are lines that the engine was not given.
  init(_ report: LoadReport, overlong: [RefusedItem]) {
    generation = report.generation
    isDurable = true
    put = report.put
    deleted = 0
    made = report.madeIDs
    refused = (report.refused.map(RefusedItem.init) + overlong)
      .sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    load = Load(
      read: report.read + overlong.count, bytes: report.bytes,
      microseconds: UInt64(max(report.seconds, 0) * 1e6))
  }

  func number(_ part: lime_receipt_part) throws -> UInt64 {
    switch part {
    case LIME_RECEIPT_GENERATION: generation
    case LIME_RECEIPT_PUT: UInt64(put)
    case LIME_RECEIPT_DELETED: UInt64(deleted)
    case LIME_RECEIPT_REFUSED: UInt64(refused.count)
    case LIME_RECEIPT_MADE: UInt64(made.count)
    case LIME_RECEIPT_READ: UInt64(load?.read ?? 0)
    case LIME_RECEIPT_BYTES: UInt64(load?.bytes ?? 0)
    case LIME_RECEIPT_MICROSECONDS: load?.microseconds ?? 0
    case LIME_RECEIPT_DURABLE: isDurable ? 1 : 0
    default: throw CallError.unsupported("a receipt has no number \(part.rawValue)")
    }
  }

  func lendMade(_ place: Int) throws -> (position: Int, id: Lent) {
    try checkPlace(place, below: made.count)
    return (made[place].position, lend(.made(place)) { $0.lend(made[place].id) })
  }

  func refusal(_ place: Int) throws -> RefusedItem {
    try checkPlace(place, below: refused.count)
    return refused[place]
  }

  func lendRefusal(_ place: Int, _ part: lime_refusal_part) throws -> Lent? {
    let refusal = try refusal(place)
    let text: String?
    switch part {
    case LIME_REFUSAL_ID: text = refusal.id
    case LIME_REFUSAL_CODE: text = refusal.error.code.rawValue
    case LIME_REFUSAL_ATTRIBUTE: text = refusal.error.attribute
    case LIME_REFUSAL_MESSAGE: text = refusal.error.message
    default: throw CallError.unsupported("a refusal has no text \(part.rawValue)")
    }
    return text.map { text in lend(.refusal(place, part.rawValue)) { $0.lend(text) } }
  }

  func lendJSON() -> Lent { lend(.json) { $0.lend(json) } }

  private func lend(_ key: Key, _ body: (Lender) -> Lent) -> Lent {
    lock.withLock {
      let known = lent[key] ?? body(lender)
      lent[key] = known
      return known
    }
  }

  private var json: [UInt8] {
    var json = JSONText()
    json.object { json in
      json.member("generation") { $0.number(generation) }
      json.member("durable") { $0.bool(isDurable) }
      json.member("put") { $0.number(put) }
      json.member("deleted") { $0.number(deleted) }
      if let load {
        json.member("read") { $0.number(load.read) }
        json.member("bytes") { $0.number(load.bytes) }
        json.member("microseconds") { $0.number(load.microseconds) }
      }
      json.member("made") {
        $0.array(of: made) { json, made in
          json.object { json in
            json.member("position") { $0.number(made.position) }
            json.member("id") { $0.text(made.id) }
          }
        }
      }
      json.member("refused") { $0.array(of: refused) { $0.refusal($1) } }
    }
    return json.bytes
  }
}

extension JSONText {
  fileprivate mutating func refusal(_ refusal: RefusedItem) {
    object { json in
      json.member("position") { $0.number(refusal.position) }
      if let line = refusal.line { json.member("line") { $0.number(line) } }
      json.member("id") { $0.text(refusal.id) }
      json.member("code") { $0.text(refusal.error.code.rawValue) }
      json.member("attribute") { $0.text(refusal.error.attribute) }
      json.member("message") { $0.text(refusal.error.message) }
    }
  }
}

extension RefusedItem {
  init(_ refusal: Refusal) {
    self.init(
      position: refusal.position, line: refusal.line, id: refusal.id, error: refusal.error)
  }
}

/// A call that changes an index and gives a receipt, if the host wants one.
///
/// Without one, a refusal must not pass in silence: it becomes the call's error.
func changeIndex(
  _ index: OpaquePointer?, _ out: HandleOut?, _ body: (Index) throws -> ReceiptObject
) -> lime_status {
  out?.pointee = nil
  return change(index, IndexObject.self) { try give(body($0.index), out) }
}

/// Gives out a receipt, or makes a refusal an error.
func give(_ receipt: ReceiptObject, _ out: HandleOut?) throws {
  if let out {
    out.pointee = try HandleTable.shared.open(receipt)
  } else if let first = receipt.refused.first {
    let place = first.line.map { "line \($0)" } ?? "item \(first.position)"
    let others = receipt.refused.count - 1
    throw CallError(
      LIME_ERROR_ITEM,
      "\(place) was refused\(others > 0 ? ", like \(others) others" : ""): \(first.error)")
  }
}
