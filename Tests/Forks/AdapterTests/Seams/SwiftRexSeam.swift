import SessionLog

extension Reducer where ActionType: Sendable, StateType: Sendable {
  /// The reducer that the store is given.
  func recorded(by recorder: SessionRecorder<StateType, ActionType>) -> Self {
    .reduce { action, state in
      recorder.start(with: state)
      recorder.step(action) {
        reduce(action, &state)
        return state
      }
    }
  }
}
