import ComposableArchitecture
import SessionLog
import Synchronization

/// Knows who sends an action: the effect leaves a mark just before, and the outermost reducer takes
/// it.
final class AdapterRecorder: Sendable {
  let recorder: any EffectRecorder
  let links = SharedLinks(isRecording: true)
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
    var surroundings: Surroundings?
  }

  init(_ recorder: any EffectRecorder) { self.recorder = recorder }

  var hasBegun: Bool { page.withLock { $0.steps > 0 } }

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

  /// The ends that nothing is before. What this step sends at once comes before them: it is of this step,
  /// not chained to the effect.
  func takeEnds() -> [@Sendable () -> Void] {
    page.withLock { page in
      let ends = page.waiting.prefix { if case .end = $0 { true } else { false } }
      page.waiting.removeFirst(ends.count)
      return ends.compactMap { if case .end(let end) = $0 { end } else { nil } }
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
      let sender = page.sender ?? ObservedEffects.running.map { .effect($0) } ?? .reducer
      page.sender = nil
      switch sender {
      case .effect(let number): page.waiting.append(.action(.effect(number)))
      case .reducer: page.waiting.append(.action(.output(of: step)))
      }
    }
  }

  /// Records them in the first step, and in each step where they differ from the first.
  func tellSurroundings(_ tape: Tape) {
    let now = Surroundings()
    let isAsFirst = page.withLock { page in
      let first = page.surroundings
      if first == nil { page.surroundings = now }
      return first == now
    }
    if !isAsFirst { _ = tape.value(Surroundings.key) { now } }
  }

  /// The store's dependencies, on tape since the first step.
  func taped(_ tape: Tape) -> TapedDependencies {
    if let known = page.withLock({ $0.dependencies }) { return known }
    let taped = TapedDependencies(tape)
    page.withLock { $0.dependencies = taped }
    return taped
  }
}
