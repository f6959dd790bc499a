import Platform

/// Finds a longest common subsequence of two token lists, or a good one if the longest costs too
/// much: near-linear even for lists with little in common.
enum CommonOrder {
  static let differenceLimit = 600

  static func pairs(_ old: [Int], _ new: [Int], tokenCount: Int) -> [ElementPair] {
    var oldCounts = Array(repeating: 0, count: tokenCount)
    var newCounts = oldCounts
    for token in old { oldCounts[token] += 1 }
    for token in new { newCounts[token] += 1 }
    let oldPlaces = old.indices.filter { newCounts[old[$0]] > 0 }
    let newPlaces = new.indices.filter { oldCounts[new[$0]] > 0 }
    let isUnique = zip(oldCounts, newCounts).allSatisfy { $0 <= 1 && $1 <= 1 || $0 * $1 == 0 }
    let (left, right) = (oldPlaces.map { old[$0] }, newPlaces.map { new[$0] })
    let found =
      (isUnique
        ? nil
        : commonOrder(left.count, right.count, limit: differenceLimit) { left[$0] == right[$1] })
      ?? byOccurrence(left, right, tokenCount: tokenCount)
    return found.map { ElementPair(old: oldPlaces[$0.old], new: newPlaces[$0.new]) }
  }

  /// Matches first occurrences with first, second with second, and keeps a longest ascending run.
  private static func byOccurrence(
    _ old: [Int], _ new: [Int], tokenCount: Int
  ) -> [(old: Int, new: Int)] {
    var places: [[Int]] = Array(repeating: [], count: tokenCount)
    for place in new.indices.reversed() { places[new[place]].append(place) }
    let pairs = old.indices.compactMap { place in
      places[old[place]].popLast().map { (old: place, new: $0) }
    }
    return ascendingRun(in: pairs.map(\.new)).map { pairs[$0] }
  }
}

/// Finds the indices for a patch that moves elements one at a time, after the removals and before
/// the additions.
///
/// Elements that do not move are anchors. A moved element goes behind its predecessor in the new
/// order, so it belongs to the anchor before it; elements not moved yet stay between anchors. All
/// indices are sums over places of the old array.
struct MoveOrder {
  private let anchors: [ElementPair]
  private var sums: PrefixSums
  private let offset: Int

  init(_ changes: ArrayChanges) {
    anchors = changes.anchors
    let places = (changes.anchors + changes.moves).map(\.old)
    let first = places.min() ?? 0
    // Elements before the first change come first; place 0 of the sums counts those moved there.
    offset = first
    sums = PrefixSums(count: (places.max() ?? 0) - first + 2)
    sums.add(first - changes.removed.count { $0 < first }, at: 0)
    for place in places { sums.add(1, at: place - first + 1) }
  }

  mutating func settle(_ move: ElementPair) -> ElementPair {
    let from = sums.sum(before: move.old - offset + 1)
    sums.add(-1, at: move.old - offset + 1)
    let anchor = lastAnchor(before: move.new).map { $0.old - offset + 1 } ?? 0
    let to = sums.sum(before: anchor + 1)
    sums.add(1, at: anchor)
    return ElementPair(old: from, new: to)
  }

  private func lastAnchor(before place: Int) -> ElementPair? {
    let behind = anchors.indices.firstBehind { anchors[$0].new < place }
    return behind > 0 ? anchors[behind - 1] : nil
  }
}

struct PrefixSums {
  private var nodes: [Int]

  init(count: Int) { nodes = Array(repeating: 0, count: count + 1) }

  mutating func add(_ amount: Int, at index: Int) {
    var node = index + 1
    while node < nodes.count {
      nodes[node] += amount
      node += node & -node
    }
  }

  func sum(before index: Int) -> Int {
    var node = index
    var sum = 0
    while node > 0 {
      sum += nodes[node]
      node -= node & -node
    }
    return sum
  }
}
