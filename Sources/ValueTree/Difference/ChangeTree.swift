/// What became of a value, as a tree that has nodes only where something changed.
indirect enum ChangeTree {
  case replaced(old: Value, new: Value)
  case object(ObjectChanges)
  case array(ArrayChanges)

  /// Whether nothing of the old value is left, at any depth.
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

/// An element that is in both arrays.
struct ElementPair {
  var old: Int
  var new: Int
}

struct ArrayChanges {
  var old: ValueArray
  var new: ValueArray
  /// Places in the old array, ascending.
  var removed: [Int] = []
  /// Places in the new array, ascending.
  var added: [Int] = []
  /// Elements that are out of order, by their new place.
  var moves: [ElementPair] = []
  /// The elements around which the others moved, in order; those outside of the changed stretch are
  /// not listed.
  var anchors: [ElementPair] = []
  var changed: [ElementChange] = []
  /// Elements that are the same and stand in the same order.
  var keptCount = 0

  var editCount: Int { removed.count + added.count + moves.count + changed.count }

  var isEmpty: Bool { editCount == 0 }
}
