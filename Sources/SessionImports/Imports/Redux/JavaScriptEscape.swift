import SessionFile
import SessionWords
import ValueTree

/// What one `{"$jsan": "…"}` stands for, other than a reference.
///
/// JSON has no word for most of these, so they become text that a person reads as what they were.
/// Numbers that are not finite become `"NaN"`, `"Infinity"` and `"-Infinity"`, a date its RFC 3339
/// text, a regular expression `/source/flags`, an undefined element of a list null.
enum JavaScriptEscape {
  case value(Value)
  /// The entries of a map, whose keys and values can hold escapes themselves.
  case entries(Value)
  /// The members of a set.
  case members(Value)

  init(_ text: String) {
    let rest = String(text.dropFirst())
    switch text.first {
    case "d": self = .value(.string(Self.date(rest)))
    case "r": self = .value(.string(Self.regularExpression(rest)))
    case "u": self = .value(.null)
    case "n": self = .value("NaN")
    case "i": self = .value("Infinity")
    case "y": self = .value("-Infinity")
    case "m": self = (try? Value(parsing: rest)).map { .entries($0) } ?? .value(.string(text))
    case "l": self = (try? Value(parsing: rest)).map { .members($0) } ?? .value(.string(text))
    case "e": self = .value(.string("Error: \(rest)"))
    case "s", "g": self = .value(.string("Symbol(\(rest))"))
    case "f": self = .value(.string("[Function \(rest)]"))
    default: self = .value(.string(text))
    }
  }

  /// Whether bytes may hold an escape or a collection of Immutable.js. Most hold none, and need not be
  /// gone through again. (`\u` could spell the keys in another way.)
  static func mayStand(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in signs.contains { $0.firstIndex(in: bytes, from: 0) != nil } }
  }

  private static let signs = ["$jsan", "__serializedType__", "\\u"]
    .flatMap { ByteSearch.all(for: Array($0.utf8)) }

  /// A member that JavaScript would leave out when it writes JSON.
  static func isUndefined(_ value: Value) -> Bool {
    guard case .object(let object) = value, object.count == 1 else { return false }
    return object["$jsan"] == "u"
  }

  /// The entries of a map as an object when every key is a text, else as they are.
  static func map(_ entries: Value) -> Value {
    guard case .array(let pairs) = entries else { return entries }
    var members: [ValueObject.Element] = []
    var seen: Set<String> = []
    for pair in pairs {
      guard let key = pair[0]?.string, let value = pair[1], seen.insert(key).inserted else {
        return entries
      }
      members.append((key, value))
    }
    return .object(ValueObject(members))
  }

  private static func date(_ text: String) -> String {
    guard let milliseconds = Double(text), abs(milliseconds) < 8.64e15 else { return text }
    return UTCText.of(milliseconds: Int64(milliseconds.rounded(.down))) ?? text
  }

  private static func regularExpression(_ text: String) -> String {
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? "/\(parts[1])/\(parts[0])" : "/\(text)/"
  }
}

/// The collections of Immutable.js, as they are written for Redux DevTools.
enum ImmutableCollection {
  /// The plain data inside, or nil when the object is none of them.
  static func data(of object: ValueObject) -> Value? {
    object["__serializedType__"]?.string?.hasPrefix("Immutable") == true ? object["data"] : nil
  }
}
