// swift-tools-version: 6.2
// The benchmark runner: a package of its own, which sees of Limelight what any other package sees.
import PackageDescription

let package = Package(
  name: "LimelightBenchmarks",
  dependencies: [.package(name: "Limelight", path: "..")],
  targets: [
    .executableTarget(
      name: "limelight-bench",
      dependencies: [.product(name: "Limelight", package: "Limelight")],
      path: "Sources/Driver",
      swiftSettings: [.swiftLanguageMode(.v6)])
  ])
