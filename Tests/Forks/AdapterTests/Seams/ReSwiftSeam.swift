import SessionLog

/// An action of any type, called as its type.
struct RecordedAction: Encodable, LabelledAction, @unchecked Sendable {
  let action: any Action

  var actionLabel: String { "\(type(of: action))" }

  func encode(to encoder: any Encoder) throws {
    try (action as? any Encodable)?.encode(to: encoder)
  }
}

/// The last middleware of a store: what comes behind it is the reducer.
func recording<State: Sendable>(
  by recorder: SessionRecorder<State, RecordedAction>
) -> Middleware<State> {
  { _, getState in
    { next in
      { action in
        guard let before = getState() else { return next(action) }
        recorder.start(with: before)
        recorder.step(RecordedAction(action: action)) {
          next(action)
          return getState() ?? before
        }
      }
    }
  }
}
