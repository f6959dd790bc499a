/// What stood at a place last time: the tree that it became, and what it was made of as far as known.
struct Past {
  let tree: Value
  /// The `Held` value, where the same bits prove that it encodes the same.
  var held: AnyObject?
  /// What its `encode(to:)` gave to its containers.
  var memory: Memory?

  /// What stood at a key or index inside. The tree may be shared with whatever equals it exactly; the
  /// rest is given only where the calls back then led to that tree one by one.
  func child(_ step: EncodingPlace.Step, type: Any.Type) -> Past? {
    guard let tree = childTree(step) else { return nil }
    guard let memory, isTold(by: memory, step), let held = memory.held(step, type: type) else {
      return Past(tree: tree)
    }
    if let memory = held as? Memory { return Past(tree: tree, memory: memory) }
    return Past(tree: tree, held: held)
  }

  private func childTree(_ step: EncodingPlace.Step) -> Value? {
    switch step {
    case .key(let key): tree[key.stringValue]
    case .index(let index): tree[index]
    case .single, .root: tree
    }
  }

  /// Whether each call made one child: a key that was given twice would not.
  private func isTold(by memory: Memory, _ step: EncodingPlace.Step) -> Bool {
    guard !memory.isVoid else { return false }
    switch (step, tree) {
    case (.key, .object(let object)): return object.count == memory.callCount
    case (.index, .array(let array)): return array.count == memory.callCount
    case (.single, _): return memory.callCount == 1
    default: return false
    }
  }
}
