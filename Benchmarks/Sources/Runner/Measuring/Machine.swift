// What a machine is, as far as results depend on it.

internal import Glibc

/// The machine and the day of a measurement.
struct Machine: Codable, Hashable {
  /// The processor's name.
  var processor: String
  /// The number of processors.
  var cores: Int
  /// The machine's memory, in bytes.
  var memory: Int
  /// The distribution and its kernel.
  var system: String

  /// This machine.
  static func current() -> Machine {
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    var name = utsname()
    // The number without the suffix of whoever built it.
    let release = uname(&name) == 0 ? text(name.release) : "?"
    let kernel = release.prefix { $0.isNumber || $0 == "." }
    return Machine(
      processor: value("model name", in: "/proc/cpuinfo", separator: ":") ?? "?",
      cores: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))),
      memory: max(0, pages) * Int(getpagesize()),
      system: (value("PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "Linux")
        + ", kernel \(kernel)")
  }

  /// Today, in UTC: 2026-01-31.
  static func today() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var buffer = [CChar](repeating: 0, count: 16)
    strftime(&buffer, buffer.count, "%Y-%m-%d", &parts)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The machine in one line.
  var line: String {
    "\(processor), \(Figures.count(cores, "core")), \(Figures.size(memory)) of memory, \(system)"
  }

  /// A field of a file of lines `name separator value`; quotes around the value are taken off.
  private static func value(_ name: String, in path: String, separator: Character) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 1_024)
    while fgets(&line, Int32(line.count), file) != nil {
      let bytes = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      let parts = String(decoding: bytes, as: UTF8.self)
        .split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, trimmed(parts[0]) == name else { continue }
      return trimmed(parts[1])
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    let noise: Set<Character> = [" ", "\t", "\n", "\""]
    let front = text.drop { noise.contains($0) }
    return String(front.reversed().drop { noise.contains($0) }.reversed())
  }

  private static func text<T>(_ field: T) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
