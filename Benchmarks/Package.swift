// swift-tools-version: 6.2
// The benchmark runner: a package of its own, which sees of Limelight what any other package sees.
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]
let limelight: Target.Dependency = .product(name: "Limelight", package: "Limelight")

let package = Package(
  name: "LimelightBenchmarks",
  dependencies: [.package(name: "Limelight", path: "..")],
  targets: [
    // What measures: corpora, queries, results, charts, and the commands on top.
    .target(
      name: "BenchmarkRunner", dependencies: [limelight], path: "Sources/Runner",
      swiftSettings: strict),
    // The program, and in it the driver of the side-by-side harness.
    .executableTarget(
      name: "limelight-bench", dependencies: ["BenchmarkRunner", limelight],
      path: "Sources/Driver", swiftSettings: strict),
    .testTarget(
      name: "RunnerTests", dependencies: ["BenchmarkRunner", limelight],
      path: "Tests/RunnerTests", swiftSettings: strict),
  ])
