import SessionLog

/// The current sender. Outside of an effect it is the user.
enum Sender {
  @TaskLocal static var now = Cause.user
}

/// Records a store whose actions are one enum. Like the store, it belongs to the main thread.
final class StoreRecording<State: Sendable, AppAction: Action & Sendable>: @unchecked Sendable {
  private let recorder: SessionRecorder<State, AppAction>
  private var steps = 0
  private var effects = 0

  init(_ recorder: SessionRecorder<State, AppAction>) { self.recorder = recorder }

  /// The last middleware of the store: what comes behind it is the reducer.
  var middleware: Middleware<State> {
    { _, getState in
      { next in
        { [self] action in
          guard let before = getState(), let known = action as? AppAction else {
            return next(action)
          }
          recorder.start(with: before)
          steps += 1
          recorder.step(number: steps, known, cause: Sender.now) {
            next(action)
            return getState() ?? before
          }
        }
      }
    }
  }

  /// Runs the work that the last action started, such as a request, as the cause of its actions.
  @MainActor func effect(_ name: String, _ work: @MainActor @Sendable () async -> Void) async {
    effects += 1
    let id = EffectID(effects)
    let origin = EffectOrigin(step: steps, name: name, file: "effects", line: 0)
    recorder.effectChanged(id, .started(origin))
    await recorder.effect(id) { await Sender.$now.withValue(.effect(id)) { await work() } }
    recorder.effectChanged(id, .finished)
  }
}
