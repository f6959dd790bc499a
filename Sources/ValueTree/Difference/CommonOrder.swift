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
