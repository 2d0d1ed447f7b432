// The process that a crash test kills: works on an index and says what it does, until it is no more.

import Glibc
import Limelight
import LimelightStorage

/// Opens the index of a folder and changes it as a plan says, saying each change before and after.
///
/// Arguments: the folder, the file of the control page, the seed of the plan, the number of threads,
/// the style of the plan, how many changes each thread makes, and the level of durability. Messages go to
/// descriptor 3.
@main
enum CrashChild {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 8, let seed = UInt64(arguments[3]), let threads = Int(arguments[4]),
      let style = CrashPlan.Style(rawValue: arguments[5]), let changes = Int(arguments[6]),
      let durability = Durability(rawValue: arguments[7]),
      let page = ControlPage(path: arguments[2], create: false)
    else {
      complain("wrong arguments: \(arguments)")
      exit(2)
    }
    Witness.install(page)
    let plan = CrashPlan(seed: seed, threads: threads, style: style)
    do {
      Witness.begin(.opening)
      let index = try Index(
        arguments[1], options: IndexConfiguration(lockWait: 2000, durability: durability))
      Witness.end()
      CrashMessage(.opened).send()
      try work(index, plan, changes)
      Witness.begin(.closing)
      try index.close()
      Witness.end()
    } catch {
      complain("\(error)")
      exit(3)
    }
    CrashMessage(.closed).send()
  }

  private static func work(_ index: Index, _ plan: CrashPlan, _ changes: Int) throws {
    let others = try (1..<plan.threads).map { thread in
      try WorkerThread(name: "worker", stackSize: 4 << 20) {
        Witness.enter(thread: thread)
        run(index, plan, thread, changes)
      }
    }
    run(index, plan, 0, changes)
    for other in others { other.join() }
  }

  private static func run(_ index: Index, _ plan: CrashPlan, _ thread: Int, _ changes: Int) {
    do {
      for number in 0..<changes {
        let change = plan.change(thread: thread, number: number)
        Witness.begin(change.operation)
        CrashMessage(.began, thread: thread, number: number).send()
        let generation = try change.make(in: index)
        Witness.end()
        CrashMessage(.ended, thread: thread, number: number, generation: generation).send()
      }
    } catch {
      complain("\(error)")
      exit(3)
    }
  }

  private static func complain(_ text: String) {
    let bytes = Array("crash child: \(text)\n".utf8)
    _ = write(2, bytes, bytes.count)
  }
}
