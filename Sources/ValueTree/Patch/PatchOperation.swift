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
