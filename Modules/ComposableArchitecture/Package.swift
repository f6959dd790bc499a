// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "ComposableRecording",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11)],
  products: [.library(name: "ComposableRecording", targets: ["ComposableRecording"])],
  dependencies: [
    .package(name: "retcon", path: "../.."),
    .package(
      url: "https://github.com/pointfreeco/swift-composable-architecture", from: "1.25.0"),
  ],
  targets: [
    .target(
      name: "ComposableRecording",
      dependencies: [
        .product(name: "ComposableArchitecture", package: "swift-composable-architecture"),
        .product(name: "Replay", package: "retcon"),
        .product(name: "SessionLog", package: "retcon"),
        .product(name: "StoreCore", package: "retcon"),
        .product(name: "StoreRecording", package: "retcon"),
        .product(name: "ValueTree", package: "retcon"),
      ],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
  ],
  swiftLanguageModes: [.v6]
)
