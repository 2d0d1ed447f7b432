// What can go wrong, and whose fault it is.

internal import Glibc

/// What is wrong with a call, or kept it from doing its work.
package struct BenchmarkError: Error, CustomStringConvertible {
  package let description: String
  /// Whether the command line is to blame.
  package let isMisuse: Bool

  package init(_ description: String) {
    self.description = description
    isMisuse = false
  }

  private init(misuse description: String) {
    self.description = description
    isMisuse = true
  }

  /// A command line that means nothing.
  static func misuse(_ description: String) -> BenchmarkError {
    BenchmarkError(misuse: description)
  }

  /// What the system said last about a file.
  static func system(_ what: String, _ path: String) -> BenchmarkError {
    BenchmarkError("cannot \(what) \(path): \(String(cString: strerror(errno)))")
  }
}
