import ComposableArchitecture
import SessionLog
import Synchronization

/// Knows what sends an action: an effect marks it just before it does, and the reducer around all others
/// takes the mark.
final class RecordingDesk: Sendable {
  let recorder: any EffectRecorder
  private let page = Mutex(Page())

  private struct Page: Sendable {
    var steps = 0
    var effects = 0
    /// The effect whose action is on its way up through the reducers.
    var sender: Int?
    /// Those of the actions that are sent next.
    var causes: [Cause] = []
    var dependencies: TapedDependencies?
  }

  init(_ recorder: any EffectRecorder) { self.recorder = recorder }

  /// The number and the cause of the next step.
  func begin() -> (step: Int, cause: Cause) {
    page.withLock { page in
      page.steps += 1
      return (page.steps, page.causes.isEmpty ? .user : page.causes.removeFirst())
    }
  }

  func newEffect() -> Int {
    page.withLock { page in
      page.effects += 1
      return page.effects
    }
  }

  func isSending(_ effect: Int) { page.withLock { $0.sender = effect } }

  /// An action leaves the reducers. One that no effect sent, such as that of a dismissed child, belongs to
  /// the effect that brought it about, or else to the reducer.
  func sends(elseOutputOf step: Int) {
    page.withLock { page in
      let effect = page.sender ?? SeenEffects.running
      page.sender = nil
      page.causes.append(effect.map { .effect($0) } ?? .output(of: step))
    }
  }

  /// The dependencies of the store, on tape since the first step.
  func taped(_ tape: Tape) -> TapedDependencies {
    if let known = page.withLock({ $0.dependencies }) { return known }
    let taped = TapedDependencies(tape)
    page.withLock { $0.dependencies = taped }
    return taped
  }
}
