// OpenFile: one open file of any backing, with the operations that all of them have.

/// A file of the system, of memory, or of a fault disk.
///
/// An enumeration, not a protocol: three cases that are all known, and no existential to call
/// through.
enum OpenFile: Sendable {
  case system(Descriptor)
  case memory(MemoryFile)
  case faulty(FaultHandle)

  func size() throws(StorageError) -> Int {
    switch self {
    case .system(let file): try file.size()
    case .memory(let file): file.size
    case .faulty(let file): try file.size()
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    switch self {
    case .system(let file): try file.write(bytes, at: offset)
    case .memory(let file): try file.write(bytes, at: offset)
    case .faulty(let file): try file.write(bytes, at: offset)
    }
  }

  func truncate(to size: Int) throws(StorageError) {
    switch self {
    case .system(let file): try file.truncate(to: size)
    case .memory(let file): try file.truncate(to: size)
    case .faulty(let file): try file.truncate(to: size)
    }
  }

  func sync() throws(StorageError) {
    switch self {
    case .system(let file): try file.sync()
    case .memory: break
    case .faulty(let file): try file.sync()
    }
  }

  func read(from offset: Int, count: Int?) throws(StorageError) -> [UInt8] {
    switch self {
    case .system(let file): try file.read(from: offset, count: count)
    case .memory(let file): file.read(from: offset, count: count)
    case .faulty(let file): try file.read(from: offset, count: count)
    }
  }

  func map(scratch: Bool = false) throws(StorageError) -> MappedBytes {
    switch self {
    case .system(let file): try file.map(scratch: scratch)
    case .memory(let file): file.map()
    case .faulty(let file): try file.map()
    }
  }
}
