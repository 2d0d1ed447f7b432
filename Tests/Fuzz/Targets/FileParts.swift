// Files taken apart and put together, so that a mutation meets one part and not the frame.

/// A file format that is a frame around parts.
protocol FileParts {
  /// The parts, or nil for bytes without a frame.
  static func split(_ bytes: [UInt8]) -> [[UInt8]]?
  /// The file of these parts, with lengths and places that are right.
  static func join(_ parts: [[UInt8]]) -> [UInt8]
  /// The first part that may be doubled, taken out or moved; nil if none may.
  static var firstMovable: Int? { get }
}

/// One mutation of a file in parts.
struct PartsMutation {
  private var state: UInt32
  private let limit: Int
  private let change: ([UInt8], _ limit: Int) -> [UInt8]

  init(seed: UInt32, limit: Int, change: @escaping ([UInt8], _ limit: Int) -> [UInt8]) {
    state = seed &* 2_654_435_761 | 1
    self.limit = limit
    self.change = change
  }

  private mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return bound > 0 ? Int(state) % bound : 0
  }

  /// Changes one part; the bytes as a whole where that cannot be.
  mutating func apply(_ format: any FileParts.Type, _ bytes: [UInt8]) -> [UInt8] {
    guard var parts = format.split(bytes), !parts.isEmpty else { return change(bytes, limit) }
    if let first = format.firstMovable, parts.count > first, below(6) == 0 {
      move(&parts, first)
    } else {
      let place = below(parts.count)
      let part = parts[place]
      var changed = change(part, part.count + min(64, max(0, limit - bytes.count)))
      // Half of the parts keep their length: many readers ask for it first.
      if below(2) == 0 {
        changed = Array(changed.prefix(part.count))
        changed += [UInt8](repeating: 0, count: part.count - changed.count)
      }
      parts[place] = changed
    }
    let joined = format.join(parts)
    return joined.count <= limit ? joined : change(bytes, limit)
  }

  private mutating func move(_ parts: inout [[UInt8]], _ first: Int) {
    let place = first + below(parts.count - first)
    let other = first + below(parts.count - first)
    switch below(3) {
    case 0: parts.insert(parts[place], at: other)
    case 1: parts.remove(at: place)
    default: parts.swapAt(place, other)
    }
  }
}

/// Little-endian integers in arrays of bytes.
enum FileInteger {
  static func get(_ bytes: [UInt8], _ place: Int, size: Int = 8) -> Int {
    guard place >= 0, place + size <= bytes.count else { return -1 }
    return Int(
      truncatingIfNeeded: bytes[place..<place + size].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      })
  }

  static func put(_ bytes: inout [UInt8], _ value: Int, at place: Int, size: Int = 8) {
    guard place >= 0, place + size <= bytes.count else { return }
    for byte in 0..<size {
      bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
    }
  }
}
