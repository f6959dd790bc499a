import Platform
import StoreCore

/// Runs a feature step by step, and makes the test state what happens.
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
/// The closure changes the state before into the one after. Effects and their actions run at once,
/// but ``state`` moves only with the test's statements. Anything that the test omits fails it, at
/// the line where it belongs; see ``exhaustivity`` for laxer tests.
public final class TestStore<State: Equatable & Sendable, Action: Sendable>: Sendable {
  typealias Timeline = TestTimeline<State, Action>

  let store: Store<State, Action>
  let recorder: TestRecorder<State, Action>
  private let values: Locked<DependencyValues>
  private let executor: SerialEffectExecutor?

  /// Creates the state and the reducer with the store's dependencies.
  @_disfavoredOverload
  public convenience init(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>,
    withDependencies change: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) {
    self.init(initialState, reducer, change, SourcePlace(fileID, filePath, line))
  }

  /// Creates the state and the reducer with the store's dependencies. From a closure that is one
  /// reducer, the compiler knows the state: `TestStore(initialState: .init()) { Search() }`.
  public convenience init(
    initialState: @autoclosure () -> State,
    reducer: () -> some Reducer<State, Action>,
    withDependencies change: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(initialState, reducer, change, place)
  }

  private init(
    _ initialState: () -> State, _ reducer: () -> some Reducer<State, Action>,
    _ change: (inout DependencyValues) -> Void, _ place: SourcePlace
  ) {
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
          }, controller: recorder.controller)
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

  /// The state as far as asserted.
  public var state: State { recorder.withTimeline { $0.asserted } }

  /// Whether the feature dismissed itself, and accepts no more actions.
  public var isDismissed: Bool { recorder.withTimeline { $0.isDismissed } }

  /// The strictness of the test.
  public var exhaustivity: Exhaustivity {
    get { recorder.withTimeline { $0.exhaustivity } }
    set { recorder.withTimeline { $0.exhaustivity = newValue } }
  }

  /// The dependencies of the reducer, and of new effects.
  public var dependencies: DependencyValues {
    get { values.withLock { $0 } }
    set { useDependencies(newValue) }
    _modify {
      var changed = values.withLock { $0 }
      changed.isPreparing = true
      yield &changed
      changed.isPreparing = false
      useDependencies(changed)
    }
  }

  private func useDependencies(_ dependencies: DependencyValues) {
    TestDependencies.join(dependencies, executor)
    values.withLock { $0 = dependencies }
  }

  nonisolated(nonsending) func wait(
    for timeout: Duration, until holds: (TestTimeline<State, Action>) -> Bool
  ) async {
    await recorder.wait(
      for: timeout, executor: executor, endOfTurn: { _ = store.state }, until: holds)
  }

  /// Lets effects run until they rest, with a limit for those that never do.
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

/// A test store of this reducer.
public typealias TestStoreOf<Root: Reducer> = TestStore<Root.State, Root.Action>
where Root.State: Equatable

extension TestStore {
  /// Sends an action as a user.
  ///
  /// `assert` changes the state before into the one after; omit it for no change. The returned task
  /// lasts as long as the effects.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ action: Action,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: ((inout State) throws -> Void)? = nil
  ) async -> TestStoreTask {
    let place = SourcePlace(fileID, filePath, line)
    await settle()
    guard !isDismissed else {
      recorder.report(TestStoreText.dismissed, at: place)
      return makeTask(nil)
    }
    reportWaiting(at: place)
    var expectation = recorder.withTimeline { timeline in
      timeline.statement = place
      timeline.isSending = true
      return StateExpectation(
        before: timeline.asserted, after: timeline.asserted, exhaustivity: timeline.exhaustivity)
    }
    let task = store.send(action, fileID: fileID, filePath: filePath, line: line)
    let sent = recorder.withTimeline { timeline in
      defer { timeline.sent = nil }
      return timeline.sent ?? Timeline.Sent(state: timeline.latest)
    }
    expectation.after = sent.state
    check(&expectation, assert, place, with: sent.generators)
    recorder.withTimeline { $0.asserted = sent.state }
    await settle()
    return makeTask(task)
  }

  /// Expects a state without sending anything.
  public func assert(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ assert: (inout State) throws -> Void
  ) {
    let place = SourcePlace(fileID, filePath, line)
    let (state, exhaustivity) = recorder.withTimeline { timeline in
      timeline.statement = place
      return (timeline.asserted, timeline.exhaustivity == .on ? .off : timeline.exhaustivity)
    }
    var expectation = StateExpectation(before: state, after: state, exhaustivity: exhaustivity)
    withoutActuallyEscaping(assert) { check(&expectation, $0, place, with: nil) }
  }

  private func makeTask(_ task: StoreTask?) -> TestStoreTask {
    TestStoreTask(task: task) { [weak self] timeout, root, place in
      await self?.finish(root: root, within: timeout, at: place)
    } settle: { [weak self] in
      await self?.settle()
    }
  }

  private nonisolated(nonsending) func finish(
    root: Int, within timeout: Duration, at place: SourcePlace
  ) async {
    await wait(for: timeout) { !$0.isRunning(root: root) }
    let running = recorder.withTimeline { $0.running }.filter { $0.rootStep == root }
    guard !running.isEmpty else { return }
    let texts = running.map { effect in
      "• \(effect.title)" + (store.waitText(effect: effect.number).map { ". \($0)" } ?? "")
    }
    recorder.report(
      "After \(timeout) this has not ended:\n\n" + texts.joined(separator: "\n"), at: place)
  }

  private func reportWaiting(at place: SourcePlace) {
    let (received, kind) = recorder.withTimeline { timeline in
      (timeline.skipReceived().map(\.action), timeline.exhaustivity.kindOfSkipped)
    }
    guard !received.isEmpty, let kind else { return }
    recorder.report(
      kind == .failure ? TestStoreText.waiting(received) : TestStoreText.skipped(received),
      kind: kind, at: place)
  }

  /// Runs the closure with the store's dependencies; ids and random numbers continue as for the
  /// reducer.
  func check(
    _ expectation: inout StateExpectation<State>, _ assert: ((inout State) throws -> Void)?,
    _ place: SourcePlace, with generators: TestGenerators?
  ) {
    var values = dependencies
    values.prepare { generators?.put(into: &$0) }
    values.isAsserting = true
    guard let finding = values.run({ expectation.finding(assert) }) else { return }
    recorder.report(finding.message, kind: finding.kind, at: place)
  }
}

/// The effects of a `send`, and of the actions that these send.
public struct TestStoreTask: Sendable {
  let task: StoreTask?
  let wait: @Sendable (_ timeout: Duration, _ root: Int, _ place: SourcePlace) async -> Void
  let settle: @Sendable () async -> Void

  /// Waits for all effects to end. If the time runs out, fails and names the clock they sleep on.
  public nonisolated(nonsending) func finish(
    timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    guard let root = task?.root else { return }
    await wait(timeout, root, SourcePlace(fileID, filePath, line))
  }

  /// Cancels all effects, and returns when they have reacted.
  public nonisolated(nonsending) func cancel() async {
    task?.cancel()
    await settle()
  }
}

/// The strictness of a test.
public enum Exhaustivity: Sendable, Equatable {
  /// Every change of the state, every action of effects, every effect's end.
  case on
  /// Only what the test states. Optionally shows omissions as known issues.
  case off(showSkippedAssertions: Bool)

  /// Only what the test states.
  public static let off = Exhaustivity.off(showSkippedAssertions: false)

  var kindOfSkipped: Failure.Kind? {
    switch self {
    case .on: .failure
    case .off(showSkippedAssertions: true): .skipped
    case .off(showSkippedAssertions: false): nil
    }
  }
}
