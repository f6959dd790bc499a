/// The places of a longest run of numbers that ascends, in their order.
///
/// ```swift
/// ascendingRun(in: [3, 1, 2, 0, 4])  // [1, 2, 4]: the numbers 1, 2 and 4
/// ```
package func ascendingRun(in numbers: [Int]) -> [Int] {
  // ends[n] is the place of the smallest number that ends an ascending run of n + 1.
  var ends: [Int] = []
  var previous = Array(repeating: -1, count: numbers.count)
  for (place, number) in numbers.enumerated() {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    if low > 0 { previous[place] = ends[low - 1] }
    if low == ends.count { ends.append(place) } else { ends[low] = place }
  }
  var run: [Int] = []
  var place = ends.last ?? -1
  while place >= 0 {
    run.append(place)
    place = previous[place]
  }
  return run.reversed()
}
