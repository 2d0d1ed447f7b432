// A clock that is set forward and back while an index is open.

import Limelight
import LimelightStorage

/// What expires is found or not as the clock says now; all else is untouched by it.
struct ClockTrial {
  private static let hour: Int64 = 3_600_000_000

  static func run(folder: String) throws {
    let path = folder + "/index"
    let index = try Index(path)
    let reader = try Index(path, access: .readOnly)
    let now = Clock.wallMicroseconds()
    var late = Item(id: "late", domain: "d", attributes: [.title: "all tomorrow"])
    late.expirationDate = Timestamp(microseconds: now + 24 * hour)
    var soon = Item(id: "soon", domain: "d", attributes: [.title: "all soon"])
    soon.expirationDate = Timestamp(microseconds: now + hour)
    try index.put([Item(id: "always", attributes: [.title: "all always"]), soon, late])
    let handles = [index, reader]

    try expect(handles, ["always", "late", "soon"], "at first")
    Clock.setWall(offBy: 2 * hour)
    try expect(handles, ["always", "late"], "two hours later")
    // Nothing was written meanwhile: what had expired is back, as the host's clock wants it.
    Clock.setWall(offBy: 0)
    try expect(handles, ["always", "late", "soon"], "set back")

    Clock.setWall(offBy: -365 * 24 * hour)
    try expect(handles, ["always", "late", "soon"], "a year back")
    let generation = try index.stats().generation
    try index.put([Item(id: "old", attributes: [.title: "all from last year"])])
    try index.commit()
    try index.merge()
    guard try reader.stats().generation > generation else {
      throw TrialFailure("changes are numbered by the clock")
    }
    try expect(handles, ["always", "late", "old", "soon"], "a year back, merged")

    // A checkpoint drops for good what has expired, and a clock set back brings nothing of it again.
    Clock.setWall(offBy: 2 * hour)
    try index.put([Item(id: "new", attributes: [.title: "all of today"])])
    try index.commit()
    Clock.setWall(offBy: -hour)
    try expect(handles, ["always", "late", "new", "old"], "set back behind a checkpoint")
    try index.close()
    Clock.setWall(offBy: -2 * hour)
    let again = try Index(path)
    try expect([again, reader], ["always", "late", "new", "old"], "opened again")
    try again.close()
    tell("clock: set six times")
  }

  private static func expect(_ handles: [Index], _ ids: Set<String>, _ when: String) throws {
    for handle in handles {
      let found = Set(try handle.search(.term("all"), limit: 20).map { try $0.id })
      guard found == ids, try handle.count == ids.count, Set(try handle.ids()) == ids else {
        throw TrialFailure("\(when): found \(found.sorted()), \(try handle.count) in all")
      }
      for id in ["always", "late", "new", "old", "soon"] {
        guard try (handle.get(id) != nil) == ids.contains(id) else {
          throw TrialFailure("\(when): \(id)")
        }
      }
      guard try handle.verify().isEmpty else { throw TrialFailure("\(when): damage") }
    }
  }
}
