extension Range<Int> {
  @inlinable
  package func firstBehind(_ comesBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The indices of a longest ascending run.
///
/// ```swift
/// ascendingRun(in: [3, 1, 2, 0, 4])  // [1, 2, 4]: the numbers 1, 2 and 4
/// ```
package func ascendingRun(in numbers: [Int]) -> [Int] {
  // ends[n] is the index of the smallest number that ends a run of n + 1.
  var ends: [Int] = []
  var previous = Array(repeating: -1, count: numbers.count)
  for (place, number) in numbers.enumerated() {
    let length = ends.indices.firstBehind { numbers[ends[$0]] < number }
    if length > 0 { previous[place] = ends[length - 1] }
    if length == ends.count { ends.append(place) } else { ends[length] = place }
  }
  var run: [Int] = []
  var place = ends.last ?? -1
  while place >= 0 {
    run.append(place)
    place = previous[place]
  }
  return run.reversed()
}

/// The indices of a longest common subsequence; nil beyond the limit of differences. (Myers' greedy
/// algorithm.)
@inlinable
package func commonOrder(
  _ oldCount: Int, _ newCount: Int, limit: Int, isSame: (_ old: Int, _ new: Int) -> Bool
) -> [(old: Int, new: Int)]? {
  // The reach of each diagonal for a number of differences: `reach[diagonal + differences]`, in old
  // elements; -1 if unreachable.
  var reaches: [[Int32]] = []

  func reached(_ diagonal: Int, _ reach: [Int32]) -> Int? {
    let index = diagonal + (reach.count - 1) / 2
    return reach.indices.contains(index) && reach[index] >= 0 ? Int(reach[index]) : nil
  }
  /// The start of equal elements on a diagonal, after a removal or an insertion.
  func start(_ diagonal: Int, after last: [Int32]?) -> (place: Int, isRemoval: Bool)? {
    guard let last else { return (0, false) }
    let removal = reached(diagonal - 1, last).flatMap { $0 < oldCount ? $0 + 1 : nil }
    let insertion = reached(diagonal + 1, last).flatMap { $0 - diagonal <= newCount ? $0 : nil }
    if let removal, removal >= insertion ?? 0 { return (removal, true) }
    return insertion.map { ($0, false) }
  }
  func walkBack() -> [(old: Int, new: Int)] {
    var pairs: [(old: Int, new: Int)] = []
    var (old, new) = (oldCount, newCount)
    for differences in stride(from: reaches.count, through: 0, by: -1) {
      let last = differences > 0 ? reaches[differences - 1] : nil
      let begin = start(old - new, after: last) ?? (0, false)
      while old > begin.place {
        (old, new) = (old - 1, new - 1)
        pairs.append((old, new))
      }
      if begin.isRemoval { old -= 1 } else { new -= 1 }
    }
    return pairs.reversed()
  }

  for differences in 0...min(limit, oldCount + newCount) {
    var reach = [Int32](repeating: -1, count: 2 * differences + 1)
    for diagonal in stride(from: -differences, through: differences, by: 2) {
      guard var place = start(diagonal, after: reaches.last)?.place else { continue }
      while place < oldCount, place - diagonal < newCount, isSame(place, place - diagonal) {
        place += 1
      }
      reach[diagonal + differences] = Int32(place)
      if diagonal == oldCount - newCount, place == oldCount { return walkBack() }
    }
    reaches.append(reach)
  }
  return nil
}
