// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Cart",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "retcon", path: "../../..")],
  targets: [
    .target(
      name: "CartFeature",
      dependencies: [
        .product(name: "SessionLog", package: "retcon"),
        .product(name: "StoreCore", package: "retcon"),
      ]),
    .executableTarget(
      name: "CartApp",
      dependencies: ["CartFeature", .product(name: "StoreRecording", package: "retcon")]),
    .executableTarget(
      name: "CartDebugger",
      dependencies: ["CartFeature", .product(name: "RetconCommand", package: "retcon")]),
  ]
)
