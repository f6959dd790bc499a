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
  var quick = DifferenceFinder(believesEquality: true)
  var node = quick.node(expected, actual, isRoot: true)
  if node == nil {
    // Somebody's `==` may call equal what is not.
    var thorough = DifferenceFinder(believesEquality: false)
    node = thorough.node(expected, actual, isRoot: true)
  }
  guard let node else { return nil }
  var text = DifferenceText()
  text.append(node, label: "", depth: 0)
  return text.lines.joined(separator: "\n")
}
