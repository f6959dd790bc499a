import StoreCore

/// What a person sees of two values that differ: minus expected, plus actual.
///
/// ```
///   Cart(
///     items: [
///       … (3 unchanged)
///       [3]: Item(
///         id: 3
/// −       quantity: 1
/// +       quantity: 2
///       )
///     ]
///     … (1 unchanged)
///   )
/// ```
///
/// Nil when there is nothing to be seen. Elements of collections are matched by their identity
/// where they have one, entries of dictionaries by their key. Closures are passed over.
public func readableDifference<Value>(expected: Value, actual: Value) -> String? {
  DifferenceText.of(expected: expected, actual: actual) { actual, expected in
    ReflectiveComparison(of: actual, to: expected).isEqual
  }
}
