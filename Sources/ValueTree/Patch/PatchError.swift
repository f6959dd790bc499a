/// Why a patch cannot be read or applied: which operation, where, and what was wrong.
public struct PatchError: Error, Sendable, Hashable {
  /// What was wrong with it.
  public var fault: PatchFault
  /// The place of the operation in the patch, from 0; nil when the patch is no list.
  public var index: Int?
  /// `add`, `remove`, …; nil where the operation does not say.
  public var operation: String?
  /// The place that it names; nil where it names none that can be read.
  public var path: Pointer?
}

extension PatchError: CustomStringConvertible {
  /// The operation, its place and the fault, in one sentence.
  public var description: String {
    guard let index else { return fault.description }
    let what = [operation, path?.place].compactMap(\.self).joined(separator: " ")
    return "Operation \(index)\(what.isEmpty ? "" : " (\(what))"): \(fault)"
  }
}

/// What can be wrong with one operation.
public enum PatchFault: Error, Sendable, Hashable {
  /// The patch is no array.
  case noList
  /// The operation is no object.
  case noObject
  /// A member that the operation needs.
  case missing(String)
  /// A member that is no string.
  case noText(String)
  /// A word that RFC 6902 does not have.
  case unknownOperation(String)
  /// A place that cannot be read, or is not there.
  case pointer(PointerError)
  /// A value cannot be moved into itself.
  case movedIntoItself
  /// The whole value can be replaced but not removed.
  case removedWhole
  /// Copies make more of the value than may be written out; so many bytes.
  case tooLarge(limit: Int)
  /// A test found another value.
  case tested(expected: Value, found: Value)
  /// Nobody waits for the value any more.
  case interrupted
}

extension PatchFault: CustomStringConvertible {
  /// The fault in words, without the operation; ``PatchError`` says which one it was.
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
  /// A short text for messages: scalars as they are, containers by their size.
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
