import SessionWords
import ValueTree

/// An adapter's effects hold references to shared values, and may read them whenever they like.
extension Rerun {
  /// Doubts the effects that would find another value than where their course is from: the recording, or
  /// their start.
  mutating func doubtSharedReaders(at source: Int) throws {
    guard setup.takesCancellationsAsRecorded, !mode.believesSource else { return }
    let readers = matcher.inFlight.values.filter {
      $0.foreign?.foreignStep.sharesValues == true && $0.responder != .user
        && !$0.responder.isUnanswered && !classifier.isOpen($0.number)
    }
    guard !readers.isEmpty else { return }
    let own = try sharedValues
    let recorded = try replayCursor.source.state(after: source).map(SharedInState.values)
    for entry in readers.sorted(by: { $0.number < $1.number }) {
      let known = entry.responder == .tape ? try sharedAtStart(of: entry) : recorded
      if let known, SharedInState.areSame(known, own) { continue }
      classifier.assume(.open(entry, after: step, .readsShared))
    }
    classifier.endTurn(before: step + 1)
  }

  /// An effect from before the branch started as recorded.
  private mutating func sharedAtStart(of entry: EffectMatcher.Entry) throws -> [String: Value]? {
    if let known = entry.sharedAtStart { return known }
    return try replayCursor.descents[entry.origin.step].flatMap {
      try replayCursor.source.state(after: $0)
    }.map(SharedInState.values)
  }

  /// Those of the branch's state.
  var sharedValues: [String: Value] {
    get throws { SharedInState.values(in: try machine.state(nil)) }
  }
}

/// The shared values in a recorded state, by name: `{"value":3,"shared":"name"}`.
enum SharedInState {
  static func values(in state: Value) -> [String: Value] {
    var found: [String: Value] = [:]
    collect(state, &found)
    return found
  }

  private static func collect(_ state: Value, _ found: inout [String: Value]) {
    switch state {
    case .array(let elements): for element in elements { collect(element, &found) }
    case .object(let members):
      if case .string(let name)? = state["shared"], let value = state["value"] {
        found[name] = value
      }
      for member in members { collect(member.value, &found) }
    default: break
    }
  }

  /// A name that only one of them has is not shared with the effect.
  static func areSame(_ one: [String: Value], _ other: [String: Value]) -> Bool {
    one.allSatisfy { name, value in other[name].map { $0.isExactlyEqual(to: value) } ?? true }
  }
}
