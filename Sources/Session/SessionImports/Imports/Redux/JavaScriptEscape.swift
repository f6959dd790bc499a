import SessionFile
import SessionWords
import ValueTree

/// The meaning of a `{"$jsan": "…"}` other than a reference.
///
/// JSON lacks most of these, so they become readable text: `"NaN"`, `"Infinity"` and `"-Infinity"`,
/// a date as RFC 3339, a regular expression as `/source/flags`, an undefined element of a list as
/// null.
enum JavaScriptEscape {
  case value(Value)
  case entries(Value)
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

  /// Whether bytes may hold an escape or a collection of Immutable.js. Most do not, which saves
  /// another pass. (`\u` could spell the keys differently.)
  static func mayStand(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    signs.isFound(in: UnsafeRawBufferPointer(bytes))
  }

  // Of `__serializedType__` the part with a rare letter.
  private static let signs = ["$jsan", "zedType__", "\\u"]
    .flatMap { ByteSearch.all(for: Array($0.utf8)) }

  static func isUndefined(_ value: Value) -> Bool {
    guard case .object(let object) = value, object.count == 1 else { return false }
    return object["$jsan"] == "u"
  }

  /// The entries as an object if all keys are texts, else unchanged.
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

  /// The content of a collection of Immutable.js.
  static func dataOfImmutable(_ object: ValueObject) -> Value? {
    object["__serializedType__"]?.string?.hasPrefix("Immutable") == true ? object["data"] : nil
  }
}
