// limelight-bench: runs Limelight through its public Swift API, for measuring.

internal import BenchmarkRunner
internal import Glibc

@main
enum Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.first == "driver" else { exit(Commands.run(arguments)) }
    do {
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
           limelight-bench driver batches TSV DIR
           limelight-bench driver merge TSV DIR --store 0|1
    """
}
