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
    return longestAscending(pairs)
  }

  /// The pairs come ascending by their old place; those kept ascend by their new place too.
  private static func longestAscending(_ pairs: [ElementPair]) -> [ElementPair] {
    // lasts[n] is the pair with the smallest new place that ends an ascending run of n + 1.
    var lasts: [Int] = []
    var previous = Array(repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      var (low, high) = (0, lasts.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[lasts[middle]].new < pair.new { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = lasts[low - 1] }
      if low == lasts.count { lasts.append(index) } else { lasts[low] = index }
    }
    var run: [ElementPair] = []
    var index = lasts.last ?? -1
    while index >= 0 {
      run.append(pairs[index])
      index = previous[index]
    }
    return run.reversed()
  }
}
