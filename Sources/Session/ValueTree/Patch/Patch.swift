import Platform

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
/// A patch ignores the order of members, which is not part of the value: an added member comes
/// last.
public struct Patch: Sendable, Hashable {
  /// The operations, in the order in which they apply.
  public var operations: [PatchOperation]

  /// Creates a patch of these operations.
  public init(_ operations: [PatchOperation] = []) { self.operations = operations }

  /// Whether there are no operations.
  public var isEmpty: Bool { operations.isEmpty }

  /// Applies all operations in order, or none if one fails.
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
    try forEach { (_, operation) throws(PatchFault) in
      let back = try editor.inverse(of: operation)
      try editor.apply(operation)
      inverse += back.reversed()
    }
    return Patch(inverse.reversed())
  }

  func forEach(
    _ body: (Int, PatchOperation) throws(PatchFault) -> Void
  ) throws(PatchError) {
    for (index, operation) in operations.enumerated() {
      do throws(PatchFault) {
        try body(index, operation)
      } catch {
        throw PatchError(
          fault: error, index: index, operation: operation.name, path: operation.path)
      }
    }
  }

  /// Whether an operation changes this place, or one around or inside it.
  public func touches(_ place: Pointer) -> Bool {
    operations.contains { operation in
      operation.changedPlaces.contains { $0.overlaps(place) }
    }
  }
}

/// One change of a patch.
public enum PatchOperation: Sendable, Hashable {
  /// Sets a member, or inserts an element before the index; `-` is the end of an array.
  case add(Pointer, Value)
  /// Removes the value.
  case remove(Pointer)
  /// Replaces the value.
  case replace(Pointer, Value)
  /// Moves the value.
  case move(from: Pointer, to: Pointer)
  /// Copies the value.
  case copy(from: Pointer, to: Pointer)
  /// Changes nothing, and fails if the value differs.
  case test(Pointer, Value)

  /// The operation's name in RFC 6902.
  public var name: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .move: "move"
    case .copy: "copy"
    case .test: "test"
    }
  }

  /// The place that the operation changes or tests; of a move or a copy, the target.
  public var path: Pointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .test(let path, _),
      .move(_, let path), .copy(_, let path):
      path
    }
  }

  var changedPlaces: [Pointer] {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .copy(_, let path): [path]
    case .move(let from, let path): [from, path]
    case .test: []
    }
  }
}

extension Patch {
  /// Reads the form of RFC 6902, ignoring unknown members.
  public init(_ value: Value) throws(PatchError) {
    guard case .array(let array) = value else {
      throw PatchError(fault: .noList, index: nil, operation: nil, path: nil)
    }
    operations = []
    operations.reserveCapacity(array.count)
    for (index, element) in array.enumerated() {
      do throws(PatchFault) {
        if (index + 1).isMultiple(of: 1_024), Interruption.isAsked { throw .interrupted }
        operations.append(try PatchOperation(element))
      } catch {
        let name = element["op"]?.string
        let path = element["path"]?.string.flatMap { try? Pointer($0) }
        throw PatchError(fault: error, index: index, operation: name, path: path)
      }
    }
  }

  /// The form of RFC 6902: an array of operations.
  public var value: Value { .array(ValueArray(operations.map(\.value))) }
}

extension PatchOperation {
  init(_ value: Value) throws(PatchFault) {
    guard case .object(let object) = value else { throw .noObject }
    func text(_ key: String) throws(PatchFault) -> String {
      guard let value = object[key] else { throw .missing(key) }
      guard case .string(let text) = value else { throw .noText(key) }
      return text
    }
    func pointer(_ key: String) throws(PatchFault) -> Pointer {
      let text = try text(key)
      do throws(PointerError) { return try Pointer(text) } catch { throw .pointer(error) }
    }
    func operand() throws(PatchFault) -> Value {
      guard let operand = object["value"] else { throw .missing("value") }
      return operand
    }
    switch try text("op") {
    case "add": self = .add(try pointer("path"), try operand())
    case "remove": self = .remove(try pointer("path"))
    case "replace": self = .replace(try pointer("path"), try operand())
    case "move":
      let path = try pointer("path")
      self = .move(from: try pointer("from"), to: path)
    case "copy":
      let path = try pointer("path")
      self = .copy(from: try pointer("from"), to: path)
    case "test": self = .test(try pointer("path"), try operand())
    case let name: throw .unknownOperation(name)
    }
  }

  /// The form of RFC 6902: an object with `op`, `path` and the rest.
  public var value: Value {
    var members: [(key: String, value: Value)] = [
      ("op", .string(name)), ("path", .string(path.description)),
    ]
    switch self {
    case .add(_, let operand), .replace(_, let operand), .test(_, let operand):
      members.append(("value", operand))
    case .move(let from, _), .copy(let from, _):
      members.insert(("from", .string(from.description)), at: 1)
    case .remove: break
    }
    return .object(ValueObject(members))
  }
}
