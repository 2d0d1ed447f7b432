// Reads a corpus in batches of whole lines, packed or not.

internal import Glibc

/// Lines of a file, of a file packed with zstd, or of the standard input.
///
/// A packed file goes through the program `zstd`. Only a batch is in memory.
final class CorpusReader {
  /// Some whole lines.
  struct Batch {
    var bytes: [UInt8]
    /// The number of the first line, counted from 1.
    var firstLine: Int
  }

  private static let batchBytes = 2 << 20

  private let path: String
  private let descriptor: Int32
  private let unpacker: ChildProcess?
  /// What follows the last whole line.
  private var carry: [UInt8] = []
  private var linesRead = 0
  private var isAtEnd = false
  /// The time that reading took so far, in nanoseconds; of the unpacker only what was waited for.
  private(set) var nanosecondsSpent: UInt64 = 0

  /// Opens a corpus; `-` is the standard input, `.zst` at the end means packed.
  init(_ path: String) throws {
    self.path = path
    if path == "-" {
      descriptor = dup(STDIN_FILENO)
      unpacker = nil
    } else {
      // Opened in any case: the unpacker's complaint about a missing file would be another one.
      let opened = open(path, O_RDONLY | O_CLOEXEC)
      guard opened >= 0 else { throw BenchmarkError.system("read", path) }
      var status = stat()
      guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
        close(opened)
        throw BenchmarkError("cannot read \(path): it is a folder, not a file of lines")
      }
      if path.hasSuffix(".zst") {
        close(opened)
        let child = try ChildProcess(["zstd", "-dcq", "--", path], readsOutput: true)
        unpacker = child
        descriptor = child.output ?? -1
      } else {
        unpacker = nil
        descriptor = opened
      }
    }
    guard descriptor >= 0 else { throw BenchmarkError.system("read", path) }
  }

  deinit {
    close(descriptor)
    // Reaped also when the corpus was left in the middle: the closed pipe ends the program.
    if !isAtEnd { _ = unpacker?.wait() }
  }

  /// The next lines, or nil at the end.
  func next() throws -> Batch? {
    let start = nanoseconds()
    defer { nanosecondsSpent += nanoseconds() - start }
    guard !isAtEnd else { return nil }
    var bytes = carry
    carry = []
    while true {
      let piece = try read()
      bytes += piece
      if piece.isEmpty {
        isAtEnd = true
        if let unpacker {
          let status = unpacker.wait()
          guard status == 0 else {
            throw BenchmarkError("cannot unpack \(path): zstd ended with status \(status)")
          }
        }
        if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        break
      }
      guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { continue }
      carry = Array(bytes[(end + 1)...])
      bytes.removeSubrange((end + 1)...)
      break
    }
    guard !bytes.isEmpty else { return nil }
    let batch = Batch(bytes: bytes, firstLine: linesRead + 1)
    linesRead += bytes.reduce(into: 0) { $0 &+= $1 == UInt8(ascii: "\n") ? 1 : 0 }
    return batch
  }

  /// A piece of the input of a batch's size, less only at its end.
  private func read() throws -> [UInt8] {
    var failed = false
    let piece = [UInt8](unsafeUninitializedCapacity: Self.batchBytes) { buffer, count in
      while count < buffer.count {
        let got = Glibc.read(
          descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        if got < 0, errno == EINTR { continue }
        failed = got < 0
        guard got > 0 else { break }
        count += got
      }
    }
    if failed { throw BenchmarkError.system("read", path) }
    return piece
  }
}
