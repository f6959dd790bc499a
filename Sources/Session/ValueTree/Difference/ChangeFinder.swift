import Platform

/// Finds the changes between two values; nil means no change. If stopped, or too costly in memory
/// or time, it reports the rest as replaced.
struct ChangeFinder {
  var matching: ElementMatching
  let canBeStopped = Interruption.isHeeded
  private let budget: ComparisonBudget

  init(matching: ElementMatching, places: Int = ComparisonBudget.standardPlaces) {
    self.matching = matching
    budget = ComparisonBudget(places: places)
  }

  static let depthLimit = 200

  func changes(from old: Value, to new: Value, depth: Int = 0) -> ChangeTree? {
    let before = budget.places
    var tree = stoppableChanges(from: old, to: new, depth: depth)
    if budget.isSpent {
      budget.places = before
      tree = .replaced(old: old, new: new)
    }
    if case .replaced? = tree { budget.spend(1, depth: depth) }
    return tree
  }

  private func stoppableChanges(from old: Value, to new: Value, depth: Int) -> ChangeTree? {
    if canBeStopped, Interruption.isAsked { return .replaced(old: old, new: new) }
    switch (old, new) {
    case (.object(let left), .object(let right)):
      if left.isIdentical(to: right) { return nil }
      if budget.isExhausted { return .replaced(old: old, new: new) }
      guard depth < Self.depthLimit else { break }
      return objectChanges(from: left, to: right, depth: depth + 1).map { .object($0) }
    case (.array(let left), .array(let right)):
      if left.isIdentical(to: right) { return nil }
      if budget.isExhausted { return .replaced(old: old, new: new) }
      guard depth < Self.depthLimit else { break }
      return arrayChanges(from: left, to: right, depth: depth + 1).map { .array($0) }
    default: break
    }
    return matching.areSame(old, new) ? nil : .replaced(old: old, new: new)
  }

  private func objectChanges(
    from old: ValueObject, to new: ValueObject, depth: Int
  ) -> ObjectChanges? {
    var result = ObjectChanges(new: new)
    guard let left = old.node, let right = new.node else {
      result.removed = Array(old)
      result.added = Array(new)
      budget.spend(result.removed.count + result.added.count, depth: depth)
      return result.isEmpty ? nil : result
    }
    if left.hasSameKeys(as: right) {
      compareMembers(0..<left.head.pointee.count, of: left, 0, of: right, in: &result, depth: depth)
      return result.isEmpty ? nil : result
    }
    let (keys, others) = (left.keys, right.keys)
    let shorter = min(keys.count, others.count)
    var start = 0
    while start < shorter, keys[start].isExactly(others[start]) { start += 1 }
    var end = 0
    while end < shorter - start,
      keys[keys.count - 1 - end].isExactly(others[others.count - 1 - end])
    { end += 1 }
    compareMembers(0..<start, of: left, 0, of: right, in: &result, depth: depth)
    matchMembers(
      old: start..<(keys.count - end), of: old, new: start..<(others.count - end), of: new,
      in: &result, depth: depth)
    compareMembers(
      (keys.count - end)..<keys.count, of: left, others.count - end, of: right, in: &result,
      depth: depth)
    budget.spend(result.removed.count + result.added.count, depth: depth)
    return result.isEmpty ? nil : result
  }

  private func compareMembers(
    _ places: Range<Int>, of old: ValueNode, _ newStart: Int, of new: ValueNode,
    in result: inout ObjectChanges, depth: Int
  ) {
    let (mine, theirs) = (old.elements, new.elements + newStart - places.lowerBound)
    for place in places where !budget.isSpent {
      if SameBits.hold(mine + place, theirs + place) {
        result.keptCount += 1
      } else {
        compareMember(old.keys[place], mine[place], theirs[place], in: &result, depth: depth)
      }
    }
  }

  private func compareMember(
    _ key: String, _ old: Value, _ new: Value, in result: inout ObjectChanges, depth: Int
  ) {
    if let change = changes(from: old, to: new, depth: depth) {
      result.changed.append(MemberChange(key: key, change: change))
    } else {
      result.keptCount += 1
    }
  }

  private func matchMembers(
    old oldPlaces: Range<Int>, of old: ValueObject, new newPlaces: Range<Int>, of new: ValueObject,
    in result: inout ObjectChanges, depth: Int
  ) {
    var unmatched: [ExactText: Int] = [:]
    for place in newPlaces { unmatched[ExactText(new[place].key)] = place }
    for place in oldPlaces where !budget.isSpent {
      let (key, value) = old[place]
      if let other = unmatched.removeValue(forKey: ExactText(key)) {
        compareMember(key, value, new[other].value, in: &result, depth: depth)
      } else {
        result.removed.append((key, value))
      }
    }
    for place in unmatched.values.sorted() { result.added.append(new[place]) }
  }
}

extension ChangeFinder {
  func arrayChanges(from old: ValueArray, to new: ValueArray, depth: Int) -> ArrayChanges? {
    let (start, end) = old.sameEnds(as: new)
    var result = ArrayChanges(old: old, new: new)
    result.keptCount = start + end
    let oldPlaces = start..<(old.count - end)
    let newPlaces = start..<(new.count - end)
    if oldPlaces.isEmpty || newPlaces.isEmpty {
      result.removed = Array(oldPlaces)
      result.added = Array(newPlaces)
    } else {
      match(oldPlaces, newPlaces, in: &result, depth: depth)
    }
    budget.spend(
      result.removed.count + result.added.count + result.moves.count, depth: depth)
    return result.isEmpty ? nil : result
  }

  private func match(
    _ oldPlaces: Range<Int>, _ newPlaces: Range<Int>, in result: inout ArrayChanges, depth: Int
  ) {
    if oldPlaces.count == 1, newPlaces.count == 1 {
      return compareGap(Array(oldPlaces), Array(newPlaces), in: &result, depth: depth)
    }
    if canBeStopped, Interruption.isAsked {
      result.removed = Array(oldPlaces)
      result.added = Array(newPlaces)
      return
    }
    if haveSameIdentities(oldPlaces, of: result.old, newPlaces, of: result.new) {
      return compareElements(
        ElementMatches(inPlace: oldPlaces.count), oldPlaces.lowerBound, newPlaces.lowerBound,
        in: &result, depth: depth)
    }
    guard budget.allows(oldPlaces.count + newPlaces.count),
      budget.allowsLooks(at: result.old[oldPlaces], result.new[newPlaces])
    else { return }
    let tokens = ElementTokens(
      old: result.old[oldPlaces], new: result.new[newPlaces], matching: matching)
    var matches = ElementMatches(tokens: tokens)
    // Plain values at fixed places, like the fields of a board, need no moves.
    if oldPlaces.count == newPlaces.count, tokens.areScalars,
      zip(tokens.old, tokens.new).count(where: { $0 != $1 }) <= matches.editCount
    {
      matches = ElementMatches(inPlace: oldPlaces.count)
    }
    compareElements(matches, oldPlaces.lowerBound, newPlaces.lowerBound, in: &result, depth: depth)
  }

  private func haveSameIdentities(
    _ oldPlaces: Range<Int>, of old: ValueArray, _ newPlaces: Range<Int>, of new: ValueArray
  ) -> Bool {
    oldPlaces.count == newPlaces.count
      && zip(oldPlaces, newPlaces).allSatisfy { left, right in
        guard let identity = matching.identity(of: old[left]) else { return false }
        return identity == matching.identity(of: new[right])
      }
  }

  private func compareElements(
    _ matches: ElementMatches, _ oldStart: Int, _ newStart: Int, in result: inout ArrayChanges,
    depth: Int
  ) {
    var (oldNext, newNext) = (0, 0)
    let ends = ElementPair(old: matches.oldCount, new: matches.newCount)
    for (place, anchor) in (matches.anchors + [ends]).enumerated() where !budget.isSpent {
      let gone = (oldNext..<anchor.old).filter { !matches.movedOld[$0] }.map { $0 + oldStart }
      let come = (newNext..<anchor.new).filter { !matches.movedNew[$0] }.map { $0 + newStart }
      compareGap(gone, come, in: &result, depth: depth)
      (oldNext, newNext) = (anchor.old + 1, anchor.new + 1)
      guard place < matches.anchors.count else { break }
      let pair = ElementPair(old: anchor.old + oldStart, new: anchor.new + newStart)
      result.anchors.append(pair)
      if !compareElement(pair, in: &result, depth: depth) { result.keptCount += 1 }
    }
    for move in matches.moves where !budget.isSpent {
      let pair = ElementPair(old: move.old + oldStart, new: move.new + newStart)
      result.moves.append(pair)
      compareElement(pair, in: &result, depth: depth)
    }
  }

  @discardableResult
  private func compareElement(
    _ pair: ElementPair, in result: inout ArrayChanges, depth: Int
  ) -> Bool {
    let change = changes(from: result.old[pair.old], to: result.new[pair.new], depth: depth)
    if let change { result.changed.append(ElementChange(pair: pair, change: change)) }
    return change != nil
  }

  private func compareGap(
    _ gone: [Int], _ come: [Int], in result: inout ArrayChanges, depth: Int
  ) {
    let (old, new) = (gone.map { result.old[$0] }, come.map { result.new[$0] })
    if GapPairing.looksInside(old, new), !budget.allowsLooks(at: old, new, times: 20) { return }
    let pairs = GapPairing.pairs(old, new)
    for pair in pairs where !budget.isSpent {
      comparePair(
        ElementPair(old: gone[pair.old], new: come[pair.new]), in: &result, depth: depth)
    }
    let (oldPaired, newPaired) = (Set(pairs.map(\.old)), Set(pairs.map(\.new)))
    result.removed += gone.indices.filter { !oldPaired.contains($0) }.map { gone[$0] }
    result.added += come.indices.filter { !newPaired.contains($0) }.map { come[$0] }
  }

  private func comparePair(_ pair: ElementPair, in result: inout ArrayChanges, depth: Int) {
    let (before, after) = (result.old[pair.old], result.new[pair.new])
    result.anchors.append(pair)
    if matching.identity(of: before) != matching.identity(of: after) {
      result.changed.append(
        ElementChange(pair: pair, change: .replaced(old: before, new: after)))
    } else if !compareElement(pair, in: &result, depth: depth) {
      result.keptCount += 1
    }
  }
}

/// A limit on memory and time. Shared parts are visited once for each place, so a file of a few
/// kilobytes could ask for gigabytes.
final class ComparisonBudget {
  /// 400,000 places behind two keys each take about 200 MB.
  static let standardPlaces = 4_000_000
  private static let mostElements = 2_000_000
  private static let standardLooks = 1 << 30

  /// The remaining memory: each change holds the keys on the way to it.
  var places: Int
  /// The remaining time; changes that were dropped again count, too.
  private var work: Int
  private var looks = standardLooks

  init(places: Int) { (self.places, work) = (places, 4 * places) }

  var isSpent: Bool { places < 0 }

  /// Whether the comparison is over: containers with different storage count as replaced.
  var isExhausted: Bool { work < 0 }

  func spend(_ count: Int, depth: Int) {
    places -= count * (depth + 8)
    work -= count * (depth + 8)
  }

  /// Whether so many elements may be matched; if not, nothing is left.
  func allows(_ elements: Int) -> Bool {
    if elements > Self.mostElements { places = -1 }
    return !isSpent
  }

  func allowsLooks(
    at old: some Collection<Value>, _ new: some Collection<Value>, times: Int = 1
  ) -> Bool {
    for value in old { looks &-= value.weight &* times }
    for value in new { looks &-= value.weight &* times }
    if looks < 0 { (places, work) = (-1, -1) }
    return !isSpent
  }
}

extension ValueArray {
  fileprivate func sameEnds(as other: ValueArray) -> (start: Int, end: Int) {
    guard let node, let otherNode = other.node else { return (0, 0) }
    defer { withExtendedLifetime((node, otherNode)) {} }
    let (mine, theirs) = (node.elements, otherNode.elements)
    let (count, otherCount) = (node.head.pointee.count, otherNode.head.pointee.count)
    let shorter = Swift.min(count, otherCount)
    var comparison = ValueComparison<SameText>()
    var start = 0
    while true {
      start += SameBits.prefix(mine + start, theirs + start, count: shorter - start)
      guard start < shorter,
        comparison.areEqual(mine + start, theirs + start)
      else { break }
      start += 1
    }
    var end = 0
    let rest = shorter - start
    while true {
      end += SameBits.suffix(
        endingAt: mine + (count - end), theirs + (otherCount - end), count: rest - end)
      guard end < rest,
        comparison.areEqual(
          mine + (count - end - 1), theirs + (otherCount - end - 1))
      else { break }
      end += 1
    }
    return (start, end)
  }
}
