extension Patch {
  /// The changes that lead from one value to another, few and small.
  ///
  /// Parts with the same storage are not looked at. A number that is written otherwise (`1` and `1.0`,
  /// `0.0` and `-0.0`) is a change; members in another order are none. Where
  /// writing an object or array whole is shorter than writing what changed in it, it is replaced whole;
  /// but the members of an object at the top stay named.
  public init(from old: Value, to new: Value, matching: ElementMatching = .standard) {
    self.init(Comparison(matching: matching).changes(from: old, to: new))
  }

  init(_ tree: ChangeTree?) {
    var writer = PatchWriter()
    if let tree { writer.write(tree) }
    self.init(writer.operations)
  }
}

/// Writes a tree of changes as operations, to be applied in order.
private struct PatchWriter {
  var operations: [PatchOperation] = []
  var path: [String] = []

  mutating func write(_ tree: ChangeTree) {
    if let whole = tree.shorterWhole, !(path.isEmpty && whole.isObject) {
      return operations.append(.replace(Pointer(tokens: path), whole))
    }
    switch tree {
    case .replaced(_, let new): operations.append(.replace(Pointer(tokens: path), new))
    case .object(let changes): write(changes)
    case .array(let changes): write(changes)
    }
  }

  private mutating func write(_ changes: ObjectChanges) {
    for (key, _) in changes.removed { operations.append(.remove(Pointer(tokens: path + [key]))) }
    for member in changes.changed { write(member.change, inside: member.key) }
    for (key, value) in changes.added {
      operations.append(.add(Pointer(tokens: path + [key]), value))
    }
  }

  private mutating func write(_ changes: ArrayChanges) {
    for place in changes.removed.reversed() { operations.append(.remove(pointer(place))) }
    if !changes.moves.isEmpty {
      var order = MoveOrder(changes)
      for move in changes.moves {
        let step = order.settle(move)
        guard step.old != step.new else { continue }
        operations.append(.move(from: pointer(step.old), to: pointer(step.new)))
      }
    }
    for place in changes.added { operations.append(.add(pointer(place), changes.new[place])) }
    for element in changes.changed {
      write(element.change, inside: String(element.pair.new))
    }
  }

  private mutating func write(_ change: ChangeTree, inside token: String) {
    path.append(token)
    write(change)
    path.removeLast()
  }

  private func pointer(_ place: Int) -> Pointer { Pointer(tokens: path + [String(place)]) }
}

extension ChangeTree {
  /// The new container, where writing it whole is shorter than writing what changed in it.
  fileprivate var shorterWhole: Value? {
    let (whole, editCount): (Value, Int) =
      switch self {
      case .replaced(_, let new): (new, 0)
      case .object(let changes):
        (.object(changes.new), changes.removed.count + changes.added.count + changes.changed.count)
      case .array(let changes): (.array(changes.new), changes.editCount)
      }
    // Few changes stay named, one by one.
    guard editCount >= 4 else { return nil }
    let operationSize = 40
    guard isTotal || whole.isShorter(than: editCount * operationSize) else { return nil }
    return whole
  }
}

extension Value {
  /// The members of a whole state stay named, whatever changed: questions ask for them by name.
  fileprivate var isObject: Bool {
    if case .object = self { true } else { false }
  }

  /// Whether the text of this value is about this short. Looks at no more than that much of it.
  fileprivate func isShorter(than limit: Int) -> Bool {
    var size = 0
    var rest = [self]
    while let value = rest.popLast() {
      switch value {
      case .null, .bool: size += 5
      case .number(let number): size += number.text.utf8.count + 1
      case .string(let text): size += text.utf8.count + 3
      case .array(let array):
        size += 2 + array.count
        if size < limit { rest.append(contentsOf: array) }
      case .object(let object):
        size += 2 + 4 * object.count
        guard size < limit else { return false }
        for (key, member) in object {
          size += key.utf8.count
          rest.append(member)
        }
      }
      guard size < limit else { return false }
    }
    return true
  }
}
