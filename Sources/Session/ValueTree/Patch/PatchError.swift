/// The reason why a patch cannot be read or applied.
public struct PatchError: Error, Sendable, Hashable {
  /// The kind of mistake.
  public var fault: PatchFault
  /// The operation's place in the patch, from 0; nil if the patch is not a list.
  public var index: Int?
  /// `add`, `remove`, …; nil if the operation has no name.
  public var operation: String?
  /// The operation's path; nil if it cannot be read.
  public var path: Pointer?
}

extension PatchError: CustomStringConvertible {
  /// The operation, its place and the mistake, in one sentence.
  public var description: String {
    guard let index else { return fault.description }
    let what = [operation, path?.place].compactMap(\.self).joined(separator: " ")
    return "Operation \(index)\(what.isEmpty ? "" : " (\(what))"): \(fault)"
  }
}

/// The mistakes that an operation can have.
public enum PatchFault: Error, Sendable, Hashable {
  /// The patch is not an array.
  case noList
  /// The operation is not an object.
  case noObject
  /// A required member is missing.
  case missing(String)
  /// A member is not a string.
  case noText(String)
  /// RFC 6902 does not have this operation.
  case unknownOperation(String)
  /// The pointer is wrong, or leads nowhere.
  case pointer(PointerError)
  /// A value cannot move into itself.
  case movedIntoItself
  /// The whole value can be replaced but not removed.
  case removedWhole
  /// Copies make the value larger than this many bytes when printed.
  case tooLarge(limit: Int)
  /// A test found another value.
  case tested(expected: Value, found: Value)
  /// The caller no longer wants the value.
  case interrupted
}

extension PatchFault: CustomStringConvertible {
  /// The mistake in words, without the operation; ``PatchError`` names it.
  public var description: String {
    switch self {
    case .noList: "A patch is an array of operations."
    case .noObject: "An operation is an object with “op” and “path”."
    case .missing(let key): "“\(key)” is missing."
    case .noText(let key): "“\(key)” must be a string."
    case .unknownOperation(let name):
      "“\(name)” is none of add, remove, replace, move, copy and test."
    case .pointer(let error): error.description
    case .movedIntoItself: "A value cannot be moved into itself."
    case .removedWhole: "The whole value cannot be removed: replace it by null instead."
    case .tooLarge(let limit):
      "Copies would make the value longer than \(limit >> 20) MB; "
        + "RETCON_STATE_LIMIT=MB in the environment allows more."
    case .tested(let expected, let found):
      "\(expected.briefText) was expected, \(found.briefText) was found."
    case .interrupted: "This was stopped."
    }
  }
}

extension Value {
  var briefText: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let number): number.text
    case .string(let text): text.count > 60 ? "“\(text.prefix(59))…”" : "“\(text)”"
    case .array(let array): "an array of \(array.count)"
    case .object(let object): "an object of \(object.count)"
    }
  }
}
