// Behind the project's own manifest: what a test out of a session imports, and the tests.
package.targets.removeAll { $0.name == "RideApp" }
package.targets.append(
  .target(name: "RideApp", dependencies: ["StoreCore", "StoreRecording"], swiftSettings: settings))
var wanted = ["ReplayTesting", "Samples", "RideApp"]
var next = 0
while next < wanted.count {
  let target = package.targets.first { $0.name == wanted[next] }
  for case .targetItem(let name, _) in target?.dependencies ?? [] where !wanted.contains(name) {
    wanted.append(name)
  }
  for case .byNameItem(let name, _) in target?.dependencies ?? [] where !wanted.contains(name) {
    wanted.append(name)
  }
  next += 1
}
package.products = []
package.targets.removeAll { !wanted.contains($0.name) }
package.targets.append(
  .testTarget(
    name: "GeneratedTests",
    dependencies: wanted.map { .byName(name: $0) },
    swiftSettings: settings))
