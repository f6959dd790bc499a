import FoundationEssentials
import TestSupport
import ValueTree

/// Random values of every kind: numbers of all forms, hostile text, objects with many keys.
struct WildValues {
  var generator: SeededGenerator

  mutating func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func value(depth: Int = 5) -> Value {
    switch pick(0..<(depth <= 0 ? 8 : 12)) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2...5: return .number(number())
    case 6, 7: return .string(text())
    case 8, 9:
      return .array(ValueArray((0..<pick(0..<6)).map { _ in value(depth: depth - 1) }))
    default:
      let count = pick(0..<20) == 0 ? 30 : pick(0..<6)
      return .object(
        ValueObject((0..<count).map { _ in (key: text(), value: value(depth: depth - 1)) }))
    }
  }

  mutating func number() -> Number {
    let bits = UInt64.random(in: .min ... .max, using: &generator)
    switch pick(0..<8) {
    case 0: return .integer(Int64(bitPattern: bits))
    case 1: return .integer(Int64(pick(-1000..<1000)))
    case 2: return Number(text: String(bits)) ?? .integer(0)
    case 3:
      let double = Double(bitPattern: bits)
      return .double(double.isFinite ? double : 0.1)
    case 4: return .double(Double(pick(-100_000..<100_000)) / 100)
    case 5: return .double([0.0, -0.0, 1.0, 1e16, .leastNonzeroMagnitude, 0.1][pick(0..<6)])
    case 6: return Number(text: "\(bits)\(bits).\(bits)") ?? .integer(0)
    default:
      return Number(text: ["1e5", "-0", "1.50", "1E-7", "12e+400", "0.000"][pick(0..<6)])
        ?? .integer(0)
    }
  }

  mutating func text() -> String {
    let parts = [
      "a", "title", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "\u{E9}", "e\u{301}", "👩‍🚀",
      "\u{2028}", "\u{FFFD}", "\u{202E}", "id", "more than fifteen bytes", "\u{1B}[31m", "{}", "",
    ]
    return (0..<pick(0..<5)).map { _ in parts[pick(0..<parts.count)] }.joined()
  }
}

/// How many runs a property gets: 10,000, or a million where `RETCON_LONG` is set.
enum RandomRuns {
  static let isLong = ProcessInfo.processInfo.environment["RETCON_LONG"] != nil
  static let count = isLong ? 1_000_000 : 10_000
  static let seed = ProcessInfo.processInfo.environment["RETCON_SEED"].flatMap(UInt64.init) ?? 20_26
}

extension Value {
  /// Every place in this value, with what is there.
  var allPaths: [(path: [String], value: Value)] {
    let children: [(String, Value)] =
      switch self {
      case .array(let array): array.enumerated().map { (String($0), $1) }
      case .object(let object): object.map { ($0.key, $0.value) }
      default: []
      }
    return [([], self)]
      + children.flatMap { token, child in child.allPaths.map { ([token] + $0.path, $0.value) } }
  }
}
