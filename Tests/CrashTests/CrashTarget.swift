// Where children are killed.

import Limelight
import LimelightCrashChild
import LimelightStorage

/// A step at which children are killed, and the plan that leads there.
struct CrashTarget {
  let name: String
  /// Nil: at any moment.
  let place: CrashPlace?
  let style: CrashPlan.Style
  /// The child is killed at one of the first so many times that the place is reached.
  let reach: Int
  /// The level at which the child opens its index.
  let durability: Durability

  init(
    _ name: String, _ operation: CrashOperation, _ phase: Phase, _ style: CrashPlan.Style,
    reach: Int = 6, durability: Durability = .full
  ) {
    self.name = name
    place = CrashPlace(operation, phase)
    self.style = style
    self.reach = reach
    self.durability = durability
  }

  private init(
    anyMoment name: String, _ style: CrashPlan.Style, durability: Durability = .full
  ) {
    self.name = name
    place = nil
    self.style = style
    reach = 0
    self.durability = durability
  }

  static let all: [CrashTarget] = [
    CrashTarget("put, before its sync", .put, .journalAppended, .mixed),
    CrashTarget("put, after its sync", .put, .journalSynced, .mixed),
    CrashTarget("delete, before its sync", .delete, .journalAppended, .mixed, reach: 2),
    CrashTarget("delete, after its sync", .delete, .journalSynced, .mixed, reach: 2),
    CrashTarget("load, segment synced", .load, .segmentSync, .mixed, reach: 2),
    CrashTarget("load, manifest renamed", .load, .manifestRename, .mixed, reach: 2),
    CrashTarget("merge in memory", .background, .memoryMerge, .puts, reach: 2),
    CrashTarget("commit, new journal", .commit, .journalRotation, .commits, reach: 4),
    CrashTarget("commit, segment written", .commit, .segmentWrite, .commits, reach: 4),
    CrashTarget("commit, segment synced", .commit, .segmentSync, .commits, reach: 4),
    CrashTarget("commit, manifest written", .commit, .manifestWrite, .commits, reach: 4),
    CrashTarget("commit, manifest renamed", .commit, .manifestRename, .commits, reach: 4),
    CrashTarget("commit, manifest published", .commit, .manifestPublished, .commits, reach: 4),
    CrashTarget("commit, old files removed", .commit, .fileRemoval, .commits, reach: 4),
    CrashTarget("merge of files, begun", .merge, .fileMerge, .merges, reach: 2),
    CrashTarget("merge of files, segment synced", .merge, .segmentSync, .merges, reach: 4),
    CrashTarget("merge of files, manifest renamed", .merge, .manifestRename, .merges, reach: 4),
    CrashTarget("merge of files, old files removed", .merge, .fileRemoval, .merges, reach: 4),
    CrashTarget("opening, journal copied", .opening, .recovery, .mixed, reach: 1),
    CrashTarget("opening, manifest renamed", .opening, .manifestRename, .mixed, reach: 1),
    CrashTarget("opening, old files removed", .opening, .fileRemoval, .mixed, reach: 1),
    CrashTarget("opening, journal applied", .opening, .replay, .mixed, reach: 1),
    CrashTarget("closing, segment synced", .closing, .segmentSync, .puts, reach: 1),
    CrashTarget("closing, manifest renamed", .closing, .manifestRename, .puts, reach: 1),
    anyMoment, anyMomentOfCommits,
    // What was not synced is the kernel's, and a kill takes nothing of it.
    CrashTarget(
      "journaled put, not applied", .put, .journalAppended, .mixed, durability: .journaled),
    CrashTarget("relaxed put, not applied", .put, .journalAppended, .mixed, durability: .relaxed),
    CrashTarget(
      "relaxed, commit, new journal", .commit, .journalRotation, .commits, reach: 4,
      durability: .relaxed),
    CrashTarget(
      "relaxed, opening, journal copied", .opening, .recovery, .mixed, reach: 1,
      durability: .relaxed),
    CrashTarget(anyMoment: "any moment, journaled", .mixed, durability: .journaled),
    CrashTarget(anyMoment: "any moment, relaxed", .puts, durability: .relaxed),
  ]

  static let anyMoment = CrashTarget(anyMoment: "any moment", .mixed)
  static let anyMomentOfCommits = CrashTarget(anyMoment: "any moment of commits", .commits)
}
