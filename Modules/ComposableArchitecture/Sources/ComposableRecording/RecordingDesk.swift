import ComposableArchitecture
import SessionLog
import Synchronization

/// Knows who sends an action: the effect leaves a mark just before, and the outermost reducer takes
/// it.
final class RecordingDesk: Sendable {
  let recorder: any EffectRecorder
  private let page = Mutex(Page())

  enum Sender: Sendable {
    case effect(Int)
    /// A `.send` that a reducer returned.
    case reducer
  }

  private enum Waiting: Sendable {
    case action(Cause)
    case end(@Sendable () -> Void)
  }

  private struct Page: Sendable {
    var steps = 0
    var effects = 0
    /// The sender of the action that is passing up through the reducers.
    var sender: Sender?
    /// The actions not yet reduced, by cause, with the effects that end after them.
    var waiting: [Waiting] = []
    var dependencies: TapedDependencies?
  }

  init(_ recorder: any EffectRecorder) { self.recorder = recorder }

  func begin() -> (step: Int, cause: Cause) {
    tellEnds()
    return page.withLock { page in
      page.steps += 1
      guard case .action(let cause)? = page.waiting.first else { return (page.steps, .user) }
      page.waiting.removeFirst()
      return (page.steps, cause)
    }
  }

  /// Runs `end` after the store has reduced all sent actions: a publisher can finish before that.
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

  /// Notes the sender as an action leaves the reducers. An unmarked one belongs to a dismissed
  /// child: the dismissing effect sent it, or else the reducer.
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

  /// The store's dependencies, on tape since the first step.
  func taped(_ tape: Tape) -> TapedDependencies {
    if let known = page.withLock({ $0.dependencies }) { return known }
    let taped = TapedDependencies(tape)
    page.withLock { $0.dependencies = taped }
    return taped
  }
}
