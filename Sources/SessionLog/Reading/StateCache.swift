import ValueTree

/// The states that were looked at last.
struct StateCache: Sendable {
  /// Newest last.
  private var entries: [(step: Int, state: Value)] = []
  private let capacity: Int

  /// Room for states of this size in text, within a fixed amount of memory in all.
  init(stateSize: Int) {
    capacity = max(4, min(256, (32 << 20) / max(1, stateSize)))
  }

  mutating func state(after step: Int) -> Value? {
    guard let index = entries.lastIndex(where: { $0.step == step }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.state
  }

  /// The state of the last step in a range that is held.
  func last(in steps: ClosedRange<Int>) -> (step: Int, state: Value)? {
    entries.filter { steps.contains($0.step) }.max { $0.step < $1.step }
  }

  mutating func insert(_ state: Value, after step: Int) {
    entries.removeAll { $0.step == step }
    if entries.count >= capacity { entries.removeFirst() }
    entries.append((step, state))
  }

  mutating func remove(from step: Int) { entries.removeAll { $0.step >= step } }
}
