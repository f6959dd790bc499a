import Platform

/// Finds a longest common subsequence of two lists of tokens, or a good one where the longest costs
/// too much: the work stays near-linear for lists that have little in common.
enum CommonOrder {
  /// How many differences are looked through for the best answer before a good one has to do.
  static let differenceLimit = 600

  static func pairs(_ old: [Int], _ new: [Int], tokenCount: Int) -> [ElementPair] {
    var oldCounts = Array(repeating: 0, count: tokenCount)
    var newCounts = oldCounts
    for token in old { oldCounts[token] += 1 }
    for token in new { newCounts[token] += 1 }
    // A token that only one side has is in no common order.
    let oldPlaces = old.indices.filter { newCounts[old[$0]] > 0 }
    let newPlaces = new.indices.filter { oldCounts[new[$0]] > 0 }
    let isUnique = zip(oldCounts, newCounts).allSatisfy { $0 <= 1 && $1 <= 1 || $0 * $1 == 0 }
    let (left, right) = (oldPlaces.map { old[$0] }, newPlaces.map { new[$0] })
    let found =
      (isUnique ? nil : ShortestEdit(left, right, limit: differenceLimit).pairs())
      ?? byOccurrence(left, right, tokenCount: tokenCount)
    return found.map { ElementPair(old: oldPlaces[$0.old], new: newPlaces[$0.new]) }
  }

  /// Matches the first occurrence of a token with the first, the second with the second, and keeps a
  /// longest ascending run of these matches.
  private static func byOccurrence(
    _ old: [Int], _ new: [Int], tokenCount: Int
  ) -> [ElementPair] {
    var places: [[Int]] = Array(repeating: [], count: tokenCount)
    for place in new.indices.reversed() { places[new[place]].append(place) }
    let pairs = old.indices.compactMap { place in
      places[old[place]].popLast().map { ElementPair(old: place, new: $0) }
    }
    return ascendingRun(in: pairs.map(\.new)).map { pairs[$0] }
  }
}

/// Myers' greedy search for the shortest edit between two lists, given up past a number of differences.
struct ShortestEdit {
  private let old: [Int]
  private let new: [Int]
  private let limit: Int

  init(_ old: [Int], _ new: [Int], limit: Int) {
    self.old = old
    self.new = new
    self.limit = min(limit, old.count + new.count)
  }

  /// How far each diagonal reaches with a number of differences: `reach[diagonal + differences]`, in
  /// elements of the old list; -1 where no way leads.
  private typealias Reach = [Int32]

  /// The common elements in order; nil when there are more differences than the limit.
  func pairs() -> [ElementPair]? {
    var reaches: [Reach] = []
    let goal = old.count - new.count
    for differences in 0...limit {
      var reach = Reach(repeating: -1, count: 2 * differences + 1)
      for diagonal in stride(from: -differences, through: differences, by: 2) {
        guard var place = start(diagonal, after: reaches.last) else { continue }
        while place < old.count, place - diagonal < new.count, old[place] == new[place - diagonal] {
          place += 1
        }
        reach[diagonal + differences] = Int32(place)
        if diagonal == goal, place == old.count { return walkBack(reaches) }
      }
      reaches.append(reach)
    }
    return nil
  }

  /// Where the run of equal elements on a diagonal starts: after a removal or an insertion.
  private func start(_ diagonal: Int, after last: Reach?) -> Int? {
    guard let last else { return 0 }
    let center = (last.count - 1) / 2
    func reached(_ diagonal: Int) -> Int? {
      let index = diagonal + center
      return last.indices.contains(index) && last[index] >= 0 ? Int(last[index]) : nil
    }
    let removal = reached(diagonal - 1).map { $0 + 1 }.flatMap { $0 <= old.count ? $0 : nil }
    let insertion = reached(diagonal + 1).flatMap { $0 - diagonal <= new.count ? $0 : nil }
    guard let removal else { return insertion }
    guard let insertion else { return removal }
    return max(removal, insertion)
  }

  private func walkBack(_ reaches: [Reach]) -> [ElementPair] {
    var pairs: [ElementPair] = []
    var (left, right) = (old.count, new.count)
    for differences in stride(from: reaches.count, through: 0, by: -1) {
      let last = differences > 0 ? reaches[differences - 1] : nil
      let diagonal = left - right
      let begin = start(diagonal, after: last) ?? 0
      while left > begin {
        left -= 1
        right -= 1
        pairs.append(ElementPair(old: left, new: right))
      }
      guard let last else { break }
      let center = (last.count - 1) / 2
      let before = diagonal - 1 + center
      let cameByRemoval =
        last.indices.contains(before) && last[before] >= 0 && Int(last[before]) + 1 == begin
        && begin <= old.count
      if cameByRemoval { left -= 1 } else { right -= 1 }
    }
    return pairs.reversed()
  }
}

/// Finds the indices for a patch that moves elements one after the other, when removed elements are gone
/// and added ones are not there yet.
///
/// Elements that do not move are anchors. An element that moves is put behind the one that precedes it
/// in the new order, so it belongs to the anchor before it; elements that have yet to move stay where
/// they were, between anchors. All indices are sums over places of the old array.
struct MoveOrder {
  private let anchors: [ElementPair]
  private var sums: PrefixSums
  private let offset: Int

  init(_ changes: ArrayChanges) {
    anchors = changes.anchors
    let places = (changes.anchors + changes.moves).map(\.old)
    let first = places.min() ?? 0
    // The elements before the first changed one stay in front of all; place 0 of the sums is for those
    // that are moved there.
    offset = first
    sums = PrefixSums(count: (places.max() ?? 0) - first + 2)
    sums.add(first - changes.removed.count { $0 < first }, at: 0)
    for place in places { sums.add(1, at: place - first + 1) }
  }

  /// The index an element has now, and the one it gets.
  mutating func settle(_ move: ElementPair) -> ElementPair {
    let from = sums.sum(before: move.old - offset + 1)
    sums.add(-1, at: move.old - offset + 1)
    let anchor = lastAnchor(before: move.new).map { $0.old - offset + 1 } ?? 0
    let to = sums.sum(before: anchor + 1)
    sums.add(1, at: anchor)
    return ElementPair(old: from, new: to)
  }

  private func lastAnchor(before place: Int) -> ElementPair? {
    var (low, high) = (0, anchors.count)
    while low < high {
      let middle = (low + high) / 2
      if anchors[middle].new < place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? anchors[low - 1] : nil
  }
}

/// Sums over the beginnings of a list that changes (a Fenwick tree).
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
