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
    case effect(EffectID)
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

  /// Whether an action or the end of an effect comes before what this step sends.
  var hasWaitingEffects: Bool {
    page.withLock { $0.waiting.contains { if case .action(.output) = $0 { false } else { true } } }
  }

  var hasBegun: Bool { page.withLock { $0.steps > 0 } }

  func begin() -> (step: Int, cause: Cause) {
    page.withLock { page in
      page.steps += 1
      guard case .action(let cause)? = page.waiting.first else { return (page.steps, .user) }
      page.waiting.removeFirst()
      return (page.steps, cause)
    }
  }

  /// Runs `end` after the store has reduced all sent actions: a publisher can finish before that.
  func atEnd(_ end: @escaping @Sendable () -> Void) {
    page.withLock { $0.waiting.append(.end(end)) }
    runEnds()
  }

  /// Tells the ends that nothing is before.
  func runEnds() {
    while let end = page.withLock({ page -> (@Sendable () -> Void)? in
      guard case .end(let end)? = page.waiting.first else { return nil }
      page.waiting.removeFirst()
      return end
    }) {
      end()
    }
  }

  func newEffect() -> EffectID {
    page.withLock { page in
      page.effects += 1
      return EffectID(page.effects)
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
  func recordSurroundings(_ tape: Tape) {
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
