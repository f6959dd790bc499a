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
              expectedIDs: { Self.ids(left[$0]) }, actualIDs: { Self.ids(right[$0]) }))
        }
      }
    }
    return (alignment, actual)
  }

  private static func comparison(
    _ left: UnsafeBufferPointer<Element>, _ right: UnsafeBufferPointer<Element>,
    _ believesEquality: Bool, _ areSame: @escaping (Any, Any) -> Bool
  ) -> (Int, Int) -> Bool {
    guard let expected = left.baseAddress, let actual = right.baseAddress else {
      return { _, _ in false }
    }
    let comparer = ElementComparer(
      expected: expected, actual: actual, size: MemoryLayout<Element>.size,
      stride: MemoryLayout<Element>.stride,
      areEqual: believesEquality ? ElementComparer.equality(ofAny: Element.self) : nil,
      areSame: { areSame(left[$0], right[$1]) })
    return comparer.isSame
  }

  private static func ids(_ elements: Slice<UnsafeBufferPointer<Element>>) -> [AnyHashable]? {
    guard Element.self is any Identifiable.Type else { return nil }
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
    var result = KeyedChanges()
    for element in self {
      let other = actual.firstIndex(of: element).map { actual[$0] }
      if let other, believesEquality || areSame(element, other) {
        result.sameCount += 1
      } else {
        result.changes.append(.init(key: element, expected: element, actual: other))
      }
    }
    for element in actual where !contains(element) {
      result.changes.append(.init(key: element, expected: nil, actual: element))
    }
    return result
  }
}

/// Compares array elements in memory.
///
/// Called for every element, so it works with sizes instead of types.
package struct ElementComparer {
  var expected: UnsafeRawPointer
  var actual: UnsafeRawPointer
  var size: Int
  var stride: Int
  /// The elements' `==`; nil if missing or not trusted.
  var areEqual: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)?
  var areSame: (_ expected: Int, _ actual: Int) -> Bool

  func isSame(_ left: Int, _ right: Int) -> Bool {
    let (one, other) = (expected + left * stride, actual + right * stride)
    if Sameness.haveSameBits(one, other, size: size) { return true }
    if let areEqual { return areEqual(one, other) }
    return areSame(left, right)
  }

  package static func equality(
    ofAny type: Any.Type
  ) -> ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)? {
    func equality<Value: Equatable>(
      _ type: Value.Type
    ) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
      { left, right in
        left.assumingMemoryBound(to: type).pointee == right.assumingMemoryBound(to: type).pointee
      }
    }
    return (type as? any Equatable.Type).map { equality($0) }
  }
}
