import Platform

/// Decides which of the elements that stand between two matches are the same one, changed in place:
/// those that have most in common, in the same order.
enum GapPairing {
  /// Gaps with more possible pairs than this are paired first with first, second with second.
  private static let pairLimit = 400
  /// What a pair with nothing in common counts, against 100 for one that has all in common: enough to
  /// prefer one replacement to a removal and an insertion.
  private static let pairWorth = 1

  /// Places in the two lists, ascending in both.
  static func pairs(_ old: [Value], _ new: [Value]) -> [ElementPair] {
    guard looksInside(old, new), !Interruption.isAsked else {
      return (0..<min(old.count, new.count)).map { ElementPair(old: $0, new: $0) }
    }
    return bestPairs(old, new)
  }

  /// Whether each value is compared with many others.
  static func looksInside(_ old: [Value], _ new: [Value]) -> Bool {
    !old.isEmpty && !new.isEmpty && old.count + new.count > 2
      && (old.count != new.count || old.contains { $0.height > 0 })
      && old.count * new.count <= pairLimit
  }

  /// The table of the best sums, filled from the ends so that the first of equal ways is taken.
  private static func bestPairs(_ old: [Value], _ new: [Value]) -> [ElementPair] {
    let width = new.count + 1
    var best = Array(repeating: 0, count: (old.count + 1) * width)
    var worth = best
    for left in old.indices.reversed() where !Interruption.isAsked {
      for right in new.indices.reversed() {
        let here = left * width + right
        worth[here] = pairWorth + old[left].likeness(to: new[right])
        best[here] = max(
          worth[here] + best[here + width + 1], best[here + width], best[here + 1])
      }
    }
    var pairs: [ElementPair] = []
    var (left, right) = (0, 0)
    while left < old.count, right < new.count {
      let here = left * width + right
      if best[here] == worth[here] + best[here + width + 1] {
        pairs.append(ElementPair(old: left, new: right))
        left += 1
        right += 1
      } else if best[here] == best[here + width] {
        left += 1
      } else {
        right += 1
      }
    }
    return pairs
  }
}

extension Value {
  /// How much of this value is in the other, from 0 to 100: the share of members that are the same, or
  /// of elements at the same place.
  fileprivate func likeness(to other: Value) -> Int {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      let same = left.count { key, value in
        right[key].map { value.isExactlyEqual(to: $0) } ?? false
      }
      let sameKeys = left.count { right[$0.key] != nil }
      // Objects with the same keys are rather the same one than those with others.
      return (same * 90 + sameKeys * 10) / Swift.max(left.count, right.count, 1)
    case (.array(let left), .array(let right)):
      let same = zip(left, right).count { $0.isExactlyEqual(to: $1) }
      return same * 100 / Swift.max(left.count, right.count, 1)
    default: return 0
    }
  }
}
