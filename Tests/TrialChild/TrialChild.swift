// The process in which a trial runs: what would disturb the tests beside it, or is to be killed.

import Glibc
import Limelight

/// Runs the trial that the first argument names, with the arguments behind it.
///
/// It ends with 0 if all was as it must be, and with 1 and a line on the error stream if not.
@main
enum TrialChild {
  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    guard !arguments.isEmpty else {
      complain("no trial is named")
      exit(2)
    }
    let name = arguments.removeFirst()
    do {
      try run(name, arguments)
    } catch {
      complain("\(name): \(error)")
      exit(1)
    }
  }

  private static func run(_ name: String, _ arguments: [String]) throws {
    let folder = arguments.first ?? ""
    switch name {
    case "random": try RandomTrial.run(arguments)
    case "full": try FullDiskTrial.run(mount: folder)
    case "descriptors": try DescriptorTrial.run(folder: folder)
    case "clock": try ClockTrial.run(folder: folder)
    case "look": try ReadingTrial.run(folder: folder)
    case "lockless": try LocklessTrial.run(folder: folder)
    case "cut": try CutTrial.run(arguments)
    case "handover": try HandOverTrial.run(arguments)
    case "idle": try IdleTrial.run(folder: folder)
    case "signals": try SignalTrial.run(folder: folder)
    case "sole": try SoleWriterTrial.run(folder: folder)
    case "heavy": try MemoryTrial.heavy(arguments)
    case "disk": try DiskTrial.run(arguments)
    case "again": try MemoryTrial.again(arguments)
    case "mail": try MailTrial.run(arguments)
    case "wander": try WanderingTrial.run(folder: folder)
    case "hold": try WritingTrial.hold(folder: folder)
    case "churn": try WritingTrial.churn(folder: folder, isSole: arguments.contains("sole"))
    case "append": try WritingTrial.append(arguments)
    case "share": try SharingTrial.run(arguments)
    case "group": try GroupTrial.run(arguments)
    case "repair": try RepairTrial.run(folder: folder)
    default: throw TrialFailure("there is no such trial")
    }
  }

  private static func complain(_ text: String) {
    let bytes = Array("trial child: \(text)\n".utf8)
    _ = write(2, bytes, bytes.count)
  }
}

/// What a trial found wrong.
struct TrialFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Prints a line that the parent reads at once.
func tell(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}

/// Runs a step that must fail with one of these codes.
func refused(
  _ codes: Set<LimelightError.Code>, _ what: String, _ step: () throws -> Void
) throws {
  do {
    try step()
  } catch let error as LimelightError where codes.contains(error.code) {
    return
  } catch {
    throw TrialFailure("\(what): \(error)")
  }
  throw TrialFailure("\(what) was not refused")
}
