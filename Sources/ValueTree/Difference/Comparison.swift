import Platform

/// Finds what changed between two values. Nil everywhere means: nothing. Work that is stopped finds that
/// all the rest was replaced.
struct Comparison {
  var matching: ElementMatching
  let canBeStopped = Interruption.isHeeded

  init(matching: ElementMatching) { self.matching = matching }

  /// Below this depth a part that differs is replaced whole.
  static let depthLimit = 200

  func changes(from old: Value, to new: Value, depth: Int = 0) -> ChangeTree? {
    if canBeStopped, Interruption.isAsked { return .replaced(old: old, new: new) }
    switch (old, new) {
    case (.object(let left), .object(let right)):
      if left.isIdentical(to: right) { return nil }
      guard depth < Self.depthLimit else { break }
      return objectChanges(from: left, to: right, depth: depth + 1).map { .object($0) }
    case (.array(let left), .array(let right)):
      if left.isIdentical(to: right) { return nil }
      guard depth < Self.depthLimit else { break }
      return arrayChanges(from: left, to: right, depth: depth + 1).map { .array($0) }
    default: break
    }
    return old.isExactlyEqual(to: new) ? nil : .replaced(old: old, new: new)
  }

  private func objectChanges(
    from old: ValueObject, to new: ValueObject, depth: Int
  ) -> ObjectChanges? {
    var result = ObjectChanges(new: new)
    guard let left = old.node, let right = new.node else {
      result.removed = Array(old)
      result.added = Array(new)
      return result.isEmpty ? nil : result
    }
    if left.head.pointee.shape.hasSameKeys(as: right.head.pointee.shape) {
      note(0..<left.head.pointee.count, of: left, 0, of: right, in: &result, depth: depth)
      return result.isEmpty ? nil : result
    }
    let (keys, others) = (left.head.pointee.shape.keys, right.head.pointee.shape.keys)
    let shorter = min(keys.count, others.count)
    var start = 0
    while start < shorter, keys[start].isExactly(others[start]) { start += 1 }
    var end = 0
    while end < shorter - start,
      keys[keys.count - 1 - end].isExactly(others[others.count - 1 - end])
    { end += 1 }
    note(0..<start, of: left, 0, of: right, in: &result, depth: depth)
    noteMembers(
      old: start..<(keys.count - end), of: old, new: start..<(others.count - end), of: new,
      in: &result, depth: depth)
    note(
      (keys.count - end)..<keys.count, of: left, others.count - end, of: right, in: &result,
      depth: depth)
    return result.isEmpty ? nil : result
  }

  /// Members with the same keys in the same order.
  private func note(
    _ places: Range<Int>, of old: ObjectNode, _ newStart: Int, of new: ObjectNode,
    in result: inout ObjectChanges, depth: Int
  ) {
    let (mine, theirs) = (old.elements, new.elements + newStart - places.lowerBound)
    for place in places {
      if SameBits.hold(mine + place, theirs + place) {
        result.keptCount += 1
      } else {
        note(
          old.head.pointee.shape.keys[place], mine[place], theirs[place], in: &result, depth: depth)
      }
    }
  }

  private func note(
    _ key: String, _ old: Value, _ new: Value, in result: inout ObjectChanges, depth: Int
  ) {
    if let change = changes(from: old, to: new, depth: depth) {
      result.changed.append(MemberChange(key: key, change: change))
    } else {
      result.keptCount += 1
    }
  }

  /// Members whose keys stand in different orders.
  private func noteMembers(
    old oldPlaces: Range<Int>, of old: ValueObject, new newPlaces: Range<Int>, of new: ValueObject,
    in result: inout ObjectChanges, depth: Int
  ) {
    var unmatched: [ExactText: Int] = [:]
    for place in newPlaces { unmatched[ExactText(new[place].key)] = place }
    for place in oldPlaces {
      let (key, value) = old[place]
      if let other = unmatched.removeValue(forKey: ExactText(key)) {
        note(key, value, new[other].value, in: &result, depth: depth)
      } else {
        result.removed.append((key, value))
      }
    }
    for place in unmatched.values.sorted() { result.added.append(new[place]) }
  }
}
