extension Patch {
  /// The changes that lead from one value to another. Parts with the same storage are not looked at.
  public init(from old: Value, to new: Value) {
    self.init()
    var path: [String] = []
    addChanges(from: old, to: new, path: &path)
  }

  private mutating func addChanges(from old: Value, to new: Value, path: inout [String]) {
    switch (old, new) {
    case (.array(let left), .array(let right)) where path.count < 200:
      guard !left.isIdentical(to: right) else { return }
      addChanges(from: left, to: right, path: &path)
    case (.object(let left), .object(let right)) where path.count < 200:
      guard !left.isIdentical(to: right) else { return }
      addChanges(from: left, to: right, path: &path)
    default:
      guard !old.isExactlyEqual(to: new) else { return }
      operations.append(.replace(Pointer(tokens: path), new))
    }
  }

  private mutating func addChanges(
    from old: ValueArray, to new: ValueArray, path: inout [String]
  ) {
    let shorter = Swift.min(old.count, new.count)
    var start = 0
    while start < shorter, old[start].isExactlyEqual(to: new[start]) { start += 1 }
    var end = 0
    while end < shorter - start,
      old[old.count - 1 - end].isExactlyEqual(to: new[new.count - 1 - end])
    { end += 1 }
    for index in start..<(shorter - end) {
      path.append(String(index))
      addChanges(from: old[index], to: new[index], path: &path)
      path.removeLast()
    }
    for index in ((shorter - end)..<(old.count - end)).reversed() {
      operations.append(.remove(Pointer(tokens: path + [String(index)])))
    }
    for index in (shorter - end)..<Swift.max(shorter - end, new.count - end)
    where new.count > old.count {
      operations.append(.add(Pointer(tokens: path + [String(index)]), new[index]))
    }
  }

  private mutating func addChanges(
    from old: ValueObject, to new: ValueObject, path: inout [String]
  ) {
    for (key, value) in old {
      path.append(key)
      if let other = new[key] {
        addChanges(from: value, to: other, path: &path)
      } else {
        operations.append(.remove(Pointer(tokens: path)))
      }
      path.removeLast()
    }
    for (key, value) in new where old[key] == nil {
      operations.append(.add(Pointer(tokens: path + [key]), value))
    }
  }
}
