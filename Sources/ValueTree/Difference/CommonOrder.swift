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
