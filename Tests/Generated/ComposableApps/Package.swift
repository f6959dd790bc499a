// swift-tools-version: 6.1
import PackageDescription

// Three apps of the Composable Architecture. `.ci/test-composable` records them, and puts the tests that
// retcon writes beside them.

let environment = Context.environment
let folder = environment["RETCON_FOLDER"] ?? "../../.."

func product(_ name: String) -> Target.Dependency {
  .product(name: name, package: String(folder.split(separator: "/").last ?? "retcon"))
}

let apps = ["Notes", "Basket", "Kitchen"]
let adapter = [product("ComposableRecording"), product("SessionLog")]
let package = Package(
  name: "ComposableApps",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: folder)],
  targets: apps.map { .target(name: $0, dependencies: adapter) }
    + [
      .executableTarget(
        name: "AppDebugger",
        dependencies: apps.map { .byName(name: $0) } + adapter + [
          product("ReducerHost"), product("Replay"),
        ])
    ]
    + apps.map {
      .testTarget(
        name: $0 + "Tests", dependencies: [.byName(name: $0), product("ReplayTesting")] + adapter)
    },
  swiftLanguageModes: [.v6])
