/// A sequence whose elements can be compared without making an `Any` of each.
protocol FastSequence {
  var count: Int { get }
  func element(_ index: Int) -> Any
  /// Nil when the other is of another type. `areSame` is asked where neither bits nor `==` decide.
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
    // Where one side is empty there is nothing to compare.
    guard let expected = left.baseAddress, let actual = right.baseAddress else {
      return { _, _ in false }
    }
    let comparer = ElementComparer(
      expected: expected, actual: actual, size: MemoryLayout<Element>.size,
      stride: MemoryLayout<Element>.stride,
      areEqual: believesEquality ? ElementComparer.equality(of: Element.self) : nil,
      areSame: { areSame(left[$0], right[$1]) })
    return comparer.isSame
  }

  private static func ids(_ elements: Slice<UnsafeBufferPointer<Element>>) -> [AnyHashable]? {
    guard Element.self is any Identifiable.Type else { return nil }
    return elements.compactMap { element in
      (element as? any Identifiable).map { AnyHashable(identityOf: $0) }
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

extension AnyHashable {
  fileprivate init<Value: Identifiable>(identityOf value: Value) {
    self.init(value.id)
  }
}
