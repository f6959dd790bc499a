import ValueTree

/// Follows the states of a branch and of its source, and compares them.
///
/// While they are equal and change alike, the source's next state is the branch's own; otherwise it
/// is computed. So a comparison examines only changes.
struct StateTracker: Sendable {
  private(set) var branch: Value
  private var source: Value?
  private var sourceStep: Int
  private var areEqual: Bool?
  private var wereEqual = false
  /// The last known difference, which is the likely next one.
  private var difference: Pointer?
  /// A reducer in another process has numbers of JSON: `1` is `1.0`.
  private let equatesNumbers: Bool

  init(branch: Value, source: Value?, step: Int, equatesNumbers: Bool = false) {
    self.equatesNumbers = equatesNumbers
    self.branch = branch
    self.source = source
    sourceStep = step
    if let source { _ = compare(with: source) }
  }

  /// Whether the branch's state is the source's after this step; nil if unknown.
  mutating func isEqual(
    toStateAfter step: Int, of cursor: inout SourceCursor
  ) throws -> Bool? {
    guard let source = try state(after: step, of: &cursor) else { return nil }
    return areEqual ?? compare(with: source)
  }

  /// The same for the branch's last step, with its change.
  ///
  /// The same operations on equal states give equal states, so an identical recorded change need
  /// not be applied.
  mutating func isEqual(
    toStateAfter step: Int, of cursor: inout SourceCursor, change: Value
  ) throws -> Bool? {
    if wereEqual, step == sourceStep + 1, let recorded = try cursor.told(at: step).change,
      recorded.from == sourceStep, recorded.patch.isExactlyEqual(to: change)
    {
      source = branch
      sourceStep = step
      areEqual = true
      return true
    }
    return try isEqual(toStateAfter: step, of: &cursor)
  }

  mutating func state(after step: Int, of cursor: inout SourceCursor) throws -> Value? {
    if step == sourceStep { return source }
    let told = try cursor.told(at: step)
    guard told.isState else { return nil }
    var state: Value?
    var isLost = false
    if let change = told.change, change.from == sourceStep {
      if let source { state = try? Patch(change.patch).applied(to: source) }
      // A state based on a lost one is lost, too, up to the next whole state.
      isLost = source == nil && !cursor.source.isKeyframe(step)
    } else {
      state = try stateFollowed(to: step, of: &cursor)
    }
    source = try isLost ? nil : state ?? cursor.source.state(after: step)
    sourceStep = step
    areEqual = nil
    wereEqual = false
    return source
  }

  private func stateFollowed(to step: Int, of cursor: inout SourceCursor) throws -> Value? {
    guard let source, step > sourceStep, cursor.leadsThrough(sourceStep + 1...step) else {
      return nil
    }
    let editor = ValueEditor(source)
    var last = sourceStep
    for number in sourceStep + 1...step {
      let told = try cursor.told(at: number)
      guard told.isState else { continue }
      guard let change = told.change, change.from == last,
        (try? editor.apply(Patch(change.patch))) != nil
      else { return nil }
      last = number
    }
    return editor.value
  }

  mutating func advance(to state: Value) {
    wereEqual = areEqual ?? false
    areEqual = nil
    branch = state
  }

  private mutating func compare(with source: Value) -> Bool {
    let areEqual = !doDiffer(source, at: difference) && areSame(source, branch)
    self.areEqual = areEqual
    if areEqual {
      self.source = branch
    } else if !doDiffer(source, at: difference) {
      difference =
        differences(from: source, to: branch, limit: 16)
        .first { $0.left != nil && $0.right != nil }?.path
    }
    return areEqual
  }

  private func doDiffer(_ source: Value, at place: Pointer?) -> Bool {
    guard let place, let one = source[place], let other = branch[place] else { return false }
    return !areSame(one, other)
  }

  func areSame(_ one: Value, _ other: Value) -> Bool {
    equatesNumbers ? one == other : one.isExactlyEqual(to: other)
  }
}
