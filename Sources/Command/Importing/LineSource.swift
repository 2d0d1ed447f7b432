// Lines of files and of the standard input, in batches of whole lines.

internal import Glibc

/// Some whole lines of the input.
struct LineBatch {
  var bytes: [UInt8]
  /// The number of the first line, counted from 1 over all inputs.
  var firstLine: Int
}

/// Reads the inputs one after the other and hands out their lines in batches.
///
/// Batches end with a line and never hold lines of two inputs. Only a batch is held in memory,
/// and a line that is longer than any item can be is passed over and remembered.
final class LineSource {
  /// The bytes of all inputs, or nil when one of them is no file.
  let totalBytes: Int?
  private(set) var bytesRead = 0
  /// The lines that were handed out or passed over.
  private(set) var linesRead = 0
  /// The numbers of the lines that were passed over because they are too long.
  private(set) var oversizedLines: [Int] = []

  private let paths: [String]
  private var starts: [Int] = []  // lines before each input that was opened
  private var descriptor: Int32?
  private var carry: [UInt8] = []  // what follows the last whole line
  private var isAtStart = false
  private var isPassingOver = false

  private static let newline = UInt8(ascii: "\n")
  private static let batchBytes = 512 << 10
  /// Six times the largest item: that much a text can grow when it is escaped.
  private static let lineLimit = 384 << 20

  /// Takes note of the inputs; `-` is the standard input.
  init(_ paths: [String]) throws(Failure) {
    self.paths = paths
    var total: Int? = 0
    for path in paths {
      var status = stat()
      let code = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
      guard code == 0 else { throw Self.failure(path) }
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw .inputOutput("\(path) is a folder, not a file of lines")
      }
      let isFile = status.st_mode & S_IFMT == S_IFREG
      total = isFile ? total.map { $0 + Int(status.st_size) } : nil
    }
    totalBytes = total
  }

  /// Whether there is more than one input.
  var hasSeveralInputs: Bool { paths.count > 1 }

  /// The input and the line in it that a number over all inputs means.
  func place(ofLine line: Int) -> (path: String, line: Int) {
    guard let input = starts.lastIndex(where: { $0 < line }) else { return (paths[0], line) }
    return (paths[input], line - starts[input])
  }

  /// The next lines, or nil behind the last input.
  func next() throws(Failure) -> LineBatch? {
    while let descriptor = try current() {
      var bytes = carry
      carry = []
      let isAtEnd = try read(descriptor, into: &bytes)
      if isAtStart, !bytes.isEmpty {
        try inspectStart(&bytes)
        isAtStart = false
      }
      if isPassingOver { passOver(&bytes, isAtEnd: isAtEnd) }
      if isAtEnd {
        close(descriptor)
        self.descriptor = nil
        if !bytes.isEmpty, bytes.last != Self.newline { bytes.append(Self.newline) }
      } else {
        let end = bytes.lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
        carry = Array(bytes[end...])
        bytes.removeSubrange(end...)
        if carry.count > Self.lineLimit {
          carry = []
          isPassingOver = true
        }
      }
      if !bytes.isEmpty { return batch(bytes) }
    }
    return nil
  }

  /// The input that is being read; opens the next one when there is none.
  private func current() throws(Failure) -> Int32? {
    if let descriptor { return descriptor }
    guard starts.count < paths.count else { return nil }
    let path = paths[starts.count]
    let opened = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw Self.failure(path) }
    _ = posix_fadvise(opened, 0, 0, POSIX_FADV_SEQUENTIAL)
    starts.append(linesRead)
    isAtStart = true
    descriptor = opened
    return opened
  }

  /// Appends the next piece of the input, of a batch's size; true at its end.
  private func read(_ descriptor: Int32, into bytes: inout [UInt8]) throws(Failure) -> Bool {
    var wanted = Self.batchBytes
    while wanted > 0 {
      var code: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        let result = Glibc.read(descriptor, buffer.baseAddress, wanted)
        code = result < 0 ? errno : 0
        count = max(0, result)
      }
      if code == EINTR { continue }
      guard code == 0 else { throw Self.failure(paths[starts.count - 1]) }
      if piece.isEmpty { return true }
      bytesRead += piece.count
      wanted -= piece.count
      bytes += piece
    }
    return false
  }

  /// Drops the rest of a line that is too long; at its end counts it.
  private func passOver(_ bytes: inout [UInt8], isAtEnd: Bool) {
    let end = bytes.firstIndex(of: Self.newline).map { $0 + 1 }
    bytes.removeSubrange(..<(end ?? bytes.count))
    guard end != nil || isAtEnd else { return }
    linesRead += 1
    oversizedLines.append(linesRead)
    isPassingOver = false
  }

  private func batch(_ bytes: [UInt8]) -> LineBatch {
    let firstLine = linesRead + 1
    linesRead += bytes.reduce(into: 0) { if $1 == Self.newline { $0 += 1 } }
    return LineBatch(bytes: bytes, firstLine: firstLine)
  }

  /// Takes a byte order mark away, and says what to do with a compressed input.
  private func inspectStart(_ bytes: inout [UInt8]) throws(Failure) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let tools: [String: [UInt8]] = ["zstd": [0x28, 0xB5, 0x2F, 0xFD], "gzip": [0x1F, 0x8B]]
    for (tool, magic) in tools where bytes.starts(with: magic) {
      let path = paths[starts.count - 1]
      throw .inputOutput(
        "\(path) is compressed; unpack it on the way: \(tool) -dc FILE | limelight import INDEX -")
    }
  }

  private static func failure(_ path: String) -> Failure {
    .inputOutput("cannot read \(path): \(systemMessage(errno))")
  }
}
