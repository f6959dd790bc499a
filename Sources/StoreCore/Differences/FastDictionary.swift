/// A dictionary whose entries can be compared without making an `Any` of each.
protocol FastDictionary {
  /// Nil when the other is of another type.
  func compare(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> KeyedChanges?
}

/// What differs between two dictionaries or sets.
struct KeyedChanges {
  struct Change {
    var key: Any
    var expected: Any?
    var actual: Any?
  }

  var sameCount = 0
  var changes: [Change] = []
}

extension Dictionary: FastDictionary {
  func compare(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> KeyedChanges? {
    guard let actual = actual as? [Key: Value] else { return nil }
    var result = KeyedChanges()
    let equal = (Value.self as? any Equatable.Type).flatMap { believesEquality ? $0 : nil }
    for (key, expected) in self {
      guard let other = actual[key] else {
        result.changes.append(.init(key: key, expected: expected, actual: nil))
        continue
      }
      let isSame =
        Sameness.haveSameBits(expected, other)
        || equal.map { LeafEquality.areEqual($0, expected, other) } ?? areSame(expected, other)
      if isSame {
        result.sameCount += 1
      } else {
        result.changes.append(.init(key: key, expected: expected, actual: other))
      }
    }
    for (key, other) in actual where self[key] == nil {
      result.changes.append(.init(key: key, expected: nil, actual: other))
    }
    return result
  }
}

extension Set: FastDictionary {
  func compare(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> KeyedChanges? {
    guard let actual = actual as? Set<Element> else { return nil }
    var result = KeyedChanges()
    for element in self {
      if let index = actual.firstIndex(of: element) {
        if believesEquality || areSame(element, actual[index]) {
          result.sameCount += 1
        } else {
          result.changes.append(.init(key: element, expected: element, actual: actual[index]))
        }
      } else {
        result.changes.append(.init(key: element, expected: element, actual: nil))
      }
    }
    for element in actual where !contains(element) {
      result.changes.append(.init(key: element, expected: nil, actual: element))
    }
    return result
  }
}
