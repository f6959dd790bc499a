/// Compares the elements of two arrays where they lie in memory.
///
/// It is asked for every element, so it knows sizes instead of types.
package struct ElementComparer {
  var expected: UnsafeRawPointer
  var actual: UnsafeRawPointer
  var size: Int
  var stride: Int
  /// The `==` of the elements; nil when they have none, or when it is not to be believed.
  var areEqual: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)?
  /// Asked where neither bits nor `==` decide.
  var areSame: (_ expected: Int, _ actual: Int) -> Bool

  func isSame(_ left: Int, _ right: Int) -> Bool {
    let (one, other) = (expected + left * stride, actual + right * stride)
    if Sameness.haveSameBits(one, other, size: size) { return true }
    if let areEqual { return areEqual(one, other) }
    return areSame(left, right)
  }

  /// The `==` of a type, for values of it that lie in memory.
  static func equality<Value>(
    of type: Value.Type
  ) -> ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)? {
    equality(ofAny: type)
  }

  /// The same for a type that is known only when the test runs.
  package static func equality(
    ofAny type: Any.Type
  ) -> ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)? {
    (type as? any Equatable.Type).map { equality(ofEquatable: $0) }
  }

  private static func equality<Value: Equatable>(
    ofEquatable type: Value.Type
  ) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
    { left, right in
      left.assumingMemoryBound(to: type).pointee == right.assumingMemoryBound(to: type).pointee
    }
  }
}
