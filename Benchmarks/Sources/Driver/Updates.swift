// Replaces documents one by one, each durable and then found; then deletes them.

internal import BenchmarkRunner
internal import Glibc
internal import Limelight

/// The update cycles of the harness.
struct Updates {
  private let index: Index
  /// Where as many bytes are written for comparison: beside the index, on the same disk.
  private let bare: BareFile
  private let documents: [Document]
  private let count: Int

  init(_ folder: String, _ tsv: String, _ count: Int) throws {
    index = try Index(folder)
    bare = try BareFile(folder + ".bare")
    self.count = count
    let reader = try DocumentReader(tsv)
    var documents: [Document] = []
    while documents.count < count, let document = reader.next() { documents.append(document) }
    self.documents = documents
  }

  func run() throws {
    var isRight = true
    var cycles: [UInt64] = []
    var appends: [UInt64] = []
    for (number, document) in documents.enumerated() {
      let token = "uniquetoken\(number)x"
      let item = document.item(text: document.title + " " + document.body + " " + token)
      let start = nanoseconds()
      try index.put([item])
      isRight = try index.count(.term(token)) == 1 && isRight
      cycles.append(nanoseconds() - start)
      appends.append(try bare.append(document.title.utf8.count + document.body.utf8.count))
    }
    bare.remove()
    let half = documents.count / 2
    let start = nanoseconds()
    try index.delete(ids: documents.prefix(half).map(\.id))
    let batch = nanoseconds() - start
    var single: [UInt64] = []
    for document in documents.dropFirst(half) {
      let start = nanoseconds()
      try index.delete(ids: [document.id])
      single.append(nanoseconds() - start)
    }
    emit([
      "cycle_ns": "[" + cycles.map(String.init).joined(separator: ",") + "]",
      "bare_ns": "[" + appends.map(String.init).joined(separator: ",") + "]",
      "del_batch_ns": "\(batch)", "del_batch_n": "\(half)",
      "del_ns": "[" + single.map(String.init).joined(separator: ",") + "]",
      "ok": isRight ? "true" : "false", "docs_after": "\(try index.count)",
      "peak_rss_kb": "\(Memory.peakResident())",
    ])
    try index.close()
  }
}

/// What durability costs at the least: bytes appended to a file, and its data synchronised.
///
/// The disk of a busy machine answers in a tenth of a millisecond or in four, depending on the moment,
/// so this is timed between the updates.
private struct BareFile {
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BareFileError(path: path, number: errno) }
  }

  /// The nanoseconds that it takes to append so many bytes for good.
  func append(_ count: Int) throws -> UInt64 {
    let bytes = [UInt8](repeating: 0x2E, count: count)
    let start = nanoseconds()
    guard write(descriptor, bytes, count) == count, fdatasync(descriptor) == 0 else {
      throw BareFileError(path: path, number: errno)
    }
    return nanoseconds() - start
  }

  func remove() {
    close(descriptor)
    unlink(path)
  }
}

private struct BareFileError: Error, CustomStringConvertible {
  let path: String
  let number: Int32

  var description: String { "\(path): \(String(cString: strerror(number)))" }
}

/// Hands what was printed to the reader at once.
func flush() { fflush(nil) }
