// Reads documents of a TSV file: id, title, body.

internal import BenchmarkRunner
internal import Glibc
internal import Limelight

/// A document of the corpus.
struct Document {
  let id: String
  let title: String
  let body: String

  func item(text: String) -> Item {
    Item(id: id, attributes: [.textContent: .text(text)])
  }
}

/// Reads a file line by line.
final class DocumentReader {
  private let file: UnsafeMutablePointer<FILE>
  private var line: UnsafeMutablePointer<CChar>?
  private var capacity = 0

  init(_ path: String) throws {
    guard let file = fopen(path, "r") else { throw BenchmarkError("cannot read \(path)") }
    setvbuf(file, nil, _IOFBF, 1 << 20)
    self.file = file
  }

  deinit {
    fclose(file)
    free(line)
  }

  func next() -> Document? {
    guard let (bytes, first, second) = nextLine() else { return nil }
    return Document(
      id: String(decoding: bytes[..<first], as: UTF8.self),
      title: String(decoding: bytes[(first + 1)..<second], as: UTF8.self),
      body: String(decoding: bytes[(second + 1)...], as: UTF8.self))
  }

  /// The next document as the harness has it indexed, without its title and body apart.
  func nextItem() -> Item? {
    guard let (bytes, first, second) = nextLine() else { return nil }
    bytes[second] = 32
    return Item(
      id: String(decoding: bytes[..<first], as: UTF8.self),
      attributes: [.textContent: .text(String(decoding: bytes[(first + 1)...], as: UTF8.self))])
  }

  /// Passes over a document; false at the end.
  func skip() -> Bool { nextLine() != nil }

  /// The bytes of a line, good until the next one, and the places of its two tabulators.
  private func nextLine() -> (bytes: UnsafeMutableRawBufferPointer, first: Int, second: Int)? {
    let length = getline(&line, &capacity, file)
    guard length > 0, let line else { return nil }
    let bytes = UnsafeMutableRawBufferPointer(start: line, count: length)
    let end = bytes.last == 10 ? length - 1 : length
    guard let first = bytes.firstIndex(of: 9),
      let second = bytes[(first + 1)...].firstIndex(of: 9)
    else { return nil }
    return (UnsafeMutableRawBufferPointer(rebasing: bytes[..<end]), first, second)
  }
}
