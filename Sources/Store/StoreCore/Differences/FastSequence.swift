/// A sequence whose elements compare without boxing each in an `Any`.
protocol FastSequence {
  var count: Int { get }
  func element(_ index: Int) -> Any
  /// Nil for different types. `areSame` decides if neither bits nor `==` can.
  func align(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> (alignment: Alignment, actual: any FastSequence)?
}

extension Array: FastSequence {
  func element(_ index: Int) -> Any { self[index] }

  func align(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> (alignment: Alignment, actual: any FastSequence)? {
    guard let actual = actual as? [Element] else { return nil }
    let alignment = withUnsafeBufferPointer { left in
      actual.withUnsafeBufferPointer { right in
        withoutActuallyEscaping(areSame) { areSame in
          Alignment(
            Alignment.Question(
              expectedCount: left.count, actualCount: right.count,
              isSame: Self.comparison(left, right, believesEquality, areSame),
              ids: Element.self is any Identifiable.Type
                ? { (Self.ids(left[$0]), Self.ids(right[$1])) } : nil))
        }
      }
    }
    return (alignment, actual)
  }

  /// Compares elements in memory. Called for every one, so it works with sizes instead of types.
  private static func comparison(
    _ left: UnsafeBufferPointer<Element>, _ right: UnsafeBufferPointer<Element>,
    _ believesEquality: Bool, _ areSame: @escaping (Any, Any) -> Bool
  ) -> (Int, Int) -> Bool {
    guard let expected = UnsafeRawPointer(left.baseAddress),
      let actual = UnsafeRawPointer(right.baseAddress)
    else { return { _, _ in false } }
    let (size, stride) = (MemoryLayout<Element>.size, MemoryLayout<Element>.stride)
    let areEqual = believesEquality ? LeafEquality.inMemory(of: Element.self) : nil
    return { index, other in
      let (one, two) = (expected + index * stride, actual + other * stride)
      return Sameness.haveSameBits(one, two, size: size)
        || areEqual?(one, two) ?? areSame(left[index], right[other])
    }
  }

  private static func ids(_ elements: Slice<UnsafeBufferPointer<Element>>) -> [AnyHashable] {
    func identity(_ value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }
    return elements.compactMap { element in
      (element as? any Identifiable).map { identity($0) }
    }
  }
}

extension IdentifiedArray: FastSequence {
  func element(_ index: Int) -> Any { elements[index] }

  func align(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> (alignment: Alignment, actual: any FastSequence)? {
    guard let actual = actual as? Self else { return nil }
    return elements.align(
      with: actual.elements, believesEquality: believesEquality, areSame: areSame)
  }
}

protocol FastDictionary {
  func compare(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> KeyedChanges?
}

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
      let other = actual[key]
      if let other,
        Sameness.haveSameBits(expected, other)
          || equal.map({ LeafEquality.areEqual($0, expected, other) }) ?? areSame(expected, other)
      {
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
    func keyed(_ set: Self) -> [Element: Element] {
      Dictionary(set.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
    }
    return keyed(self).compare(
      with: keyed(actual), believesEquality: believesEquality, areSame: areSame)
  }
}
