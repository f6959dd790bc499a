/// Finds the elements of an array that equal those of the last one bit by bit: one pass, with a
/// short look ahead for insertions and removals.
struct ArrayMatching {
  struct Run {
    var new: Int
    var old: Int
    var count: Int
  }

  private(set) var runs: [Run] = []
  private(set) var others: [(index: Int, oldIndex: Int?)] = []
  private let newCount: Int
  private let oldCount: Int

  private static let reach = 32
  /// After so many failed looks ahead, the rest is compared in place.
  private static let patience = 32

  init<Element>(
    new: UnsafePointer<Element>, _ newCount: Int, old: UnsafePointer<Element>, _ oldCount: Int,
    _ bits: BitComparison, mayShift: Bool
  ) {
    (self.newCount, self.oldCount) = (newCount, oldCount)
    func areSame(_ index: Int, _ oldIndex: Int) -> Bool {
      guard index < newCount, oldIndex < oldCount else { return false }
      return bits.areSame(UnsafeRawPointer(new + index), UnsafeRawPointer(old + oldIndex))
    }
    var index = 0
    var oldIndex = 0
    var patience = mayShift ? Self.patience : 0
    while index < newCount {
      let rest = min(newCount - index, oldCount - oldIndex)
      let same = bits.countSame(new + index, old + oldIndex, upTo: rest)
      if same > 0 {
        runs.append(Run(new: index, old: oldIndex, count: same))
        index += same
        oldIndex += same
        continue
      }
      if patience > 0, rest > 0, !areSame(index + 1, oldIndex + 1) {
        patience -= 1
        if let ahead = (1...Self.reach).first(where: { areSame(index + $0, oldIndex) }) {
          for place in index..<(index + ahead) { others.append((place, nil)) }
          index += ahead
          patience = Self.patience
          continue
        }
        if let ahead = (1...Self.reach).first(where: { areSame(index, oldIndex + $0) }) {
          oldIndex += ahead
          patience = Self.patience
          continue
        }
      }
      others.append((index, rest > 0 ? oldIndex : nil))
      index += 1
      oldIndex = min(oldIndex + 1, oldCount)
    }
  }

  var isSame: Bool { others.isEmpty && newCount == oldCount && runs.count == 1 }

  var isInPlace: Bool { newCount == oldCount && runs.allSatisfy { $0.new == $0.old } }

  func assembled(_ tree: ValueArray, _ values: [Value]) -> ValueArray {
    guard let source = tree.node else { return ValueArray(values) }
    let node = ValueNode.create(capacity: newCount)
    for (other, value) in zip(others, values) {
      (node.elements + other.index).initialize(to: value)
    }
    for run in runs {
      (node.elements + run.new).initialize(from: source.elements + run.old, count: run.count)
    }
    node.fill(newCount)
    return ValueArray(node: node)
  }
}
