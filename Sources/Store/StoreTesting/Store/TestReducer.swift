import Platform
import StoreCore

/// A reducer whose dependencies the test may change between actions.
struct TestReducer<Base: Reducer>: Reducer {
  typealias Body = NoBody

  let base: Base
  let dependencies: Locked<DependencyValues>
  let keep: @Sendable (TestGenerators) -> Void
  let controller: EffectController<Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let values = dependencies.withLock { $0 }
    keep(TestGenerators(values))
    let effect = values.inThisStore.run { base.reduce(into: &state, action: action) }
    return values.effects == .byHand ? controller.taking(effect) : effect
  }
}

/// The generators before a step, so that expectations draw the same ids and numbers.
struct TestGenerators: Sendable {
  private let uuid: UUIDGenerator
  private let random: WithRandomNumberGenerator

  init(_ values: DependencyValues) {
    var values = values
    values.isPreparing = true
    uuid = values.uuid.copied
    random = values.withRandomNumberGenerator.copied
  }

  func put(into values: inout DependencyValues) {
    values.uuid = uuid.copied
    values.withRandomNumberGenerator = random.copied
  }
}

struct TestDependencies {
  var values: DependencyValues
  /// The handler of issues, set once there is a receiver.
  let issues: Locked<@Sendable (StoreIssue) -> Void>

  init(_ change: (inout DependencyValues) -> Void) {
    let issues = Locked<@Sendable (StoreIssue) -> Void>({ _ in })
    var values = DependencyValues.current.forNewStore()
    values.context = .test
    values.issueReporter = IssueReporter { issue in issues.withLock { $0 }(issue) }
    values.isPresented = true
    values.prepare(change)
    // Set explicitly, so that the store takes the same one.
    values.effectExecutor = values.effectExecutor
    values.continuousClock = values.continuousClock
    values.uuid = values.uuid
    values.withRandomNumberGenerator = values.withRandomNumberGenerator
    values.sharedStorage = values.sharedStorage
    self.values = values
    self.issues = issues
  }

  static func join(_ values: DependencyValues, _ executor: SerialEffectExecutor?) {
    guard let executor, let clock = values.continuousClock as? TestClock else { return }
    clock.observe(executor)
  }
}

final class Gate: Sendable {
  private struct Standing {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let standing = Locked(Standing())

  func open() {
    let waiters = standing.withLock { standing in
      standing.isOpen = true
      return exchange(&standing.waiters, with: [])
    }
    for waiter in waiters { waiter.resume() }
  }

  func open(whenSettled executor: SerialEffectExecutor) {
    Task.detached { [self] in
      await executor.settle()
      open()
    }
  }

  nonisolated(nonsending) func wait(until deadline: ContinuousClock.Instant) async {
    let timer = Task.detached { [self] in
      try? await ContinuousClock().sleep(until: deadline)
      open()
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOpen = standing.withLock { standing in
          if !standing.isOpen { standing.waiters.append(continuation) }
          return standing.isOpen
        }
        if isOpen { continuation.resume() }
      }
    } onCancel: {
      open()
    }
    timer.cancel()
  }
}
