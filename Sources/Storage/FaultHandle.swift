// FaultHandle: an open file of a fault disk.

/// A file of a fault disk with the disk that guards it and the path it was opened by.
final class FaultHandle: @unchecked Sendable {
  let disk: FaultDisk
  let file: FaultFile
  let path: String

  init(_ disk: FaultDisk, _ file: FaultFile, path: String) {
    self.disk = disk
    self.file = file
    self.path = path
  }

  func size() throws(StorageError) -> Int {
    try disk.size(self)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    try disk.write(bytes, at: offset, self)
  }

  func truncate(to size: Int) throws(StorageError) {
    try disk.truncate(to: size, self)
  }

  func sync() throws(StorageError) {
    try disk.sync(self)
  }

  func read(from offset: Int, count: Int?) throws(StorageError) -> [UInt8] {
    try disk.read(self, from: offset, count: count)
  }

  func map() throws(StorageError) -> MappedBytes {
    try disk.map(self)
  }
}
