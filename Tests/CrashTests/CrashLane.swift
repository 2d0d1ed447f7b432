// Kills one child after the other over one folder, each time in the same step.

import Foundation
import Limelight
import LimelightCrashChild
import LimelightStorage

/// The kills of one target, and what came of them.
final class CrashLane {
  private let target: CrashTarget
  private let folder: String
  private let seed: UInt64
  private var chance: CrashChance
  private var model = CrashModel()
  private var isMade = false
  /// How many children died in the target's step.
  private(set) var kills = 0
  /// Where threads of killed children were.
  private(set) var places: [CrashPlace: Int] = [:]
  private(set) var rounds = 0
  /// How many changes children have acknowledged.
  private(set) var changes = 0
  /// How often a reader was compared with a child at work.
  private(set) var followed = 0

  init(_ target: CrashTarget, seed: UInt64, scratch: String) throws {
    self.target = target
    self.seed = seed
    chance = CrashChance(seed)
    folder = scratch + "/\(seed)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Kills children until so many have died in the step.
  func run(kills wanted: Int) throws {
    while kills < wanted {
      rounds += 1
      guard rounds <= wanted * 4 else {
        throw CrashFailure("\(target.name): \(kills) kills in \(rounds) rounds")
      }
      try attempt()
    }
    try FileManager.default.removeItem(atPath: folder)
  }

  /// Kills children until the time is over.
  func run(until end: Date) throws {
    while end.timeIntervalSinceNow > 0 {
      rounds += 1
      try attempt()
    }
  }

  private func attempt() throws {
    do {
      try round()
    } catch {
      throw CrashFailure("\(target.name), seed \(seed), round \(rounds), in \(folder): \(error)")
    }
  }

  private func round() throws {
    let path = folder + "/index"
    let plan = CrashPlan(
      seed: seed * 1000 + UInt64(rounds), threads: rounds % 3 == 0 ? 3 : 1, style: target.style)
    guard let page = ControlPage(path: folder + "/page", create: true) else {
      throw CrashFailure("no control page")
    }
    // Now and then the child goes on for a while, so that it dies behind the step as well.
    let tells = target.place != nil && chance.below(8) == 0
    page.arm(
      tells ? .tell : .stop, at: target.place, count: 1 + chance.below(max(target.reach, 1)))
    let planned = target.place?.operation == .closing ? 1 + chance.below(12) : 80 / plan.threads
    let child = try ChildProcess(arguments: [
      path, folder + "/page", String(plan.seed), String(plan.threads), target.style.rawValue,
      String(planned), target.durability.rawValue,
    ])
    let hasReached = try wait(for: child, tells)
    try child.kill()
    if try child.end() { count(page, hasReached && !tells) }
    if child.messages.contains(where: { $0.kind == .opened }) { isMade = true }
    changes += child.messages.count { $0.kind == .ended }
    let verdict = try CrashVerdict(before: model, plan: plan, messages: child.messages)
    model = try CrashCheck(path: path, verdict: verdict)
      .run(isMade: isMade, asWriter: chance.below(3) == 0)
  }

  /// Waits for the moment of the kill; true if the child has reached its trap.
  private func wait(for child: ChildProcess, _ tells: Bool) throws -> Bool {
    guard target.place != nil else {
      // Half of them die while they open, or soon after; the others at work.
      if chance.below(2) == 0 { _ = try child.wait { $0.contains { $0.kind == .opened } } }
      try follow(child, milliseconds: 2 + chance.below(60))
      return false
    }
    // A step of opening that is not taken needs more in the journal: the child may go on for a while.
    let limit = target.place?.operation == .opening ? 1 + chance.below(12) : .max
    let isDone = try child.wait { messages in
      messages.contains { $0.kind == .reached }
        || messages.count { $0.kind == .ended } >= limit
    }
    guard isDone || child.isAtEnd else { throw CrashFailure("the child makes no progress") }
    guard child.messages.contains(where: { $0.kind == .reached }) else { return false }
    if tells { usleep(UInt32(chance.below(1500))) }
    return true
  }

  /// Listens for so long, and sees that a reader in this process knows of every change that was
  /// acknowledged before it was asked.
  private func follow(_ child: ChildProcess, milliseconds: Int) throws {
    let deadline = Date(timeIntervalSinceNow: Double(milliseconds) / 1000)
    var reader: Index?
    while !child.isAtEnd, deadline.timeIntervalSinceNow > 0 {
      try child.listen(milliseconds: 1 + chance.below(4))
      guard let generation = child.messages.last(where: { $0.generation > 0 })?.generation
      else { continue }
      let index = try reader ?? Index(folder + "/index", access: .readOnly)
      reader = index
      let seen = try index.stats().generation
      guard seen >= generation else {
        throw CrashFailure("a reader sees change \(seen) while \(generation) is acknowledged")
      }
      followed += 1
    }
  }

  private func count(_ page: ControlPage, _ isInStep: Bool) {
    let found = page.places.filter { $0.phase != .idle || $0.operation != .none }
    for place in found { places[place, default: 0] += 1 }
    guard let place = target.place else {
      if !found.isEmpty { kills += 1 }
      return
    }
    if isInStep || found.contains(place) { kills += 1 }
  }
}
