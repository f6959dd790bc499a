/// A sequence whose elements can be compared without making an `Any` of each.
protocol FastSequence {
  var elementCount: Int { get }
  func element(_ index: Int) -> Any
  /// Nil when the other is of another type. `areSame` is asked where neither bits nor `==` decide.
  func align(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> (alignment: Alignment, actual: any FastSequence)?
}

extension Array: FastSequence {
  var elementCount: Int { count }
  func element(_ index: Int) -> Any { self[index] }

  func align(
    with actual: Any, believesEquality: Bool, areSame: (Any, Any) -> Bool
  ) -> (alignment: Alignment, actual: any FastSequence)? {
    guard let actual = actual as? [Element] else { return nil }
    let alignment = withUnsafeBufferPointer { expected in
      actual.withUnsafeBufferPointer { actual in
        withoutActuallyEscaping(areSame) { areSame in
          let comparer = ElementComparer(
            expected: expected, actual: actual, believesEquality: believesEquality,
            areSame: areSame)
          return Alignment(comparer.question)
        }
      }
    }
    return (alignment, actual)
  }
}

/// Compares the elements of two arrays where they lie.
private struct ElementComparer<Element> {
  var expected: UnsafeBufferPointer<Element>
  var actual: UnsafeBufferPointer<Element>
  var believesEquality: Bool
  var areSame: (Any, Any) -> Bool

  var question: Alignment.Question {
    Alignment.Question(
      expectedCount: expected.count, actualCount: actual.count, isSame: isSame,
      expectedIDs: { ids(expected[$0]) }, actualIDs: { ids(actual[$0]) })
  }

  private func isSame(_ left: Int, _ right: Int) -> Bool {
    guard let left = expected.baseAddress.map({ $0 + left }),
      let right = actual.baseAddress.map({ $0 + right })
    else { return true }
    if Sameness.haveSameBits(left, right, size: MemoryLayout<Element>.size) { return true }
    if believesEquality, let areEqual = Sameness.areEqual(left, right) { return areEqual }
    return areSame(left.pointee, right.pointee)
  }

  private func ids(_ elements: Slice<UnsafeBufferPointer<Element>>) -> [AnyHashable]? {
    guard Element.self is any Identifiable.Type else { return nil }
    return elements.compactMap { element in
      (element as? any Identifiable).map { AnyHashable(identityOf: $0) }
    }
  }
}

extension AnyHashable {
  init<Value: Identifiable>(identityOf value: Value) {
    self.init(value.id)
  }
}
