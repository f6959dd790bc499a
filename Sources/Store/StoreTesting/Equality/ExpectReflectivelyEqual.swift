import SessionWords
import StoreCore

/// Expects that two values have equal parts, even if their types are not `Equatable`.
///
/// ```swift
/// expectReflectivelyEqual([Dish(title: "Soup"), Dish(title: "Salad")], kitchen.menu)
/// ```
///
/// Objects are equal if their parts are. Sets and dictionaries compare in any order. Closures
/// cannot be compared: they are ignored, and a note lists them.
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

/// The visible differences of two values: minus expected, plus actual.
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
/// Nil if no difference is visible. Matches elements by identity, if any, and dictionary entries by
/// key. Ignores closures.
public func readableDifference<Value>(expected: Value, actual: Value) -> String? {
  DifferenceText.of(expected: expected, actual: actual) { actual, expected in
    ReflectiveComparison(of: actual, to: expected).isEqual
  }
}

/// The result of comparing two values part by part.
public struct ReflectiveComparison: Sendable, Equatable {
  /// Two different parts, as text.
  public struct Difference: Sendable, Equatable {
    /// The path: `menu[3].title`; empty for the whole values.
    public var path: String
    /// The expected part.
    public var expected: String
    /// The actual part.
    public var actual: String
  }

  /// All differences, in order.
  public var differences: [Difference] = []
  /// The paths of closures, which cannot be compared.
  public var ignored: [String] = []

  /// Whether there were no differences.
  public var isEqual: Bool { differences.isEmpty }

  /// Compares two values part by part.
  public init(of actual: Any, to expected: Any) {
    var comparer = ReflectiveComparer()
    comparer.compare(actual, expected)
    self = comparer.result
  }

  init() {}

  /// A failing test's message; nil if equal.
  public var message: String? {
    guard !isEqual else { return nil }
    let count = counted(differences.count, "difference")
    let paragraphs = differences.prefix(20).map { difference in
      let place = difference.path.isEmpty ? "" : difference.path + "\n"
      return "\(place)− \(difference.expected)\n+ \(difference.actual)"
    }
    var text = "\(count) (− expected, + actual):\n\n" + paragraphs.joined(separator: "\n\n")
    if differences.count > 20 { text += "\n\n… and \(differences.count - 20) more" }
    if let ignored = ignoredMessage { text += "\n\n" + ignored }
    return text
  }

  /// The message about ignored closures, if any.
  public var ignoredMessage: String? {
    guard !ignored.isEmpty else { return nil }
    let paths = ignored.map { $0.isEmpty ? "the values themselves" : $0 }.joined(separator: ", ")
    return "\(counted(ignored.count, "closure")) \(ignored.count == 1 ? "was" : "were") ignored: "
      + paths
  }
}
