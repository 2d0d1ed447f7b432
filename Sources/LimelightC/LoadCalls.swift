// Loading lines in bulk, with callbacks.

public import CLimelight
internal import Limelight

@_cdecl("lime_index_load") @implementation
public func lime_index_load(
  _ index: OpaquePointer?, _ options: UnsafePointer<lime_load_options>?,
  _ next: lime_text_callback?, _ progress: lime_progress_callback?,
  _ context: UnsafeMutableRawPointer?, _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  load(index, options, progress, context, receipt) { firstLine in
    guard let next else { throw CallError.required("the callback for the text") }
    return LinePieces(firstLine: firstLine) {
      var text: UnsafePointer<CChar>?
      var length = 0
      guard next(&text, &length, context) == 0 else { return nil }
      guard length >= 0, text != nil || length == 0 else {
        throw CallError.argument("the callback gave NULL or an impossible length")
      }
      return UnsafeRawBufferPointer(start: text, count: length)
    }
  }
}

@_cdecl("lime_index_load_lines") @implementation
public func lime_index_load_lines(
  _ index: OpaquePointer?, _ lines: UnsafePointer<CChar>?, _ length: Int,
  _ options: UnsafePointer<lime_load_options>?, _ progress: lime_progress_callback?,
  _ context: UnsafeMutableRawPointer?, _ receipt: UnsafeMutablePointer<OpaquePointer?>?
) -> lime_status {
  load(index, options, progress, context, receipt) { firstLine in
    var rest = try bytes(lines, length, "the lines")
    return LinePieces(firstLine: firstLine) {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(LinePieces.batchBytes))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
      return piece
    }
  }
}

private func load(
  _ index: OpaquePointer?, _ pointer: UnsafePointer<lime_load_options>?,
  _ progress: lime_progress_callback?, _ context: UnsafeMutableRawPointer?,
  _ receipt: UnsafeMutablePointer<OpaquePointer?>?, _ source: (Int) throws -> LinePieces
) -> lime_status {
  receipt?.pointee = nil
  return change(index, IndexObject.self) { object in
    let given = try options(pointer, none: lime_load_options())
    try checkFlags(given.flags | given.reserved, known: 0)
    let form = try LineForm(given.lines)
    let pieces = try source(form.firstLine)
    let cancellation = try cancellation(given.cancellation)
    var isStopped = false
    let report = try object.index.loadUntilCancelled(
      threads: Int(min(max(given.threads, 1), 256)),
      memoryBudget: given.memory_budget == 0 ? 256 << 20 : Int(clamping: given.memory_budget),
      cancellation: cancellation, firstLine: form.firstLine,
      next: { () throws -> Batch? in
        try pieces.next().map {
          .lines($0.bytes, firstLine: $0.firstLine, options: form.options)
        }
      },
      progress: { state in
        guard let progress else { return true }
        let code = progress(
          UInt64(state.read), UInt64(state.put), UInt64(state.refused), UInt64(state.bytes),
          state.seconds, context)
        if code != 0 { isStopped = true }
        return code == 0
      })
    let result = ReceiptObject(report, overlong: pieces.overlong)
    let isEnded = isStopped || pieces.isStopped
    guard isEnded || report.isCancelled else { return try give(result, receipt) }
    if let receipt { receipt.pointee = try HandleTable.shared.open(result) }
    throw CallError(
      LIME_ERROR_CANCELLED, isEnded ? "a callback ended the load" : "the load was cancelled")
  }
}

/// Cuts a text that comes in pieces into batches of whole lines.
///
/// Only a batch is in memory, and a line that is longer than any item can be is passed over and
/// remembered.
final class LinePieces {
  static let batchBytes = 1 << 20
  /// Six times the largest item: that much a text can grow when it is escaped.
  private static let lineLimit = 384 << 20
  private static let newline: UInt8 = 0x0A

  /// Gives the next piece, an empty one at the end, nil when the host ends the load.
  private let source: () throws -> UnsafeRawBufferPointer?
  private var carry: [UInt8] = []
  private let startLine: Int
  private var line: Int
  private var isAtEnd = false
  private var isPassingOver = false
  private(set) var isStopped = false
  private(set) var overlong: [RefusedItem] = []

  init(firstLine: Int, _ source: @escaping () throws -> UnsafeRawBufferPointer?) {
    startLine = firstLine
    line = firstLine
    self.source = source
  }

  /// The next whole lines, or nil at the end.
  func next() throws -> (bytes: [UInt8], firstLine: Int)? {
    while !isAtEnd {
      var bytes = carry
      carry = []
      while bytes.count < Self.batchBytes, !isAtEnd { try append(to: &bytes) }
      if !isAtEnd {
        let end = (bytes.lastIndex(of: Self.newline) ?? -1) + 1
        carry = Array(bytes[end...])
        bytes.removeSubrange(end...)
        if carry.count > Self.lineLimit {
          carry = []
          isPassingOver = true
        }
      }
      guard !bytes.isEmpty else { continue }
      defer { line += bytes.count { $0 == Self.newline } }
      return (bytes, line)
    }
    return nil
  }

  private func append(to bytes: inout [UInt8]) throws {
    guard let piece = try source() else {
      isStopped = true
      isAtEnd = true
      return
    }
    if piece.isEmpty { isAtEnd = true }
    guard isPassingOver else {
      bytes.append(contentsOf: piece)
      return
    }
    let end = piece.firstIndex(of: Self.newline)
    guard end != nil || isAtEnd else { return }
    overlong.append(
      RefusedItem(
        position: line - startLine, line: line, id: nil,
        error: ItemError(.itemTooLarge, message: "the line is longer than any item can be")))
    line += 1
    isPassingOver = false
    if let end { bytes.append(contentsOf: piece[(end + 1)...]) }
  }
}
