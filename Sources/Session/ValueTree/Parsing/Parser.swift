import Platform

/// Reads JSON without recursion: open containers are on an explicit stack.
struct Parser: ~Copyable {
  let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  let limits: ParseLimits
  var position: UnsafePointer<UInt8>
  var values = ValueBuffer(capacity: 256)
  let trie: KeyTrie
  var keys: [String] = []
  var current = OpenContainer(kind: .none, firstValue: 0)
  var outer: [OpenContainer] = []
  /// How many more values may lie in open containers.
  private var room: Int

  struct OpenContainer {
    enum Kind { case none, array, object }
    var kind: Kind
    var firstValue: Int
    var place = KeyTrie.root
    var firstKey = 0
  }

  init(bytes: UnsafeBufferPointer<UInt8>, limits: ParseLimits, trie: KeyTrie) {
    // An empty buffer may have no address; this one is never read.
    let nothing: StaticString = ""
    start = bytes.baseAddress ?? nothing.utf8Start
    end = start + bytes.count
    position = start
    self.limits = limits
    room = limits.values
    self.trie = trie
  }

  mutating func parse() throws(ParseError) -> Value {
    guard end - start <= limits.size else { throw error(.tooLarge(limit: limits.size)) }
    if end - start >= 3, start[0] == 0xEF, start[1] == 0xBB, start[2] == 0xBF { position += 3 }
    repeat {
      try parseValue()
      while try isClosed() { close() }
    } while current.kind != .none || position < end
    return values.removeLast()
  }

  private mutating func parseValue() throws(ParseError) {
    while true {
      skipSpace()
      guard position < end else { throw expected("a value") }
      switch position.pointee {
      case UInt8(ascii: "\""): return values.append(.string(try parseString()))
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        return values.append(.number(try parseNumber()))
      case UInt8(ascii: "{"):
        try open(.object)
        if skip(UInt8(ascii: "}")) { return close() }
        try parseKey(or: "a key or }")
      case UInt8(ascii: "["):
        try open(.array)
        if skip(UInt8(ascii: "]")) { return close() }
      case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
      case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
      case UInt8(ascii: "n"): return try parseWord("null", .null)
      default:
        let isFirst = current.kind == .array && values.count == current.firstValue
        throw expected(isFirst ? "a value or ]" : "a value")
      }
    }
  }

  /// After a value: whether its container ends. If not, reads the comma and the next key.
  @inline(__always)
  private mutating func isClosed() throws(ParseError) -> Bool {
    guard values.count <= room else { throw error(.tooMany(limit: limits.values)) }
    skipSpace()
    switch current.kind {
    case .object:
      if skip(UInt8(ascii: ",")) {
        skipSpace()
        try parseKey(or: "a key")
        return false
      }
      guard skip(UInt8(ascii: "}")) else { throw expected(", or }") }
    case .array:
      if skip(UInt8(ascii: ",")) { return false }
      guard skip(UInt8(ascii: "]")) else { throw expected(", or ]") }
    case .none:
      guard position == end else { throw expected("the end of the text") }
      return false
    }
    return true
  }

  private mutating func open(_ kind: OpenContainer.Kind) throws(ParseError) {
    guard outer.count < limits.depth else { throw error(.tooDeep(limit: limits.depth)) }
    outer.append(current)
    current = OpenContainer(kind: kind, firstValue: values.count, firstKey: keys.count)
    position += 1
    skipSpace()
  }

  private mutating func close() {
    let closed = current
    current = outer.removeLast()
    let count = values.count - closed.firstValue
    room -= count
    guard closed.kind == .object else { return values.append(.array(values.removeArray(count))) }
    if closed.place >= 0, let shape = trie.shape(at: closed.place) {
      return values.append(.object(values.removeObject(count, shape)))
    }
    let keys = closed.place >= 0 ? trie.keys(to: closed.place) : Array(keys[closed.firstKey...])
    self.keys.removeSubrange(closed.firstKey...)
    values.append(.object(values.removeObject(keys: keys)))
  }

  @inline(__always)
  private mutating func parseKey(or wanted: String) throws(ParseError) {
    guard position < end, position.pointee == UInt8(ascii: "\"") else { throw expected(wanted) }
    if current.place >= 0 {
      let found = trie.place(after: current.place, textAt: position + 1, end: end)
      if found.place >= 0 {
        current.place = found.place
        position += 1 + found.length
      } else {
        try parseNewKey()
      }
    } else {
      keys.append(try parseString())
    }
    skipSpace()
    guard skip(UInt8(ascii: ":")) else { throw expected(":") }
  }

  @inline(never)
  private mutating func parseNewKey() throws(ParseError) {
    let key = try parseString()
    let place = trie.place(after: current.place, key: key)
    if place == KeyTrie.nowhere {
      keys += trie.keys(to: current.place)
      keys.append(key)
    }
    current.place = place
  }

  private mutating func parseWord(_ word: StaticString, _ value: Value) throws(ParseError) {
    let length = word.utf8CodeUnitCount
    guard end - position >= length,
      (0..<length).allSatisfy({ position[$0] == word.utf8Start[$0] })
    else { throw expected("a value") }
    position += length
    values.append(value)
  }

  @inline(__always)
  mutating func skip(_ byte: UInt8) -> Bool {
    guard position < end, position.pointee == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  mutating func skipSpace() {
    while position < end, position.pointee <= 0x20 {
      switch position.pointee {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }
}

/// Limits of the parser; beyond them it throws a ``ParseError``.
public struct ParseLimits: Sendable, Hashable {
  /// The most open arrays and objects.
  public var depth: Int
  /// The most bytes of text.
  public var size: Int
  /// The most values: each takes more memory than its text may.
  public var values: Int

  /// Creates limits, by default 1,000 levels, two gigabytes and eight million values.
  public init(depth: Int = 1_000, size: Int = 1 << 31, values: Int = 8_000_000) {
    self.depth = depth
    self.size = size
    self.values = values
  }

  /// 1,000 levels, two gigabytes and eight million values: enough for any state that an app holds.
  public static let standard = ParseLimits()
}

extension Value {
  /// Reads one JSON text (RFC 8259), whole.
  ///
  /// ```swift
  /// let cart = try Value(parsing: #"{"total": 9.50}"#)
  /// cart.text()  // {"total":9.50}
  /// ```
  ///
  /// Choices that the standard leaves open:
  /// - Of duplicate keys the last value counts, at the place of the first.
  /// - Bytes that are not UTF-8 are an error; an escaped lone surrogate becomes U+FFFD.
  /// - A leading byte order mark is skipped.
  /// - Numbers keep every digit (see ``Number``).
  public init(
    parsing bytes: some Collection<UInt8>, limits: ParseLimits = .standard
  ) throws(ParseError) {
    let parsed = bytes.withContiguousStorageIfAvailable { Self.parsed($0, limits) }
    self = try (parsed ?? Array(bytes).withUnsafeBufferPointer { Self.parsed($0, limits) }).get()
  }

  /// Reads JSON; only white space may follow the value.
  public init(parsing text: String, limits: ParseLimits = .standard) throws(ParseError) {
    var text = text
    self = try text.withUTF8 { Self.parsed($0, limits) }.get()
  }

  private static func parsed(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: ParseLimits
  ) -> Result<Value, ParseError> {
    let isShort = bytes.count <= 8192
    let trie = isShort ? KeyTrie.forShortText() : KeyTrie()
    defer { if isShort { trie.storeForNextText() } }
    var parser = Parser(bytes: bytes, limits: limits, trie: trie)
    return Result { () throws(ParseError) in try parser.parse() }
  }
}
