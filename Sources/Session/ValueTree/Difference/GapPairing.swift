import Platform

/// Pairs the elements between two matches that have most in common, in the same order, as changed
/// in place.
enum GapPairing {
  /// Gaps with more possible pairs are paired by position first.
  private static let pairLimit = 400
  /// The score of a pair with nothing in common, out of 100: one replacement beats a removal and an
  /// insertion.
  private static let pairWorth = 1

  static func pairs(_ old: [Value], _ new: [Value]) -> [ElementPair] {
    guard looksInside(old, new), !Interruption.isAsked else {
      return (0..<min(old.count, new.count)).map { ElementPair(old: $0, new: $0) }
    }
    return bestPairs(old, new)
  }

  static func looksInside(_ old: [Value], _ new: [Value]) -> Bool {
    !old.isEmpty && !new.isEmpty && old.count + new.count > 2
      && (old.count != new.count || old.contains { $0.height > 0 })
      && old.count * new.count <= pairLimit
  }

  /// The table of best sums, filled from the end so that ties go to the first.
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
  /// The share of equal members, or of equal elements at the same place, from 0 to 100.
  fileprivate func likeness(to other: Value) -> Int {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      let same = left.count { key, value in
        right[key].map { value.isExactlyEqual(to: $0) } ?? false
      }
      let sameKeys = left.count { right[$0.key] != nil }
      // Objects with the same keys are more likely the same element.
      return (same * 90 + sameKeys * 10) / Swift.max(left.count, right.count, 1)
    case (.array(let left), .array(let right)):
      let same = zip(left, right).count { $0.isExactlyEqual(to: $1) }
      return same * 100 / Swift.max(left.count, right.count, 1)
    default: return 0
    }
  }
}
