extension ValueEditor {
  /// The operations that undo one which is about to be applied, in the order to apply them.
  func inverse(of operation: PatchOperation) throws(PatchFault) -> [PatchOperation] {
    switch operation {
    case .test: return []
    case .replace(let path, _): return [.replace(path, try value(at: path))]
    case .remove(let path): return [.add(path, try value(at: path))]
    case .add(let path, _), .copy(_, let path): return [try inverseOfAdding(at: path)]
    case .move(let from, let path):
      guard from != path else { return [] }
      guard !path.isRoot else { return [.replace([], value)] }
      guard !path.starts(with: from) else { throw .movedIntoItself }
      return try inverseOfMoving(from: from, to: path)
    }
  }

  private func inverseOfAdding(at path: Pointer) throws(PatchFault) -> PatchOperation {
    guard let parent = path.parent, let last = path.tokens.last else { return .replace([], value) }
    switch try value(at: parent) {
    case .array(let array): return .remove(last == "-" ? parent.appending(array.count) : path)
    case .object(let object):
      guard let old = object[last] else { return .remove(path) }
      return .replace(path, old)
    case let other: throw .pointer(.noContainer(parent, kind: other.kindInWords))
    }
  }

  private func inverseOfMoving(
    from: Pointer, to path: Pointer
  ) throws(PatchFault) -> [PatchOperation] {
    // The target is looked at as it is once the source is gone.
    let rest = ValueEditor(value)
    try rest.apply(.remove(from))
    switch try rest.inverseOfAdding(at: path) {
    case .replace(_, let old): return [.move(from: path, to: from), .add(path, old)]
    case let undo: return [.move(from: undo.path, to: from)]
    }
  }
}
