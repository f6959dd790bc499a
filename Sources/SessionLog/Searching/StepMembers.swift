import ValueTree

/// Where the members stand in the line of a step: each is parsed only when somebody asks for it.
struct StepMembers {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var label: Range<Int>?
  private(set) var action: Range<Int>?
  private(set) var cause: Range<Int>?
  private(set) var time: Range<Int>?
  private(set) var reads: Range<Int>?
  private(set) var error: Range<Int>?
  private(set) var patch: Range<Int>?
  private(set) var state: Range<Int>?

  var scanner: ValueScanner { ValueScanner(bytes) }

  /// Nil for a line that is not to be read this way: cut off, or with escapes in a key.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    bytes = line
    var isPlain = true
    let isWhole = ValueScanner(line).members(from: 0) { key, value in
      isPlain = take(value, key.lowerBound + 1..<key.upperBound - 1)
      return isPlain
    }
    guard isWhole, isPlain else { return nil }
  }

  /// False for a key that would have to be parsed.
  private mutating func take(_ value: Range<Int>, _ key: Range<Int>) -> Bool {
    switch key.count {
    case 4: if isKey(key, "time") { time = value }
    case 5:
      switch bytes[key.lowerBound] {
      case UInt8(ascii: "l"): if isKey(key, "label") { label = value }
      case UInt8(ascii: "c"): if isKey(key, "cause") { cause = value }
      case UInt8(ascii: "p"): if isKey(key, "patch") { patch = value }
      case UInt8(ascii: "s"): if isKey(key, "state") { state = value }
      case UInt8(ascii: "r"): if isKey(key, "reads") { reads = value }
      case UInt8(ascii: "e"): if isKey(key, "error") { error = value }
      default: break
      }
    case 6: if isKey(key, "action") { action = value }
    default: break
    }
    return !bytes[key].contains(UInt8(ascii: "\\"))
  }

  private func isKey(_ key: Range<Int>, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { $0.elementsEqual(UnsafeBufferPointer(rebasing: bytes[key])) }
  }

  /// The value of a member; nil when it is absent.
  func value(of range: Range<Int>?) throws(ParseError) -> Value? {
    guard let range else { return nil }
    return try Value(parsing: bytes[range])
  }
}
