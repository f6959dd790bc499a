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
/// A patch says nothing about the order of an object's members, which is no part of its value: a member
/// that a patch adds comes last.
public struct Patch: Sendable, Hashable {
  /// Applied in this order.
  public var operations: [PatchOperation]

  /// These operations, in this order.
  public init(_ operations: [PatchOperation] = []) { self.operations = operations }

  /// Whether there are no operations, so that a value stays as it is.
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

/// One change of a patch.
public enum PatchOperation: Sendable, Hashable {
  /// Sets a member, or inserts an element before the index; `-` is the end of an array.
  case add(Pointer, Value)
  case remove(Pointer)
  case replace(Pointer, Value)
  case move(from: Pointer, to: Pointer)
  case copy(from: Pointer, to: Pointer)
  /// Changes nothing, and fails when another value lies there.
  case test(Pointer, Value)

  /// The word of RFC 6902.
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

  /// The place that the operation changes or tests; for a move or a copy, where to.
  public var path: Pointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .test(let path, _),
      .move(_, let path), .copy(_, let path):
      path
    }
  }

  /// The places whose values are others afterwards.
  var changedPlaces: [Pointer] {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .copy(_, let path): [path]
    case .move(let from, let path): [from, path]
    case .test: []
    }
  }
}

extension Patch {
  /// Reads the form of RFC 6902. Members that it does not name are ignored.
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
        var name: String?
        if case .string(let text)? = element["op"] { name = text }
        var path: Pointer?
        if case .string(let text)? = element["path"] { path = try? Pointer(text) }
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
    let name = try Self.text("op", in: object)
    guard ["add", "remove", "replace", "move", "copy", "test"].contains(name) else {
      throw .unknownOperation(name)
    }
    let path = try Self.pointer("path", in: object)
    switch name {
    case "remove": self = .remove(path)
    case "move": self = .move(from: try Self.pointer("from", in: object), to: path)
    case "copy": self = .copy(from: try Self.pointer("from", in: object), to: path)
    default:
      guard let operand = object["value"] else { throw .missing("value") }
      self =
        switch name {
        case "add": .add(path, operand)
        case "replace": .replace(path, operand)
        default: .test(path, operand)
        }
    }
  }

  /// The form of RFC 6902: an object with `op`, `path` and what else the operation needs.
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

  private static func text(_ key: String, in object: ValueObject) throws(PatchFault) -> String {
    guard let value = object[key] else { throw .missing(key) }
    guard case .string(let text) = value else { throw .noText(key) }
    return text
  }

  private static func pointer(_ key: String, in object: ValueObject) throws(PatchFault) -> Pointer {
    let text = try text(key, in: object)
    do throws(PointerError) { return try Pointer(text) } catch { throw .pointer(error) }
  }
}
