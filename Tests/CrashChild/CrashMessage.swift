// What the child says to its parent, in messages of 16 bytes that arrive whole.

internal import Glibc

/// A message of the child.
package struct CrashMessage: Sendable {
  package enum Kind: UInt8, Sendable {
    case opened = 1, began, ended, reached, closed
  }

  package static let size = 16
  /// The descriptor that the parent gives the child to write to.
  package static let descriptor: Int32 = 3

  package let kind: Kind
  package let thread: Int
  package let number: Int
  package let generation: UInt64

  init(_ kind: Kind, thread: Int = 0, number: Int = 0, generation: UInt64 = 0) {
    self.kind = kind
    self.thread = thread
    self.number = number
    self.generation = generation
  }

  /// Reads a message; nil for bytes that are none.
  package init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == Self.size, let kind = Kind(rawValue: bytes[0]) else { return nil }
    self.kind = kind
    thread = Int(bytes[1])
    number = bytes[2..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    generation = bytes[8...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Writes the message with one call: it is with the parent, whatever comes next.
  func send() {
    var bytes: [UInt8] = [kind.rawValue, UInt8(truncatingIfNeeded: thread)]
    for shift in 0..<6 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    for shift in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: generation >> UInt64(8 * shift)))
    }
    while write(Self.descriptor, bytes, bytes.count) < 0, errno == EINTR {}
  }
}
