// swift-tools-version: 6.2
// A package that uses Limelight as any other would: built and run by `make test-example`.
import PackageDescription

let package = Package(
  name: "Example",
  dependencies: [.package(name: "Limelight", path: "../..")],
  targets: [
    .executableTarget(
      name: "Example", dependencies: [.product(name: "Limelight", package: "Limelight")])
  ])
