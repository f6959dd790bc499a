import SessionLog
import ValueTree

/// Follows the state of a branch and of its source side by side, and says where they are equal.
///
/// While they are, the source's next state is made from the branch's own, so that comparing looks
/// only at what changed.
struct StateTracker: Sendable {
  /// The branch's state now.
  private(set) var branch: Value
  private var source: Value?
  private var sourceStep: Int

  init(branch: Value, source: Value?, step: Int) {
    self.branch = branch
    self.source = source
    sourceStep = step
    if let source, source.isExactlyEqual(to: branch) { self.source = branch }
  }

  /// Whether the branch's state is the source's after this step. Nil when that is not known.
  mutating func isEqual(toStateAfter step: Int, of cursor: SourceCursor) throws -> Bool? {
    guard let source = try state(after: step, of: cursor) else { return nil }
    guard source.isExactlyEqual(to: branch) else { return false }
    // Equal values share one storage from here on.
    self.source = branch
    return true
  }

  /// The source's state after a step.
  mutating func state(after step: Int, of cursor: SourceCursor) throws -> Value? {
    if step == sourceStep { return source }
    var state: Value?
    if step == sourceStep + 1, let source, let patch = try cursor.source.patch(at: step) {
      state = try? Patch(patch).applied(to: source)
    }
    source = try state ?? cursor.source.state(after: step)
    sourceStep = step
    return source
  }

  mutating func advance(to state: Value) { branch = state }
}
