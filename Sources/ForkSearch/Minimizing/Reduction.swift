/// Finds few elements for which something still happens.
///
/// The elements come with the ones that are least likely to be needed first. A sweep drops a stretch of
/// them at a time: a longer one after each that could go, half of it after one that could not, down to the
/// one element that is needed. A stretch is as long as it was from one needed element to the next. Each
/// element is decided once; where the answers are monotone that is minimal already. In any case a last pass
/// asks for each element alone until none can go: the result is 1-minimal.
struct Reduction<Element: Hashable & Sendable>: Sendable {
  /// Which of the sets, in their order, is the first for which it happens.
  let first: @Sendable ([[Element]]) async throws -> Int?
  /// How many sets are asked for at once.
  let width: Int
  /// Told whenever fewer elements are enough.
  let onBest: @Sendable ([Element]) async -> Void

  /// Is given up when so many are needed as `limit` says.
  @discardableResult
  func sweep(
    _ elements: [Element], from start: Int? = nil, below limit: Int = .max
  ) async throws -> [Element] {
    var rest = elements[...]
    var needed: [Element] = []
    var size = max(1, min(start ?? elements.count / 2, elements.count))
    /// The next so many cannot all go.
    var bound = Int.max
    var gap = 0
    while !rest.isEmpty, needed.count < limit {
      size = min(size, rest.count)
      var sizes = [size]
      while sizes.count < width, let smaller = sizes.last, smaller > 1 { sizes.append(smaller / 2) }
      if let index = try await first(sizes.map { needed + rest.dropFirst($0) }) {
        let dropped = sizes[index]
        rest = rest.dropFirst(dropped)
        gap += dropped
        if index > 0 { bound = sizes[index - 1] }
        bound = bound == .max ? .max : bound - dropped
        size = bound == .max ? dropped * 2 : max(1, bound / 2)
        await onBest(needed + rest)
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
    return needed + rest
  }

  /// Asks for each element alone, until none can go. Of a few that are left pairs are asked for, too: what
  /// one of them does another may take back.
  @discardableResult
  func lastPass(_ elements: [Element]) async throws -> [Element] {
    var kept = elements
    var place = 0
    var failed = 0
    while failed < kept.count {
      let order = (0..<min(width, kept.count - failed)).map { (place + $0) % kept.count }
      if let found = try await first(order.map { kept.removing([$0]) }) {
        place = order[found]
        kept.remove(at: place)
        failed = 0
        await onBest(kept)
      } else {
        failed += order.count
        place += order.count
      }
      place = kept.isEmpty ? 0 : place % kept.count
    }
    guard Self.pairedSizes.contains(kept.count) else { return kept }
    let pairs = kept.indices.flatMap { one in kept.indices[(one + 1)...].map { [one, $0] } }
    guard let index = try await first(pairs.map { kept.removing($0) }) else { return kept }
    await onBest(kept.removing(pairs[index]))
    return try await lastPass(kept.removing(pairs[index]))
  }

  /// So many are few enough to ask for two of them at once.
  static var pairedSizes: ClosedRange<Int> { 4...7 }
}

extension Array {
  fileprivate func removing(_ places: [Int]) -> [Element] {
    indices.filter { !places.contains($0) }.map { self[$0] }
  }
}
