// Reading receipts: what a change did, as numbers, ids and JSON.

public import CLimelight

@_cdecl("lime_receipt_free") @implementation
public func lime_receipt_free(_ receipt: OpaquePointer?) -> lime_status {
  end(receipt, ReceiptObject.self)
}

@_cdecl("lime_receipt_number") @implementation
public func lime_receipt_number(
  _ receipt: OpaquePointer?, _ part: lime_receipt_part, _ number: UnsafeMutablePointer<UInt64>?
) -> lime_status {
  read(receipt, ReceiptObject.self, number) { try $0.number(part) }
}

@_cdecl("lime_receipt_made") @implementation
public func lime_receipt_made(
  _ receipt: OpaquePointer?, _ place: Int, _ position: UnsafeMutablePointer<Int>?,
  _ id: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  position?.pointee = 0
  return lend(receipt, ReceiptObject.self, id, length) {
    let made = try $0.lendMade(place)
    position?.pointee = made.position
    return made.id
  }
}

@_cdecl("lime_receipt_refusal") @implementation
public func lime_receipt_refusal(
  _ receipt: OpaquePointer?, _ place: Int, _ position: UnsafeMutablePointer<Int>?,
  _ line: UnsafeMutablePointer<UInt64>?
) -> lime_status {
  position?.pointee = 0
  line?.pointee = 0
  return change(receipt, ReceiptObject.self) {
    let refusal = try $0.refusal(place)
    position?.pointee = refusal.position
    line?.pointee = UInt64(clamping: refusal.line ?? 0)
  }
}

@_cdecl("lime_receipt_refusal_text") @implementation
public func lime_receipt_refusal_text(
  _ receipt: OpaquePointer?, _ place: Int, _ part: lime_refusal_part,
  _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(receipt, ReceiptObject.self, text, length) { try $0.lendRefusal(place, part) }
}

@_cdecl("lime_receipt_json") @implementation
public func lime_receipt_json(
  _ receipt: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ length: UnsafeMutablePointer<Int>?
) -> lime_status {
  lend(receipt, ReceiptObject.self, json, length) { $0.lendJSON() }
}
