/// The changes from one value to another, as a readable list.
///
/// ```swift
/// let before: Value = ["items": [["id": 1, "quantity": 1]], "total": 9.5]
/// let after: Value = ["items": [["id": 1, "quantity": 2]], "total": 12]
/// let difference = Difference(from: before, to: after)
/// difference.description
/// // ~ /items/0/quantity  1 → 2
/// // ~ /total  9.5 → 12
/// // 2 changes, 1 kept
/// ```
public struct Difference: Sendable, Hashable {
  /// One change: its place, and the values before and after.
  public struct Change: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: Sendable, Hashable {
      /// The value was added, removed or replaced.
      case added, removed, changed
      /// The element has another place among the others. Changes inside it are listed separately.
      case moved
    }

    /// The kind of this change.
    public var kind: Kind
    /// Its place now; for a removed value, its old place.
    public var path: Pointer
    /// Its old place; for an added value, its place now.
    public var oldPath: Pointer
    /// The value before; nil if added.
    public var old: Value?
    /// The value after; nil if removed.
    public var new: Value?
  }

  /// The changes, one line each; unchanged parts are only counted.
  public var changes: [Change]
  /// How many members and elements are unchanged in the containers with changes.
  public var keptCount: Int
  /// The changes as operations.
  public var patch: Patch

  /// Compares two values; `matching` says how to recognise array elements.
  public init(from old: Value, to new: Value, matching: ElementMatching = .standard) {
    let tree = ChangeFinder(matching: matching).changes(from: old, to: new)
    var list = ChangeList()
    if let tree { list.add(tree) }
    changes = list.changes
    keptCount = list.keptCount
    patch = Patch(tree)
  }

  /// Whether the two values are equal.
  public var isEmpty: Bool { changes.isEmpty }
}

extension Difference: CustomStringConvertible {
  /// A line for each change, then the counts.
  public var description: String {
    let lines = changes.map(\.description)
    let count = changes.count == 1 ? "1 change" : "\(changes.count) changes"
    return (lines + ["\(count), \(keptCount) kept"]).joined(separator: "\n")
  }
}

extension Difference.Change: CustomStringConvertible {
  /// The line of the change, with values shortened.
  public var description: String {
    let values = [old, new].map { $0?.briefText ?? "" }
    return switch kind {
    case .added: "+ \(path.place)  \(values[1])"
    case .removed: "- \(path.place)  \(values[0])"
    case .changed: "~ \(path.place)  \(values[0]) → \(values[1])"
    case .moved: "> \(path.place)  from \(oldPath.place)"
    }
  }
}

private struct ChangeList {
  var changes: [Difference.Change] = []
  var keptCount = 0
  var path = Pointer()
  var oldPath = Pointer()

  mutating func add(_ tree: ChangeTree) {
    switch tree {
    case .replaced(let old, let new): add(.changed, old: old, new: new)
    case .object(let object):
      keptCount += object.keptCount
      for (key, value) in object.removed { at(key, key) { $0.add(.removed, old: value) } }
      for member in object.changed { at(member.key, member.key) { $0.add(member.change) } }
      for (key, value) in object.added { at(key, key) { $0.add(.added, new: value) } }
    case .array(let array):
      keptCount += array.keptCount
      for place in array.removed { at(place, place) { $0.add(.removed, old: array.old[place]) } }
      for move in array.moves {
        at(move.old, move.new) {
          $0.add(.moved, old: array.old[move.old], new: array.new[move.new])
        }
      }
      for element in array.changed {
        at(element.pair.old, element.pair.new) { $0.add(element.change) }
      }
      for place in array.added { at(place, place) { $0.add(.added, new: array.new[place]) } }
    }
  }

  private mutating func at(_ old: Int, _ new: Int, _ body: (inout Self) -> Void) {
    at(String(old), String(new), body)
  }

  private mutating func at(_ old: String, _ new: String, _ body: (inout Self) -> Void) {
    oldPath.tokens.append(old)
    path.tokens.append(new)
    body(&self)
    oldPath.tokens.removeLast()
    path.tokens.removeLast()
  }

  private mutating func add(
    _ kind: Difference.Change.Kind, old: Value? = nil, new: Value? = nil
  ) {
    changes.append(
      Difference.Change(
        kind: kind, path: kind == .removed ? oldPath : path,
        oldPath: kind == .added ? path : oldPath, old: old, new: new))
  }
}

/// The changes of a value, as a tree with nodes only for changes.
indirect enum ChangeTree {
  case replaced(old: Value, new: Value)
  case object(ObjectChanges)
  case array(ArrayChanges)

  var isTotal: Bool {
    switch self {
    case .replaced: true
    case .object(let changes):
      changes.keptCount == 0 && changes.changed.allSatisfy(\.change.isTotal)
    case .array(let changes):
      changes.keptCount == 0 && changes.moves.isEmpty
        && changes.changed.allSatisfy(\.change.isTotal)
    }
  }
}

struct ObjectChanges {
  var new: ValueObject
  var removed: [ValueObject.Element] = []
  var added: [ValueObject.Element] = []
  var changed: [MemberChange] = []
  var keptCount = 0

  var isEmpty: Bool { removed.isEmpty && added.isEmpty && changed.isEmpty }
}

struct MemberChange {
  var key: String
  var change: ChangeTree
}

struct ElementChange {
  var pair: ElementPair
  var change: ChangeTree
}

struct ElementPair {
  var old: Int
  var new: Int
}

struct ArrayChanges {
  var old: ValueArray
  var new: ValueArray
  var removed: [Int] = []
  var added: [Int] = []
  var moves: [ElementPair] = []
  /// The elements that the others moved around, in order; only those in the changed stretch.
  var anchors: [ElementPair] = []
  var changed: [ElementChange] = []
  var keptCount = 0

  var editCount: Int { removed.count + added.count + moves.count + changed.count }

  var isEmpty: Bool { editCount == 0 }
}
