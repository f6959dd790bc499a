import ComposableArchitecture
import SessionLog
import Synchronization

/// Knows what sends an action: an effect marks it just before it does, and the reducer around all others
/// takes the mark.
final class RecordingDesk: Sendable {
  let recorder: any EffectRecorder
  private let page = Mutex(Page())

  enum Sender: Sendable {
    case effect(Int)
    /// A `.send` that a reducer returned, whatever runs around it.
    case reducer
  }

  private enum Waiting: Sendable {
    case action(Cause)
    case end(@Sendable () -> Void)
  }

  private struct Page: Sendable {
    var steps = 0
    var effects = 0
    /// The sender of the action that is on its way up through the reducers.
    var sender: Sender?
    /// The actions that the store has still to reduce, by their cause, and the effects that end behind them.
    var waiting: [Waiting] = []
    var dependencies: TapedDependencies?
  }

  init(_ recorder: any EffectRecorder) { self.recorder = recorder }

  /// The number and the cause of the next step.
  func begin() -> (step: Int, cause: Cause) {
    tellEnds()
    return page.withLock { page in
      page.steps += 1
      guard case .action(let cause)? = page.waiting.first else { return (page.steps, .user) }
      page.waiting.removeFirst()
      return (page.steps, cause)
    }
  }

  /// A publisher can send and be over before the store reduces what it sent: its end waits for that.
  func atEnd(_ end: @escaping @Sendable () -> Void) {
    page.withLock { $0.waiting.append(.end(end)) }
    tellEnds()
  }

  func tellEnds() {
    while let end = page.withLock({ page -> (@Sendable () -> Void)? in
      guard case .end(let end)? = page.waiting.first else { return nil }
      page.waiting.removeFirst()
      return end
    }) {
      end()
    }
  }

  func newEffect() -> Int {
    page.withLock { page in
      page.effects += 1
      return page.effects
    }
  }

  func isSending(_ sender: Sender) { page.withLock { $0.sender = sender } }

  /// An action leaves the reducers. One that nobody marked is that of a dismissed child: the effect that
  /// dismissed it sent it, or else the reducer.
  func sends(elseOutputOf step: Int) {
    page.withLock { page in
      let sender = page.sender ?? SeenEffects.running.map { .effect($0) } ?? .reducer
      page.sender = nil
      switch sender {
      case .effect(let number): page.waiting.append(.action(.effect(number)))
      case .reducer: page.waiting.append(.action(.output(of: step)))
      }
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
