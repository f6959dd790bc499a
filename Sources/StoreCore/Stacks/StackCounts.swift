/// How far the ids of all stacks in a store have been given.
struct StackCounts: Sendable {
  var next = 0
  var inserted = 0

  mutating func note(_ other: StackCounts) {
    next = max(next, other.next)
    inserted = max(inserted, other.inserted)
  }

  /// Notes the stacks in a state that no reducer has seen. Those in elements of collections have
  /// ids for themselves, because their element has one.
  mutating func note(allIn state: Any) {
    var patience = 1_000
    note(state, &patience)
  }

  private mutating func note(_ value: Any, _ patience: inout Int) {
    guard patience > 0 else { return }
    patience -= 1
    if let stack = value as? any CountingStack { note(stack.counts) }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .collection, .set, .dictionary, .class: return
    default: for child in mirror.children { note(child.value, &patience) }
    }
  }
}

private protocol CountingStack {
  var counts: StackCounts { get }
}

extension StackState: CountingStack {
  var counts: StackCounts { StackCounts(next: nextID.number, inserted: insertedCount) }
}
