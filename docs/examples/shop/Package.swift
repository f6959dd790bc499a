// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "retcon", path: "../../..")],
  targets: [
    .target(
      name: "ShopFeature",
      dependencies: [
        .product(name: "SessionLog", package: "retcon"),
        .product(name: "StoreCore", package: "retcon"),
        .product(name: "StoreMacros", package: "retcon"),
      ]),
    .executableTarget(
      name: "ShopApp",
      dependencies: ["ShopFeature", .product(name: "StoreRecording", package: "retcon")]),
    .executableTarget(
      name: "ShopDebugger",
      dependencies: ["ShopFeature", .product(name: "RetconCommand", package: "retcon")]),
    .testTarget(
      name: "ShopFeatureTests",
      dependencies: ["ShopFeature", .product(name: "StoreTesting", package: "retcon")]),
  ]
)
