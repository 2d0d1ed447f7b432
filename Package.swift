// swift-tools-version: 6.2
// The map of the house, from ground to roof: a line a module, and what it may import.
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
  // Overlapping accesses are looked for in debug builds, which all tests run in; the checks cost a
  // tenth of a short query.
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// A module of the engine: the folder `Sources/<name>`, imported as `Limelight<name>`.
func module(_ name: String, uses: [String] = [], and others: [Target.Dependency] = []) -> Target {
  .target(
    name: "Limelight\(name)",
    dependencies: uses.map { .target(name: "Limelight\($0)") } + others,
    path: "Sources/\(name)", swiftSettings: strict)
}

/// The tests of a module: the folder `Tests/<name>Tests`.
func tests(_ name: String, uses: [String], and others: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: uses.map { .target(name: "Limelight\($0)") } + others,
    path: "Tests/\(name)Tests", swiftSettings: strict)
}

/// Links the Swift runtime into the shared library and exports what the header declares.
///
/// On a target of its own, so that tests and the command do not link this way. The library stays loaded
/// once it is (`nodelete`): threads of open indexes and the values of the host's threads need its code.
let sharedLibrary: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib",
      "-Xlinker", "--version-script=\(Context.packageDirectory)/include/exports.map",
      "-Xlinker", "-soname=liblimelight.so.1", "-Xlinker", "-z", "-Xlinker", "nodelete",
    ], .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "Limelight",
  products: [
    .library(name: "Limelight", targets: ["Limelight"]),
    // Installed as liblimelight.so.1.
    .library(name: "LimelightShared", type: .dynamic, targets: ["LimelightShared"]),
    .executable(name: "limelight", targets: ["LimelightCommand"]),
  ],
  targets: [
    .systemLibrary(name: "CLimelight", path: "include"),
    .systemLibrary(name: "CSIMD", path: "Sources/CSIMD"),
    .systemLibrary(name: "CSystem", path: "Sources/CSystem"),
    .systemLibrary(
      name: "CLZ4", path: "Sources/CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .target(name: "CBusGuard", path: "Sources/CBusGuard", publicHeadersPath: "."),
    .target(name: "CWide", path: "Sources/CWide", publicHeadersPath: "."),
    module("Storage", and: ["CBusGuard", "CSystem"]),
    module("Codecs", and: ["CLZ4", "CSIMD", "CWide"]),
    module("Analysis"),
    module("Items"),
    module("Segments", uses: ["Storage", "Codecs", "Items"]),
    module("Snapshots", uses: ["Storage", "Codecs", "Items", "Segments"]),
    module("Indexing", uses: ["Storage", "Codecs", "Analysis", "Items", "Segments", "Snapshots"]),
    module(
      "Search", uses: ["Codecs", "Analysis", "Items", "Segments", "Snapshots"], and: ["CWide"]),
    .target(
      name: "Limelight",
      dependencies: [
        "LimelightStorage", "LimelightCodecs", "LimelightAnalysis", "LimelightItems",
        "LimelightSegments", "LimelightSnapshots", "LimelightIndexing", "LimelightSearch",
      ], swiftSettings: strict),
    .target(
      name: "LimelightC",
      dependencies: [
        "Limelight", "LimelightItems", "LimelightSearch", "LimelightStorage", "CLimelight",
      ], swiftSettings: strict),
    .target(
      name: "LimelightShared", dependencies: ["LimelightC"], swiftSettings: strict,
      linkerSettings: sharedLibrary),
    .executableTarget(
      name: "LimelightCommand", dependencies: ["Limelight"], path: "Sources/Command",
      swiftSettings: strict),
    // In this package, not in Benchmarks: it counts inside of the modules.
    .executableTarget(
      name: "LimelightCounts",
      dependencies: [
        "Limelight", "LimelightAnalysis", "LimelightIndexing", "LimelightSegments",
        "LimelightSnapshots", "LimelightStorage",
      ], path: "Benchmarks/Counts/Program", swiftSettings: strict),
    .executableTarget(
      name: "LimelightCrashChild", dependencies: ["Limelight", "LimelightStorage"],
      path: "Tests/CrashChild", swiftSettings: strict),
    .executableTarget(
      name: "LimelightTrialChild",
      dependencies: ["Limelight", "LimelightSnapshots", "LimelightStorage"],
      path: "Tests/TrialChild", swiftSettings: strict),
    // Also built with earlier states of the tree: see Tools/format-fixture.sh.
    .executableTarget(
      name: "LimelightFormatFixture",
      dependencies: [
        "Limelight", "LimelightIndexing", "LimelightItems", "LimelightSnapshots",
        "LimelightStorage",
      ], path: "Tests/FormatFixture", swiftSettings: strict),
    // What the tests of damage, the fuzzers and their replay share.
    .target(
      name: "LimelightSpecimens", dependencies: ["LimelightCodecs", "LimelightItems"],
      path: "Tests/Specimens", swiftSettings: strict),
    .target(
      name: "LimelightFuzz",
      dependencies: [
        "LimelightStorage", "LimelightCodecs", "LimelightAnalysis", "LimelightItems",
        "LimelightSegments", "LimelightSnapshots", "LimelightIndexing", "LimelightSearch",
        "LimelightSpecimens",
      ], path: "Tests/Fuzz/Targets", swiftSettings: strict),
    // Refers to libFuzzer, which Tests/Fuzz/run.sh links: no product has it.
    .target(
      name: "LimelightFuzzEntry", dependencies: ["LimelightFuzz"], path: "Tests/Fuzz/Entry",
      swiftSettings: strict),
    tests(
      "API", uses: ["Indexing", "Items", "Segments", "Snapshots", "Storage"], and: ["Limelight"]),
    tests("Architecture", uses: []),
    tests("Concurrency", uses: ["Storage"], and: ["Limelight"]),
    tests("Corruption", uses: ["Codecs", "Storage", "Specimens"], and: ["Limelight"]),
    .testTarget(
      name: "FuzzTests", dependencies: ["LimelightFuzz"], path: "Tests/FuzzTests",
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "FormatTests",
      dependencies: [
        "Limelight", "LimelightFormatFixture", "LimelightSpecimens", "LimelightStorage",
      ], path: "Tests/FormatTests", exclude: ["Fixtures"], swiftSettings: strict),
    tests(
      "Crash", uses: ["Storage", "Snapshots", "Specimens"],
      and: ["Limelight", "LimelightCrashChild"]),
    tests(
      "Trial", uses: ["Specimens", "Storage", "Snapshots"],
      and: ["Limelight", "LimelightTrialChild"]),
    tests(
      "Fault",
      uses: [
        "Storage", "Codecs", "Analysis", "Items", "Segments", "Snapshots", "Indexing", "Specimens",
      ]),
    tests(
      "Oracle", uses: ["Indexing", "Search", "Segments", "Snapshots", "Storage"],
      and: ["Limelight"]),
    tests("Command", uses: [], and: ["LimelightCommand"]),
    tests("Storage", uses: ["Storage"]),
    tests("Codecs", uses: ["Codecs"], and: ["CWide"]),
    tests("Analysis", uses: ["Analysis"]),
    tests(
      "Indexing", uses: ["Indexing", "Segments", "Snapshots", "Items", "Analysis", "Storage"]),
    tests("Items", uses: ["Items"]),
    tests("Segments", uses: ["Segments", "Storage", "Codecs", "Items"]),
    tests("Snapshots", uses: ["Snapshots", "Storage", "Codecs", "Items", "Segments"]),
    tests(
      "Search",
      uses: ["Search", "Analysis", "Codecs", "Items", "Segments", "Snapshots", "Storage"]),
  ])
