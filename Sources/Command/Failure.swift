// How the command ends: the exit codes, and errors as a person reads them.

internal import Limelight

/// What the command tells its caller by its exit status.
enum ExitCode: Int32 {
  case done = 0
  /// Nothing was found, or some items were refused.
  case partial = 1
  /// The command line is wrong.
  case usage = 2
  /// The index is missing, damaged or of another version.
  case index = 3
  /// Another process writes to the index.
  case locked = 4
  /// A file cannot be read or written.
  case inputOutput = 5
}

/// The end of a command that cannot do what it was asked.
struct Failure: Error {
  let code: ExitCode
  let message: String
  /// What may help, on lines of its own.
  let hint: String?

  static func usage(_ message: String, hint: String? = nil) -> Failure {
    Failure(code: .usage, message: message, hint: hint)
  }

  static func inputOutput(_ message: String) -> Failure {
    Failure(code: .inputOutput, message: message, hint: nil)
  }
}

extension Failure {
  /// The failure that an error of the engine means to the command's caller.
  init(_ error: LimelightError) {
    code =
      switch error.code {
      case .notFound, .damaged, .newerFormat, .olderFormat, .analyzerMismatch: .index
      case .locked: .locked
      case .invalidArgument, .invalidItem, .notStored, .unsupported: .usage
      case .closed, .readOnly, .noSpace, .io, .permission, .cancelled, .poisoned, .forked,
        .timedOut:
        .inputOutput
      }
    message = error.message
    hint =
      switch error.code {
      case .notFound: "make one with: limelight import INDEX FILE"
      case .damaged: "'limelight verify INDEX' lists all that is damaged"
      case .notStored: "the index was made with --no-store and keeps only ids"
      case .io where error.message.hasSuffix("as its sole writer"):
        "give --sole-writer if no other process writes to the index"
      default: nil
      }
  }
}
