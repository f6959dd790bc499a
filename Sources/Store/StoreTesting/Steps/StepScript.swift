import StoreCore

/// Runs a script of steps, and fails at the line of each step that goes differently.
///
/// ```swift
/// await assert(
///   initialValue: Search.State(),
///   reducer: Search(),
///   withDependencies: { $0.api.find = { _ in ["Berlin"] } },
///   steps:
///     Step(.send, .queryChanged("Be")) { $0.query = "Be" },
///     Step(.receive, .response(["Berlin"])) { $0.cities = ["Berlin"] }
/// )
/// ```
///
/// A script is strict: before each new action and at the end, every effect must have ended. Test
/// features with long effects with a ``TestStore``.
public nonisolated(nonsending) func assert<
  State: Equatable & Sendable, Action: Equatable & Sendable
>(
  initialValue: State, reducer: some Reducer<State, Action>,
  withDependencies change: (inout DependencyValues) -> Void = { _ in },
  timeout: Duration = .seconds(1),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  steps: Step<State, Action>...
) async {
  let store = TestStore(
    initialState: initialValue, reducer: { reducer }, withDependencies: change, fileID: fileID,
    filePath: filePath, line: line)
  for step in steps {
    let place = step.place
    switch step.content {
    case .send(let action): await store.sendStep(step, action)
    case .receive(let action, from: nil):
      await store.receive(
        action, timeout: timeout, fileID: place.fileID, filePath: place.filePath,
        line: place.line, step.update)
    case .receive(let action, let source?):
      await store.receive(
        action, from: source, fileID: place.fileID, filePath: place.filePath, line: place.line,
        step.update)
    case .end(let source):
      await store.endEffect(
        source, fileID: place.fileID, filePath: place.filePath, line: place.line)
    }
  }
  await store.endScript()
}

extension TestStore {
  fileprivate nonisolated(nonsending) func sendStep(
    _ step: Step<State, Action>, _ action: Action
  ) async {
    let place = step.place
    await settle()
    let pending = recorder.withTimeline { $0.removePending() }
    if !pending.isEmpty {
      let text = TestStoreText.pending(pending.map(\.text))
      recorder.report("An action is sent while \(text)", at: place)
    }
    await send(
      action, fileID: place.fileID, filePath: place.filePath, line: place.line, step.update)
  }

  /// Leftovers fail at the step that caused them.
  fileprivate nonisolated(nonsending) func endScript() async {
    await settle()
    var pending = recorder.withTimeline { $0.removePending() }[...]
    while let first = pending.first {
      let together = pending.prefix { $0.place == first.place }
      pending = pending.dropFirst(together.count)
      let text = TestStoreText.pending(together.map(\.text))
      recorder.report("The script ends while \(text)", at: first.place)
    }
  }
}

extension TestTimeline {
  /// Removes the script's leftovers in words, so that they are reported once.
  fileprivate mutating func removePending() -> [(text: String, place: SourcePlace)] {
    let effects = running.map { effect in
      (text: "\(effect.title) runs", place: place(of: effect))
    }
    let actions = takeReceived().map { received in
      (text: "\(Dump.line(received.action, limit: 300)) was not received", place: received.place)
    }
    inFlight = [:]
    return (actions + effects).sorted { $0.place.line < $1.place.line }
  }
}

/// One line of a script for `assert(initialValue:…)`.
public struct Step<State, Action> {
  /// The kind of a step.
  public enum Kind: Sendable {
    case send
    /// An effect or the reducer sends an action.
    case receive
  }

  enum Content {
    case send(Action)
    case receive(Action, from: EffectSource?)
    case end(EffectSource)
  }

  let content: Content
  let place: SourcePlace
  let update: ((inout State) throws -> Void)?

  /// Creates a step. `update` changes the state before into the one after; omit it for no change.
  /// With effects ``TestEffects/byHand``, a received action names its effect.
  public init(
    _ kind: Kind, _ action: Action, from source: EffectSource? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ update: ((inout State) throws -> Void)? = nil
  ) {
    switch kind {
    case .send: content = .send(action)
    case .receive: content = .receive(action, from: source)
    }
    self.update = update
    place = SourcePlace(fileID, filePath, line)
  }

  /// Creates the end of an effect that is ``TestEffects/byHand``.
  public init(
    end source: EffectSource,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) {
    content = .end(source)
    update = nil
    place = SourcePlace(fileID, filePath, line)
  }
}
