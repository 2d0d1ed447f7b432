// FaultFile: what the page cache shows of a file, what the disk holds of it, and what is in between.

/// A file of a fault disk; guarded by the lock of the disk.
final class FaultFile {
  /// A change that no sync has made durable yet.
  private enum Change {
    case write(offset: Int, bytes: ArraySlice<UInt8>)
    case truncate(size: Int)
  }

  /// The unit in which a kernel writes a file back, in any order.
  private static let page = 4096

  /// What readers see.
  private(set) var shown: [UInt8]
  private var durable: [UInt8]
  private var unsynced: [Change] = []

  init(durable bytes: [UInt8] = []) {
    shown = bytes
    durable = bytes
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    record(.write(offset: offset, bytes: [UInt8](bytes)[...]))
  }

  func truncate(to size: Int) {
    record(.truncate(size: size))
  }

  /// A sync that succeeds: every change reaches the disk.
  func sync() {
    for change in unsynced { FaultFile.apply(change, to: &durable) }
    unsynced = []
  }

  /// A sync that fails: some changes reach the disk, and the kernel takes them all for written.
  ///
  /// Readers go on seeing what is lost, and no later sync brings it to the disk: so do Linux file
  /// systems, which mark the pages clean after an error.
  func loseSync(using generator: inout SeededGenerator) {
    durable = survivors(using: &generator)
    unsynced = []
  }

  /// The bytes that a power cut at this moment leaves.
  ///
  /// What was synced is there. Of the rest nothing, everything, the first changes with the last one
  /// torn, or any pages in any order; a page that is missing below one that is there reads as
  /// zeros, and so does the end of a file whose size alone was written.
  func survivors(using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = durable
    let style = generator.below(5)
    switch style {
    case 0: break
    case 1:
      for change in unsynced { FaultFile.apply(change, to: &bytes) }
    case 2:
      let whole = generator.below(unsynced.count)
      for change in unsynced.prefix(whole) { FaultFile.apply(change, to: &bytes) }
      for change in unsynced.dropFirst(whole).prefix(1) {
        FaultFile.apply(FaultFile.torn(change, using: &generator), to: &bytes)
      }
    default:
      for change in unsynced.flatMap(FaultFile.pages) where generator.coin() {
        let isTorn = generator.below(8) == 0
        FaultFile.apply(
          isTorn ? FaultFile.torn(change, using: &generator) : change, to: &bytes)
      }
      if style == 4, bytes.count < shown.count {
        bytes.append(contentsOf: repeatElement(0, count: shown.count - bytes.count))
      }
    }
    return bytes
  }

  private func record(_ change: Change) {
    FaultFile.apply(change, to: &shown)
    unsynced.append(change)
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .truncate(let size):
      bytes.removeLast(max(bytes.count - size, 0))
    case .write(let offset, let new):
      if bytes.count < offset {
        bytes.append(contentsOf: [UInt8](repeating: 0, count: offset - bytes.count))
      }
      // In two blocks: tests run unoptimised, where a byte at a time would be most of their time.
      let inside = min(bytes.count - offset, new.count)
      bytes.withUnsafeMutableBytes { target in
        new.withUnsafeBytes { source in
          UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + inside])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(inside)))
        }
      }
      bytes.append(contentsOf: new.dropFirst(inside))
    }
  }

  private static func torn(_ change: Change, using generator: inout SeededGenerator) -> Change {
    guard case .write(let offset, let bytes) = change else { return change }
    return .write(offset: offset, bytes: bytes.prefix(generator.below(bytes.count + 1)))
  }

  /// Cuts a write at the borders of pages.
  private static func pages(of change: Change) -> [Change] {
    guard case .write(let offset, let bytes) = change else { return [change] }
    var pieces: [Change] = []
    var rest = bytes
    var position = offset
    while !rest.isEmpty {
      let piece = rest.prefix(page - position % page)
      pieces.append(.write(offset: position, bytes: piece))
      position += piece.count
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}
