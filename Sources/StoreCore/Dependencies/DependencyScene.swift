/// Dependency values as one reference, so that putting them in force copies nothing.
package final class DependencyScene: Sendable {
  package let values: DependencyValues

  package init(_ values: DependencyValues) { self.values = values }

  /// Runs `work` where these values are in force.
  package func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    try DependencyValues.$scene.withValue(self, operation: work)
  }
}
