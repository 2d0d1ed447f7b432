// limelight-bench: runs Limelight through its public Swift API, for measuring.

import Glibc
import Limelight

@main
enum Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      guard arguments.first == "driver" else { throw BenchmarkError(usage) }
      try Driver.run(Array(arguments.dropFirst()))
      fflush(nil)
    } catch {
      fflush(nil)
      let message = "limelight-bench: \(error)\n"
      _ = message.withCString { write(2, $0, strlen($0)) }
      exit(2)
    }
  }

  static let usage = """
    usage: limelight-bench driver info
           limelight-bench driver index TSV DIR --store 0|1 --threads N
           limelight-bench driver serve DIR
           limelight-bench driver cold DIR QUERY
           limelight-bench driver update DIR TSV N
    """
}

/// What is wrong with a call.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
