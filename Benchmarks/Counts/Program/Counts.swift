// The fixed workloads whose instructions callgrind counts.

import Glibc
import Limelight

/// Runs the work between two marks that callgrind knows by the name of this function.
///
/// Counting begins where it is entered and ends where it is left.
@inline(never) @_optimize(none) @_silgen_name("limelight_counted")
func counted(_ body: () throws -> Int) rethrows -> Int { try body() }

/// `prepare FOLDER` makes the index that is searched, natively; `run FOLDER` runs all workloads, each
/// once to warm it up and once counted, and prints their names in order.
@main
enum Counts {
  static func main() {
    let arguments = CommandLine.arguments
    do {
      switch (arguments.count, arguments.dropFirst().first) {
      case (3, "prepare"): try CountedCorpus.makeIndex(arguments[2])
      case (3, "run"): try run(arguments[2])
      default: throw CountsError("usage: LimelightCounts prepare|run FOLDER")
      }
    } catch {
      let message = "counts: \(error)\n"
      _ = message.withCString { write(2, $0, strlen($0)) }
      exit(2)
    }
  }

  private static func run(_ folder: String) throws {
    for workload in try Workload.all(folder) {
      let expected = try workload.body()
      let result = try counted(workload.body)
      // The same work, or the counts say nothing.
      guard result == expected, result > 0 else {
        throw CountsError("\(workload.name) gives \(result), then \(expected)")
      }
      print(workload.name, result)
    }
    fflush(nil)
  }
}

/// What is wrong with a run.
struct CountsError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
