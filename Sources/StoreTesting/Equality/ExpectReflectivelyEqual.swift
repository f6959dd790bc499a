import SessionWords
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

/// What comparing two values part by part gave.
public struct ReflectiveComparison: Sendable, Equatable {
  /// Two parts that are not equal, as text.
  public struct Difference: Sendable, Equatable {
    /// Where: `menu[3].title`; empty for the values themselves.
    public var path: String
    /// What was to be there, as text.
    public var expected: String
    /// What is there, as text.
    public var actual: String
  }

  /// All that differs, in the order in which it stands.
  public var differences: [Difference] = []
  /// The paths of closures, which cannot be compared.
  public var ignored: [String] = []

  /// Whether nothing differs.
  public var isEqual: Bool { differences.isEmpty }

  /// Compares two values part by part.
  public init(of actual: Any, to expected: Any) {
    var comparer = ReflectiveComparer()
    comparer.compare(actual, expected)
    self = comparer.result
  }

  init() {}

  /// What a failing test says; nil when the values are equal.
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

  /// Which closures were passed over; nil when there were none.
  public var ignoredMessage: String? {
    guard !ignored.isEmpty else { return nil }
    let paths = ignored.map { $0.isEmpty ? "the values themselves" : $0 }.joined(separator: ", ")
    return "\(counted(ignored.count, "closure")) \(ignored.count == 1 ? "was" : "were") ignored: "
      + paths
  }
}
