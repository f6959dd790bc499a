/// Finds what changed between two values. Nil everywhere means: nothing.
struct Comparison {
  var matching: ElementMatching

  /// Below this depth a part that differs is replaced whole.
  static let depthLimit = 200

  func changes(from old: Value, to new: Value, depth: Int = 0) -> ChangeTree? {
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
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter {
      let (left, right) = (old[start], new[start])
      guard left.key.isExactly(right.key) else { break }
      note(left.key, left.value, right.value, in: &result, depth: depth)
      start += 1
    }
    var end = 0
    while end < shorter - start {
      let (left, right) = (old[old.count - 1 - end], new[new.count - 1 - end])
      guard left.key.isExactly(right.key) else { break }
      end += 1
    }
    if start < old.count - end || start < new.count - end {
      noteMembers(
        old: start..<(old.count - end), of: old, new: start..<(new.count - end), of: new,
        in: &result, depth: depth)
    }
    for place in stride(from: end, to: 0, by: -1) {
      let (left, right) = (old[old.count - place], new[new.count - place])
      note(left.key, left.value, right.value, in: &result, depth: depth)
    }
    return result.isEmpty ? nil : result
  }

  private func note(
    _ key: String, _ old: Value, _ new: Value, in result: inout ObjectChanges, depth: Int
  ) {
    if let change = changes(from: old, to: new, depth: depth) {
      result.changed.append((key, change))
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
