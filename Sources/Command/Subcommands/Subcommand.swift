// The subcommands: what each one has, and the list of all.

internal import Limelight

/// One of the things that `limelight` does.
protocol Subcommand: SendableMetatype {
  static var manual: Manual { get }

  /// Does it; what goes wrong is thrown, as a `Failure` or an error of the engine.
  static func run(_ arguments: Arguments, _ output: Output) throws -> ExitCode
}

/// All subcommands, in the order in which help lists them.
enum Subcommands {
  static let all: [any Subcommand.Type] = [
    ImportCommand.self, SearchCommand.self, BrowseCommand.self, GetCommand.self, ListCommand.self,
    DeleteCommand.self, StatsCommand.self, MergeCommand.self, VerifyCommand.self,
    RepairCommand.self,
  ]

  static var names: [String] { all.map { $0.manual.name } }
}

extension Subcommand {
  /// Opens an index to read from it.
  static func openForReading(_ path: String) throws(LimelightError) -> Index {
    try Index(path, access: .readOnly)
  }

  /// Opens an index that exists to change it; a wrong path makes no new one.
  static func openForWriting(_ arguments: Arguments) throws(LimelightError) -> Index {
    let path = arguments.operands[0]
    try openForReading(path).close()
    return try Index(path, options: IndexConfiguration(soleWriter: arguments.has(.soleWriter)))
  }
}
