// The shapes of the model's runs: analyser, backing, items, and what may happen to them.

import Limelight
import Testing

/// One kind of random run.
struct ModelShape: Sendable, CustomTestStringConvertible {
  let name: String
  var analyzer = Analyzer.words
  var isOnDisk = false
  var storesItems = true
  var style = ItemStyle()
  /// Whether items are deleted.
  var deletes = true
  /// The most items of a usual batch.
  var batch = 30
  /// The share of all cases, in percent.
  let share: Int

  var testDescription: String { name }

  static let all: [ModelShape] = [
    ModelShape(name: "words in memory", share: 20),
    ModelShape(
      name: "runs on disk", analyzer: .runs, isOnDisk: true, style: ItemStyle(),
      share: 20),
    ModelShape(
      name: "only additions, on disk", isOnDisk: true,
      style: ItemStyle(replaces: false), deletes: false, batch: 12, share: 20),
    ModelShape(
      name: "many attributes", analyzer: .runs,
      style: ItemStyle(customStandard: 90), share: 15),
    ModelShape(
      name: "ids only, many expire", isOnDisk: true, storesItems: false,
      style: ItemStyle(ids: 120, expiring: 30), share: 10),
    ModelShape(
      name: "many short items",
      style: ItemStyle(customStandard: 3, ids: 900, words: 4), batch: 200, share: 15),
  ]
}

/// What disagreed, with all that is needed to see it again.
struct Disagreement: Error, CustomStringConvertible {
  let description: String

  init(_ run: ModelRun, _ what: String) {
    description = """
      \(what)
        run: \(run.shape.name), step \(run.step), LIMELIGHT_SEED=\(RandomSettings.seed) \
      LIMELIGHT_CASES=\(RandomSettings.cases)
        last changes: \(run.history.suffix(12).joined(separator: "; "))
      """
  }
}
