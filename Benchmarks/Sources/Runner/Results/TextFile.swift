// Whole files, read and written.

internal import Glibc

/// Files that fit into memory.
enum TextFile {
  static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw BenchmarkError.system("read", path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { break }
      bytes += piece[..<count]
    }
    guard ferror(file) == 0 else { throw BenchmarkError.system("read", path) }
    return bytes
  }

  /// Writes a file anew; `-` is the standard output.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let output = try OutputFile(path)
    try output.write(bytes)
    try output.close()
  }

  static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) throws {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part + "/"
      guard mkdir(made, 0o777) == 0 || errno == EEXIST else {
        throw BenchmarkError.system("make the folder", path)
      }
    }
  }

  /// The bytes of all files in a folder and below it.
  static func size(ofFolder path: String) throws -> Int {
    try entries(of: path).reduce(0) { sum, entry in
      var status = stat()
      guard lstat(entry, &status) == 0 else { return sum }
      switch status.st_mode & S_IFMT {
      case S_IFREG: return sum + Int(status.st_size)
      case S_IFDIR: return sum + (try size(ofFolder: entry))
      default: return sum
      }
    }
  }

  /// Removes a folder and all that is in it; links are removed, not followed.
  static func remove(folder path: String) throws {
    for entry in try entries(of: path) {
      var status = stat()
      guard lstat(entry, &status) == 0 else { throw BenchmarkError.system("remove", entry) }
      if status.st_mode & S_IFMT == S_IFDIR {
        try remove(folder: entry)
      } else if unlink(entry) != 0 {
        throw BenchmarkError.system("remove", entry)
      }
    }
    guard rmdir(path) == 0 else { throw BenchmarkError.system("remove", path) }
  }

  private static func entries(of path: String) throws -> [String] {
    guard let folder = opendir(path) else { throw BenchmarkError.system("read", path) }
    defer { closedir(folder) }
    var entries: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { entries.append("\(path)/\(name)") }
    }
    return entries
  }
}

/// A file that is written piece by piece.
final class OutputFile {
  private let path: String
  private var descriptor: Int32

  /// Makes the file anew; `-` is the standard output.
  init(_ path: String) throws {
    self.path = path
    descriptor =
      path == "-" ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw BenchmarkError.system("write", path) }
  }

  deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw BenchmarkError.system("write", path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Ends the file; the system may report only here that it could not be written.
  func close() throws {
    defer { descriptor = -1 }
    guard Glibc.close(descriptor) == 0 else { throw BenchmarkError.system("write", path) }
  }
}
