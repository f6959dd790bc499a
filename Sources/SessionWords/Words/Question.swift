import ValueTree

/// What a dependency was asked: its key, its arguments, and, for dates and clocks, the time.
///
/// ```swift
/// switch Question(recorded, at: step.time).isSame(as: asked) {
/// case true?: break   // the recorded answer is the answer
/// case false?: break  // nobody knows what the answer would have been
/// case nil: break     // the same only if everything that led to it was the same
/// }
/// ```
public struct Question: Sendable, Hashable {
  /// The name of the dependency on tape.
  public var key: String
  /// Nil for a dependency that takes none, and where nobody recorded them.
  public var arguments: [Value]?
  /// When it was asked; nil for what does not depend on the time alone, and where no time is known.
  public var time: Duration?

  /// The keys whose answers are functions of the time.
  private static let clocks: Set<String> = ["date", "clock"]

  /// `time` counts only for a date or a clock.
  public init(_ key: String, _ arguments: [Value]? = nil, at time: Duration? = nil) {
    self.key = key
    self.arguments = arguments
    if Self.clocks.contains(key) { self.time = time }
  }

  /// What a read asked; `time` is when.
  public init(_ read: Read, at time: Duration? = nil) {
    self.init(read.key, read.arguments, at: time)
  }

  /// Whether both have the same answer, wherever dependencies are functions of what they are asked.
  /// Nil where that cannot be told: the arguments of one were not recorded, were taken out, or hold
  /// what cannot be compared.
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

  /// Its answers are drawn or counted, or hang on the time alone: asked again it gives something else.
  package static func isDrawn(_ key: String) -> Bool { Read.withoutArguments.contains(key) }

  /// Its answer is a function of what is asked: not of how often, as with what is drawn or counted.
  package var isFunction: Bool { arguments != nil || time != nil }

  /// As people write it: `search("ab", 3)`.
  public var text: String {
    guard let arguments else { return key }
    let words = arguments.map { argument in
      if case .string(let type)? = argument[Self.incomparableKey] { return "<\(type)>" }
      return argument.text()
    }
    return "\(key)(\(words.joined(separator: ", ")))"
  }

  /// What stands for an argument that cannot be compared: an object with this key and the type.
  static let incomparableKey = "notComparable"

  package static func incomparable(_ type: Any.Type) -> Value {
    [incomparableKey: .string("\(type)")]
  }
}

extension Read {
  /// Whether it cannot be told what it asked: nobody recorded it, or it cannot be compared.
  package var isUnclear: Bool {
    guard let arguments else { return !Self.withoutArguments.contains(key) }
    return !arguments.allSatisfy(\.isComparable)
  }

  /// The key of cancel ids that the body of an effect names.
  package static let cancelID = "cancelID"

  /// The keys of what is on tape without the app's doing.
  package static let builtIn: Set<String> = [
    "date", "uuid", "random", "clock", "calendar", "locale", "timeZone", "sharedFile", "stackID",
    cancelID,
  ]

  /// The built-in dependencies, which take none.
  fileprivate static let withoutArguments: Set<String> = [
    "date", "clock", "random", "uuid", "stackID",
  ]
}

extension Value {
  /// Equal to another value only where what it stands for is equal.
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
