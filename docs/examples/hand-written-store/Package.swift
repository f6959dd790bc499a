// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "retcon", path: "../../..")],
  targets: [
    .executableTarget(
      name: "NotesApp", dependencies: [.product(name: "SessionLog", package: "retcon")])
  ]
)
