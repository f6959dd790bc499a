extension Patch {
  /// Creates a small patch that turns one value into the other.
  ///
  /// Skips parts with the same storage. A different notation (`1` and `1.0`, `0.0` and `-0.0`) is a
  /// change; another order of members is not. A container is replaced whole if that is shorter than
  /// its changes, except that members of a top-level object stay named.
  public init(from old: Value, to new: Value, matching: ElementMatching = .standard) {
    self.init(ChangeFinder(matching: matching).changes(from: old, to: new))
  }

  init(_ tree: ChangeTree?) {
    var writer = PatchWriter()
    if let tree { writer.write(tree) }
    self.init(writer.operations)
  }
}

private struct PatchWriter {
  var operations: [PatchOperation] = []
  var path = Pointer()

  mutating func write(_ tree: ChangeTree) {
    // The members of a state stay named, because questions ask for them by name.
    if let whole = tree.shorterWhole, !path.isRoot || !tree.isOfObject {
      return operations.append(.replace(path, whole))
    }
    switch tree {
    case .replaced(_, let new): operations.append(.replace(path, new))
    case .object(let changes):
      for (key, _) in changes.removed { operations.append(.remove(path.appending(key))) }
      for member in changes.changed { write(member.change, inside: member.key) }
      for (key, value) in changes.added { operations.append(.add(path.appending(key), value)) }
    case .array(let changes): write(changes)
    }
  }

  private mutating func write(_ changes: ArrayChanges) {
    for place in changes.removed.reversed() { operations.append(.remove(path.appending(place))) }
    if !changes.moves.isEmpty {
      var order = MoveOrder(changes)
      for move in changes.moves {
        let step = order.settle(move)
        guard step.old != step.new else { continue }
        operations.append(.move(from: path.appending(step.old), to: path.appending(step.new)))
      }
    }
    for place in changes.added {
      operations.append(.add(path.appending(place), changes.new[place]))
    }
    for element in changes.changed {
      write(element.change, inside: String(element.pair.new))
    }
  }

  private mutating func write(_ change: ChangeTree, inside token: String) {
    path.tokens.append(token)
    write(change)
    path.tokens.removeLast()
  }
}

extension ChangeTree {
  fileprivate var isOfObject: Bool {
    if case .object = self { true } else { false }
  }

  fileprivate var shorterWhole: Value? {
    let (whole, editCount): (Value, Int) =
      switch self {
      case .replaced(_, let new): (new, 0)
      case .object(let changes):
        (.object(changes.new), changes.removed.count + changes.added.count + changes.changed.count)
      case .array(let changes): (.array(changes.new), changes.editCount)
      }
    guard editCount >= 4 else { return nil }
    let shorter = editCount * 40 - 1
    return isTotal || WrittenSize.measure(whole, limit: shorter) <= shorter ? whole : nil
  }
}
