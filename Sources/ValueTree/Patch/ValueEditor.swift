/// Applies many operations or many patches to a value. A container that is changed is copied once; as
/// long as nobody takes the ``value`` in between, later operations change that copy in place.
///
/// ```swift
/// let editor = ValueEditor(keyframe)
/// for patch in patches { try editor.apply(patch) }
/// editor.value
/// ```
package final class ValueEditor {
  /// Pointers that go deeper are refused, so that recursion along them stays within the stack.
  static let depthLimit = 1_000

  package private(set) var value: Value
  private var size: WrittenSize

  /// `sizeLimit` is how long copies may make the value, written out.
  package init(_ value: Value, sizeLimit: Int? = nil) {
    self.value = value
    size = sizeLimit.map { WrittenSize(limit: $0) } ?? WrittenSize()
  }

  /// Applies all operations in order. After an error those before the failing one stay applied.
  package func apply(_ patch: Patch) throws(PatchError) {
    var index = 0
    while index < patch.operations.count {
      index += applyRun(patch.operations[index...])
      guard index < patch.operations.count else { return }
      do throws(PatchFault) {
        try apply(patch.operations[index])
        index += 1
      } catch {
        throw PatchError(fault: error, operation: patch.operations[index], index: index)
      }
    }
  }

  /// Applies what follows as long as it is about the elements of one long array, which would otherwise
  /// be moved by each of them. Gives the number of operations that were applied.
  private func applyRun(_ operations: ArraySlice<PatchOperation>) -> Int {
    guard let run = ElementRun(operations), case .array(let array)? = try? value.resolve(run.array),
      array.count + run.count >= LongArray.worthwhile
    else { return 0 }
    let elements = LongArray(array)
    let count = operations.prefix(run.count).prefix { elements.apply($0, depth: run.depth) }.count
    guard count > 0, (try? change(run.array, by: .replace, .array(elements.array))) != nil else {
      return 0
    }
    return count
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
      let copied = try value(at: from)
      let isMeasured = size.copies(copied)
      try change(path, by: .add, copied)
      guard !isMeasured || size.measure(value) else { throw .tooLarge(limit: size.limit) }
    case .test(let path, let expected):
      let found = try value(at: path)
      guard found.isNumericallyEqual(to: expected) else {
        throw .tested(expected: expected, found: found)
      }
    }
  }

  /// What lies at a place now.
  package func value(at path: Pointer) throws(PatchFault) -> Value {
    do throws(PointerError) { return try value.resolve(path) } catch { throw .pointer(error) }
  }

  private func move(from: Pointer, to path: Pointer) throws(PatchFault) {
    let moved = try value(at: from)
    guard from != path else { return }
    guard !path.starts(with: from) else { throw .movedIntoItself }
    guard !path.isRoot else { return value = moved }
    try change(from, by: .remove, .null)
    try change(path, by: .add, moved)
  }

  private func change(
    _ path: Pointer, by change: PlaceChange.Kind, _ new: Value
  ) throws(PatchFault) {
    guard !path.isRoot else { return value = new }
    guard path.tokens.count <= Self.depthLimit else {
      throw .pointer(.tooDeep(limit: Self.depthLimit))
    }
    try PlaceChange(path: path, kind: change, new: new).apply(to: &value, depth: 0)
  }
}
