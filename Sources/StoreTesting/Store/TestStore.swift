import Platform
import StoreCore

/// Runs a feature step by step and makes a test state what happens in it.
///
/// ```swift
/// let store = TestStore(initialState: Search.State()) {
///   Search()
/// } withDependencies: {
///   $0.api.find = { text in ["\(text)ville"] }
/// }
///
/// await store.send(.queryChanged("Jane")) {
///   $0.query = "Jane"
/// }
/// await store.receive(.response(["Janeville"])) {
///   $0.cities = ["Janeville"]
/// }
/// await store.finish()
/// ```
///
/// The closure gets the state before and has to make it equal to the state after. Effects run at
/// once and what they send is reduced at once, but ``state`` moves on only with the statements of
/// the test. Whatever a test leaves out fails it, at the line where it should have been said; see
/// ``exhaustivity`` for tests that want to say less.
public final class TestStore<State: Equatable & Sendable, Action: Sendable>: Sendable {
  typealias Timeline = TestTimeline<State, Action>

  let store: Store<State, Action>
  let recorder: TestRecorder<State, Action>
  private let values: Locked<DependencyValues>
  private let executor: SerialEffectExecutor?

  /// The state and the reducer are made where the dependencies of the store are in force.
  public init(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>,
    withDependencies change: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) {
    let place = SourcePlace(fileID, filePath, line)
    let dependencies = TestDependencies(change)
    let values = Locked(dependencies.values)
    let state = dependencies.values.makingState(initialState)
    let base = dependencies.values.run(reducer)
    let recorder = TestRecorder<State, Action>(state: state, place: place)
    dependencies.issues.withLock { $0 = { [weak recorder] in recorder?.report($0) } }
    self.values = values
    self.recorder = recorder
    executor = dependencies.values.effectExecutor as? SerialEffectExecutor
    store = dependencies.values.run {
      Store(initialState: state, hooks: recorder) {
        TestReducer(
          base: base, dependencies: values,
          keep: { [weak recorder] generators in
            recorder?.withTimeline { $0.generators = generators }
          }, hands: recorder.hands)
      }
    }
    values.withLock { values in
      let asked = values.dismiss
      values.dismiss = DismissEffect { [weak recorder] in
        if asked.isReplaced { await asked() }
        recorder?.withTimeline { $0.isDismissed = true }
      }
    }
    EndChecks.current?.add(recorder)
  }

  deinit { recorder.checkAtEnd() }

  /// The state as far as the test has asserted it.
  public var state: State { recorder.withTimeline { $0.asserted } }

  /// Whether the feature has dismissed itself. Nothing can be sent to it from then on.
  public var isDismissed: Bool { recorder.withTimeline { $0.isDismissed } }

  /// How much of what happens the test has to state.
  public var exhaustivity: Exhaustivity {
    get { recorder.withTimeline { $0.exhaustivity } }
    set { recorder.withTimeline { $0.exhaustivity = newValue } }
  }

  /// The dependencies of the reducer, and of the effects that it makes from now on.
  public var dependencies: DependencyValues {
    get { values.withLock { $0 } }
    set { take(newValue) }
    _modify {
      var changed = values.withLock { $0 }
      changed.isPreparing = true
      yield &changed
      changed.isPreparing = false
      take(changed)
    }
  }

  private func take(_ dependencies: DependencyValues) {
    TestDependencies.join(dependencies, executor)
    values.withLock { $0 = dependencies }
  }

  nonisolated(nonsending) func wait(
    for timeout: Duration, until holds: (TestTimeline<State, Action>) -> Bool
  ) async {
    await recorder.wait(
      for: timeout, executor: executor, endOfTurn: { _ = store.state }, until: holds)
  }

  /// Lets effects run as far as they can go by themselves; not for ever, when they never rest.
  nonisolated(nonsending) func settle() async {
    guard let executor, !executor.isSettled else { return }
    let patience = ContinuousClock.now + .seconds(1)
    while !executor.isSettled, ContinuousClock.now < patience, !Task.isCancelled,
      recorder.withTimeline({ $0.received.count < 1_000 })
    {
      let gate = Gate()
      gate.open(whenSettled: executor)
      await gate.wait(until: .now + .milliseconds(20))
    }
  }
}

/// A test store of what this reducer reduces.
public typealias TestStoreOf<Root: Reducer> = TestStore<Root.State, Root.Action>
where Root.State: Equatable
