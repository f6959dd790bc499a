import Platform
import StoreCore

/// The dependencies of a store under test.
struct TestDependencies {
  var values: DependencyValues
  /// Takes issues; set when there is somebody to tell.
  let issues: Locked<@Sendable (StoreIssue) -> Void>

  init(_ change: (inout DependencyValues) -> Void) {
    let issues = Locked<@Sendable (StoreIssue) -> Void>({ _ in })
    var values = DependencyValues.current.forNewStore()
    values.context = .test
    values.issueReporter = IssueReporter { issue in issues.withLock { $0 }(issue) }
    values.isPresented = true
    values.prepare(change)
    // Stated, so that the store takes the same ones instead of making its own.
    values.effectExecutor = values.effectExecutor
    values.continuousClock = values.continuousClock
    values.uuid = values.uuid
    values.withRandomNumberGenerator = values.withRandomNumberGenerator
    values.sharedStorage = values.sharedStorage
    self.values = values
    self.issues = issues
  }

  /// Makes a test clock wait for the effects of this executor.
  static func join(_ values: DependencyValues, _ executor: SerialEffectExecutor?) {
    guard let executor, let clock = values.continuousClock as? TestClock else { return }
    clock.observe(executor)
  }
}
