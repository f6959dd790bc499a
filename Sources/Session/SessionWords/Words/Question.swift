import ValueTree

/// The question to a dependency: its key, its arguments, and for dates and clocks the time.
///
/// ```swift
/// switch Question(recorded, at: step.time).isSame(as: asked) {
/// case true?: break   // the recorded answer is the answer
/// case false?: break  // nobody knows what the answer would have been
/// case nil: break     // the same only if everything that led to it was the same
/// }
/// ```
public struct Question: Sendable, Hashable {
  /// The name of the recorded dependency.
  public var key: String
  /// The arguments; nil if it takes none, or if not recorded.
  public var arguments: [Value]?
  /// The time of the question; nil if it does not matter, or is unknown.
  public var time: Duration?

  /// Keys with answers that depend on the time.
  private static let clocks: Set<String> = ["date", "clock"]

  /// Creates a question; `time` counts only for a date or a clock.
  public init(_ key: String, _ arguments: [Value]? = nil, at time: Duration? = nil) {
    self.key = key
    self.arguments = arguments
    if Self.clocks.contains(key) { self.time = time }
  }

  /// Creates the question of a read.
  public init(_ read: Read, at time: Duration? = nil) {
    self.init(read.key, read.arguments, at: time)
  }

  /// Whether both have the same answer, if dependencies depend only on their question. Nil if
  /// unknown: arguments were not recorded, were redacted, or cannot be compared.
  public func isSame(as other: Question) -> Bool? {
    guard key == other.key, time == other.time else { return false }
    guard let arguments, let others = other.arguments else {
      return arguments == nil && other.arguments == nil ? true : nil
    }
    guard arguments.count == others.count else { return false }
    var isCertain = true
    for (one, another) in zip(arguments, others) {
      if !one.isComparable || !another.isComparable {
        isCertain = false
      } else if !one.isExactlyEqual(to: another) {
        return false
      }
    }
    return isCertain ? true : nil
  }

  /// Whether answers are drawn, counted or timed: each question gets a new one.
  package static func isDrawn(_ key: String) -> Bool { Read.withoutArguments.contains(key) }

  /// The question for people: `search("ab", 3)`.
  public var text: String {
    guard let arguments else { return key }
    let words = arguments.map { argument in
      if case .string(let type)? = argument[Self.incomparableKey] { return "<\(type)>" }
      return argument.text()
    }
    return "\(key)(\(words.joined(separator: ", ")))"
  }

  /// The key that marks an argument that cannot be compared; its value is the type.
  static let incomparableKey = "notComparable"

  package static func incomparable(_ type: Any.Type) -> Value {
    [incomparableKey: .string("\(type)")]
  }
}

extension Read {
  /// Whether its arguments are unknown or cannot be compared.
  package var isUnclear: Bool {
    guard let arguments else { return !Self.withoutArguments.contains(key) }
    return !arguments.allSatisfy(\.isComparable)
  }

  /// The key of cancel ids that an effect's body uses.
  package static let cancelID = "cancelID"

  package static let builtIn: Set<String> = [
    "date", "uuid", "random", "clock", "calendar", "locale", "timeZone", "sharedFile", "stackID",
    cancelID,
  ]

  fileprivate static let withoutArguments: Set<String> = [
    "date", "clock", "random", "uuid", "stackID",
  ]
}

extension Value {
  /// Whether equality of this value means equal originals.
  fileprivate var isComparable: Bool {
    switch self {
    case .object(let object):
      object[Question.incomparableKey] == nil && object.allSatisfy { $0.value.isComparable }
    case .array(let array): array.allSatisfy(\.isComparable)
    case .string: self != Redaction.placeholder
    default: true
    }
  }
}
