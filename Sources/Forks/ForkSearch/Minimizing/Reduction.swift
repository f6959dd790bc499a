/// Finds few actions that still reach the goal.
///
/// Elements least likely to be needed come first. A sweep drops a stretch at a time: a longer one
/// after each success, half of it after a failure, down to one needed element. It decides each
/// element once; if the answers are monotone, the result is minimal. A last pass then asks for each
/// element alone, so the result is 1-minimal in any case.
extension Minimizer {
  /// Stops once `limit` elements are needed.
  func sweep(_ elements: [Int], from start: Int? = nil, below limit: Int = .max) async throws {
    var rest = elements[...]
    var needed: [Int] = []
    var size = max(1, min(start ?? elements.count / 2, elements.count))
    var bound = Int.max
    var gap = 0
    while !rest.isEmpty, needed.count < limit {
      size = min(size, rest.count)
      var sizes = [size]
      while sizes.count < trials.lanes, let smaller = sizes.last, smaller > 1 {
        sizes.append(smaller / 2)
      }
      if let index = try await first(of: sizes.map { needed + rest.dropFirst($0) }) {
        let dropped = sizes[index]
        rest = rest.dropFirst(dropped)
        gap += dropped
        if index > 0 { bound = sizes[index - 1] }
        bound = bound == .max ? .max : bound - dropped
        size = bound == .max ? dropped * 2 : max(1, bound / 2)
        await accept(needed + rest)
      } else if sizes.last == 1, let element = rest.popFirst() {
        needed.append(element)
        bound = .max
        size = max(1, gap / 2)
        gap = 0
      } else if let smallest = sizes.last {
        bound = smallest
        size = smallest / 2
      }
    }
  }

  /// Asks for each element alone, until none can go. If few are left, asks for pairs too: they may
  /// undo each other.
  func lastPass(_ elements: [Int]) async throws {
    var left = elements
    var place = 0
    var failed = 0
    while failed < left.count {
      let order = (0..<min(trials.lanes, left.count - failed)).map { (place + $0) % left.count }
      if let found = try await first(of: order.map { left.removing([$0]) }) {
        place = order[found]
        left.remove(at: place)
        failed = 0
        await accept(left)
      } else {
        failed += order.count
        place += order.count
      }
      place = left.isEmpty ? 0 : place % left.count
    }
    guard Self.pairedSizes.contains(left.count) else { return }
    let pairs = left.indices.flatMap { one in left.indices[(one + 1)...].map { [one, $0] } }
    guard let index = try await first(of: pairs.map { left.removing($0) }) else { return }
    await accept(left.removing(pairs[index]))
    try await lastPass(left.removing(pairs[index]))
  }

  static var pairedSizes: ClosedRange<Int> { 4...7 }
}

extension Array {
  fileprivate func removing(_ places: [Int]) -> [Element] {
    indices.filter { !places.contains($0) }.map { self[$0] }
  }
}
