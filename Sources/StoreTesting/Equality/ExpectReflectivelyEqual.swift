import StoreCore

/// Expects that two values are made of equal parts, whether or not their types are `Equatable`.
///
/// ```swift
/// expectReflectivelyEqual([Dish(title: "Soup"), Dish(title: "Salad")], kitchen.menu)
/// ```
///
/// Objects are equal when their parts are. Sets and dictionaries are compared without regard to
/// order. Closures cannot be compared: they are ignored, and a note says which.
@discardableResult
public func expectReflectivelyEqual<Value>(
  _ expected: Value, _ actual: Value, reporter: FailureReporter = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) -> ReflectiveComparison {
  let comparison = ReflectiveComparison(of: actual, to: expected)
  let place = SourcePlace(fileID, filePath, line)
  if let message = comparison.message {
    reporter.report(Failure(message, place: place))
  } else if let note = comparison.ignoredMessage {
    reporter.report(Failure(note, kind: .note, place: place))
  }
  return comparison
}
