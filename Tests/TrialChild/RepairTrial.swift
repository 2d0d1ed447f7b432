// A repair that is killed somewhere on its way.

import Limelight

enum RepairTrial {
  /// Repairs the index of a folder; says when it begins and when it has ended.
  static func run(folder: String) throws {
    tell("began")
    let report = try Index.repair(folder + "/index")
    tell("ended: \(report.rescued) rescued, \(report.lost.count) lost")
  }
}
