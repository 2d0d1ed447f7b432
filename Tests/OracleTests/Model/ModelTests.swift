// The engine against the oracle: random items, changes and queries.

import Limelight
import Testing

@Suite struct ModelTests {
  /// Tens of thousands of searches and counts over all shapes.
  ///
  /// `LIMELIGHT_SEED` repeats a run, `LIMELIGHT_CASES` makes it longer or shorter.
  @Test(arguments: ModelShape.all)
  func agreesWithTheOracle(_ shape: ModelShape) throws {
    let run = try ModelRun(shape, seed: RandomSettings.seed)
    try run.run(cases: RandomSettings.cases * shape.share / 100)
    // A run that compares too little is no test.
    #expect(run.fruitfulComparisons > run.comparisons / 4)
    #expect(run.scoredComparisons > run.comparisons / 4 || shape.style.expiring > 0)
    print(
      "oracle: \(shape.name): \(run.comparisons) searches agree, \(run.scoredComparisons) with scores,",
      "\(run.fruitfulComparisons) with several hits; LIMELIGHT_SEED=\(RandomSettings.seed)")
  }
}
