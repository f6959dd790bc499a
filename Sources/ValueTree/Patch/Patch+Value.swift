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
