/// Changes to a value, as in RFC 6902.
///
/// ```swift
/// let before: Value = ["items": ["tea"], "total": 9.5]
/// let after: Value = ["items": ["milk", "tea"], "total": 12]
/// let patch = Patch(from: before, to: after)
/// patch.value  // [{"op":"add","path":"/items/0","value":"milk"}, {"op":"replace", …}]
/// try patch.applied(to: before) == after
/// try patch.inverse(for: before).applied(to: after) == before
/// ```
///
/// A patch says nothing about the order of an object's members, which is no part of its value: a member
/// that a patch adds comes last.
public struct Patch: Sendable, Hashable {
  public var operations: [PatchOperation]

  public init(_ operations: [PatchOperation] = []) { self.operations = operations }

  public var isEmpty: Bool { operations.isEmpty }

  /// The value after all operations, in order. Nothing is changed when one of them fails.
  public func applied(to value: Value) throws(PatchError) -> Value {
    guard !isEmpty else { return value }
    let editor = ValueEditor(value)
    try editor.apply(self)
    return editor.value
  }

  /// The patch that leads back from `applied(to: value)` to `value`.
  public func inverse(for value: Value) throws(PatchError) -> Patch {
    let editor = ValueEditor(value)
    var inverse: [PatchOperation] = []
    for (index, operation) in operations.enumerated() {
      do throws(PatchFault) {
        let back = try editor.inverse(of: operation)
        try editor.apply(operation)
        inverse += back.reversed()
      } catch {
        throw PatchError(fault: error, operation: operation, index: index)
      }
    }
    return Patch(inverse.reversed())
  }

  /// Whether an operation changes something at this place, around it, or inside it.
  public func touches(_ place: Pointer) -> Bool {
    operations.contains { operation in
      operation.changedPlaces.contains { $0.overlaps(place) }
    }
  }
}
