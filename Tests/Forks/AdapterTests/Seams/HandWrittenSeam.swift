import SessionLog

/// A store of one's own, with effects that answer with one action.
@MainActor final class OwnStore<State: Sendable, Action: Sendable> {
  typealias Effect = @MainActor () async -> Action

  private(set) var state: State
  private let reduce: (inout State, Action) -> Effect?
  private let recorder: SessionRecorder<State, Action>
  private var steps = 0
  private var effects = 0

  init(
    _ state: State, recorder: SessionRecorder<State, Action>,
    reduce: @escaping (inout State, Action) -> Effect?
  ) {
    (self.state, self.recorder, self.reduce) = (state, recorder, reduce)
    recorder.start(with: state)
  }

  func send(_ action: Action, cause: Cause = .user) async {
    steps += 1
    let origin = EffectOrigin(step: steps, file: #fileID, line: #line)
    var effect: Effect?
    recorder.step(action, cause: cause) {
      effect = reduce(&state, action)
      return state
    }
    guard let effect else { return }
    effects += 1
    let id = EffectID(effects)
    recorder.effectChanged(id, .started(origin))
    let answer = await recorder.effect(id) { await effect() }
    await send(answer, cause: .effect(id))
    recorder.effectChanged(id, .finished)
  }
}
