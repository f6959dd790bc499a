/// Reads a JSON text without recursion: open containers wait on a stack of their own.
struct Parser {
  let bytes: UnsafeBufferPointer<UInt8>
  let limits: ParseLimits
  var position = 0
  var containers: [OpenContainer] = []
  /// The finished children of all open containers.
  var values: [Value] = []
  /// The keys of all open objects.
  var keys: [String] = []

  struct OpenContainer {
    var isObject: Bool
    var firstValue: Int
    var firstKey: Int
  }

  init(bytes: UnsafeBufferPointer<UInt8>, limits: ParseLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func parse() throws(ParseError) -> Value {
    guard bytes.count <= limits.size else { throw error(.tooLarge(limit: limits.size)) }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while true {
      skipSpace()
      guard var value = try openOrScalar() else { continue }
      while true {
        skipSpace()
        guard let container = containers.last else {
          guard position == bytes.count else { throw expected("the end of the text") }
          return value
        }
        values.append(value)
        guard let closed = try separatorOrClose(container) else { break }
        value = closed
      }
    }
  }

  /// A scalar or an empty container; nil when a container was opened and its first child comes.
  private mutating func openOrScalar() throws(ParseError) -> Value? {
    switch byte {
    case UInt8(ascii: "["):
      try open(isObject: false)
      guard byte == UInt8(ascii: "]") else { return nil }
      return close()
    case UInt8(ascii: "{"):
      try open(isObject: true)
      if byte == UInt8(ascii: "}") { return close() }
      try parseKey(or: "a key or }")
      return nil
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || isDigit(byte):
      return .number(try parseNumber())
    default:
      throw expected(
        containers.last?.isObject == false && isFirstChild ? "a value or ]" : "a value")
    }
  }

  private var isFirstChild: Bool { values.count == containers.last?.firstValue }

  private mutating func open(isObject: Bool) throws(ParseError) {
    guard containers.count < limits.depth else { throw error(.tooDeep(limit: limits.depth)) }
    containers.append(
      OpenContainer(isObject: isObject, firstValue: values.count, firstKey: keys.count))
    position += 1
    skipSpace()
  }

  /// The container that ended here, or nil when another child follows.
  private mutating func separatorOrClose(_ container: OpenContainer) throws(ParseError) -> Value? {
    switch (byte, container.isObject) {
    case (UInt8(ascii: ","), false):
      position += 1
      return nil
    case (UInt8(ascii: ","), true):
      position += 1
      skipSpace()
      try parseKey(or: "a key")
      return nil
    case (UInt8(ascii: "]"), false), (UInt8(ascii: "}"), true): return close()
    case (_, let isObject): throw expected(isObject ? ", or }" : ", or ]")
    }
  }

  private mutating func close() -> Value {
    position += 1
    let container = containers.removeLast()
    let children = values[container.firstValue...]
    defer { values.removeSubrange(container.firstValue...) }
    guard container.isObject else { return .array(ValueArray(children)) }
    defer { keys.removeSubrange(container.firstKey...) }
    return .object(
      ValueObject(zip(keys[container.firstKey...], children).map { (key: $0, value: $1) }))
  }

  private mutating func parseKey(or wanted: String) throws(ParseError) {
    guard byte == UInt8(ascii: "\"") else { throw expected(wanted) }
    keys.append(try parseString())
    skipSpace()
    guard byte == UInt8(ascii: ":") else { throw expected(":") }
    position += 1
  }

  private mutating func parseWord(_ word: StaticString, _ value: Value) throws(ParseError) -> Value
  {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[position..<end].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { throw expected("a value") }
    position = end
    return value
  }

  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }
}
