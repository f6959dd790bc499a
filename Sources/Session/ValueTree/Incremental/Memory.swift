final class Memory {
  private struct Call {
    var step: EncodingPlace.Step
    var type: Any.Type
    var held: AnyObject
  }

  let isDry: Bool
  var isVoid = false
  var callCount = 0
  private var calls: [Call] = []
  private var next = 0

  init(isDry: Bool) { self.isDry = isDry }

  func add(_ step: EncodingPlace.Step, type: Any.Type, held: AnyObject?) {
    if let held { calls.append(Call(step: step, type: type, held: held)) }
  }

  /// The value recorded at a place, if of this type. Ask in the order of the calls.
  func held(_ step: EncodingPlace.Step, type: Any.Type) -> AnyObject? {
    for place in calls[min(next, calls.count)...].indices.prefix(64) {
      guard calls[place].step.isSame(as: step) else { continue }
      next = place + 1
      return calls[place].type == type ? calls[place].held : nil
    }
    return nil
  }

  func rewind() { next = 0 }
}

extension EncodingPlace.Step {
  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.key(let key), .key(let other)): key.stringValue.isExactly(other.stringValue)
    case (.index(let index), .index(let other)): index == other
    case (.single, .single), (.root, .root): true
    default: false
    }
  }
}

/// The value at a place last time: its tree, and its parts as far as known.
struct Past {
  let tree: Value
  var held: AnyObject?
  var memory: Memory?

  /// The last value at a key or index. Equal values may share their tree; the rest is given only if
  /// the calls led to that tree one by one.
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

  /// Whether each call made one child: a key given twice does not.
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

/// A copy of a value that protects its storage: shared storage cannot be changed.
final class Held<T> {
  let pointer: UnsafeMutablePointer<T>

  init(copying source: UnsafePointer<T>) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: source.pointee)
  }

  var value: T { pointer.pointee }

  /// Gives changed arrays the last value's storage. The app's own value is then unshared, and its
  /// next change happens in place instead of copying all elements.
  func unshare(from last: Held, _ facts: CodingFacts, _ session: EncodingSession) {
    for (offset, group) in facts.groups {
      group.unshare(
        UnsafeMutableRawPointer(pointer) + offset, UnsafeMutableRawPointer(last.pointer) + offset,
        session)
    }
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
