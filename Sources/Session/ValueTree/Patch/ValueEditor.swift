import Platform

/// Applies many operations or patches to a value. Copies a container once; until you take the
/// ``value``, later operations change that copy in place.
///
/// ```swift
/// let editor = ValueEditor(keyframe)
/// for patch in patches { try editor.apply(patch) }
/// editor.value
/// ```
package final class ValueEditor {
  /// The deepest pointer allowed, so that recursion fits the stack.
  static let depthLimit = 1_000

  package var value: Value {
    arrays.close()
    return whole
  }

  private var whole: Value
  private let sizeLimit: Int
  private let arrays = LongArrays()

  /// `sizeLimit` is how large copies may make the printed value.
  package init(_ value: Value, sizeLimit: Int = WrittenSize.standardLimit) {
    whole = value
    self.sizeLimit = sizeLimit
  }

  /// Applies all operations in order. After an error, those before the failing one stay applied.
  package func apply(_ patch: Patch) throws(PatchError) {
    try patch.forEach { (index, operation) throws(PatchFault) in
      if arrays.expect(patch.operations.count - index), Interruption.isAsked { throw .interrupted }
      try apply(operation)
    }
    arrays.close()
  }

  package func apply(_ operation: PatchOperation) throws(PatchFault) {
    switch operation {
    case .add(let path, let new): try change(path, by: .add, new)
    case .remove(let path):
      guard !path.isRoot else { throw .removedWhole }
      try change(path, by: .remove, .null)
    case .replace(let path, let new): try change(path, by: .replace, new)
    case .move(let from, let path): try move(from: from, to: path)
    case .copy(let from, let path):
      try change(path, by: .add, try value(at: from))
      // Copies share storage, so check before anything walks them.
      guard whole.weight <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
    case .test(let path, let expected):
      let found = try value(at: path)
      guard found.isNumericallyEqual(to: expected) else {
        throw .tested(expected: expected, found: found)
      }
    }
  }

  package func value(at path: Pointer) throws(PatchFault) -> Value {
    let found = try part(at: path)
    guard found.height > 0, !arrays.isEmpty else { return found }
    arrays.close()
    return try part(at: path)
  }

  private func part(at path: Pointer) throws(PatchFault) -> Value {
    do throws(PointerError) {
      return try whole.resolve(path, in: arrays)
    } catch {
      throw .pointer(error)
    }
  }

  private func move(from: Pointer, to path: Pointer) throws(PatchFault) {
    let moved = try part(at: from)
    guard from != path else { return }
    guard !path.starts(with: from) else { throw .movedIntoItself }
    guard !path.isRoot else { return whole = moved }
    try change(from, by: .remove, .null)
    try change(path, by: .add, moved)
  }

  private func change(
    _ path: Pointer, by change: PlaceChange.Kind, _ new: Value
  ) throws(PatchFault) {
    guard !path.isRoot else { return whole = new }
    guard path.tokens.count <= Self.depthLimit else {
      throw .pointer(.tooDeep(limit: Self.depthLimit))
    }
    try PlaceChange(path: path, kind: change, new: new, arrays: arrays).apply(to: &whole, depth: 0)
  }
}

extension ValueEditor {
  /// The operations that undo one that is about to be applied, in order.
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
    // The target's path counts after the source is removed.
    let rest = ValueEditor(value)
    try rest.apply(.remove(from))
    switch try rest.inverseOfAdding(at: path) {
    case .replace(_, let old): return [.move(from: path, to: from), .add(path, old)]
    case let undo: return [.move(from: undo.path, to: from)]
    }
  }
}
