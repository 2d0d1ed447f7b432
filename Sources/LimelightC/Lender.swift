// Bytes lent to the host: they stay where they are until the lender goes.

internal import Glibc

/// Bytes that a lender keeps, followed by a NUL that does not count.
struct Lent {
  let pointer: UnsafePointer<CChar>
  let count: Int
}

/// Keeps bytes in place; whoever owns it guards it by a lock.
final class Lender {
  private var blocks: [UnsafeMutableRawPointer] = []
  private var free: UnsafeMutableRawPointer?
  private var left = 0
  private var blockSize = 256

  deinit { for block in blocks { block.deallocate() } }

  /// Room for so many bytes, aligned for numbers; large ones get a block of their own.
  func room(_ count: Int) -> UnsafeMutableRawPointer {
    let rounded = (max(count, 1) + 7) & ~7
    if let place = free, rounded <= left {
      free = place + rounded
      left -= rounded
      return place
    }
    let isLarge = rounded > blockSize / 4
    if !isLarge { blockSize = min(blockSize * 2, 1 << 16) }
    let size = isLarge ? rounded : blockSize
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    blocks.append(block)
    if !isLarge {
      free = block + rounded
      left = size - rounded
    }
    return block
  }

  /// Keeps a copy of bytes.
  func lend(_ bytes: UnsafeRawBufferPointer) -> Lent {
    let place = room(bytes.count + 1)
    if let base = bytes.baseAddress { place.copyMemory(from: base, byteCount: bytes.count) }
    place.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    return Lent(
      pointer: UnsafePointer(place.assumingMemoryBound(to: CChar.self)), count: bytes.count)
  }

  func lend(_ bytes: [UInt8]) -> Lent { bytes.withUnsafeBytes { lend($0) } }

  func lend(_ text: String) -> Lent {
    var text = text
    return text.withUTF8 { lend(UnsafeRawBufferPointer($0)) }
  }

  /// Keeps numbers.
  func lend(numbers: [UInt64]) -> UnsafePointer<UInt64> {
    let place = room(numbers.count * 8).bindMemory(to: UInt64.self, capacity: max(numbers.count, 1))
    place.initialize(from: numbers, count: numbers.count)
    return UnsafePointer(place)
  }
}
