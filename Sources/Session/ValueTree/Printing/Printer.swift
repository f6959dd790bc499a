/// Writes JSON without recursion.
///
/// The printed value keeps its parts alive, so containers are not retained.
struct Printer: ~Copyable {
  let style: PrintStyle
  var buffer = ByteBuffer()
  private var outer: [OpenContainer] = []
  private var current = OpenContainer()
  private var keyTexts = KeyTexts()

  /// Deeper lines get no more indentation, or the text would grow with the square of the depth.
  private static let indentedLevels = 100

  private struct OpenContainer {
    var next: UnsafePointer<Value>?
    var end: UnsafePointer<Value>?
    var first: UnsafePointer<Value>?
    var object: Unmanaged<ValueNode>?
    var order: [Int]?
  }

  init(style: PrintStyle) { self.style = style }

  mutating func print(_ value: Value) {
    withExtendedLifetime(value) {
      withUnsafePointer(to: value) { start($0) }
      while let next = current.next {
        if next == current.end { close() } else { printChild(next) }
      }
    }
  }

  @inline(__always)
  private mutating func printChild(_ next: UnsafePointer<Value>) {
    current.next = next + 1
    if next != current.first { buffer.append(UInt8(ascii: ",")) }
    if style.indentation != nil { breakLine(outer.count) }
    guard let object = current.object else { return start(next) }
    guard let order = current.order, let first = current.first else {
      printKey(of: object, next)
      return start(next)
    }
    let sorted = first + order[next - first]
    printKey(of: object, sorted)
    start(sorted)
  }

  @inline(__always)
  private mutating func printKey(of object: Unmanaged<ValueNode>, _ child: UnsafePointer<Value>) {
    guard let first = current.first, let shape = object._withUnsafeGuaranteedRef(\.shapeAddress)
    else { return }
    if shape != keyTexts.shape { keyTexts.useShape(shape, isSpaced: style.indentation != nil) }
    keyTexts.append(child - first, to: &buffer)
  }

  @inline(__always)
  private mutating func start(_ value: UnsafePointer<Value>) {
    switch value.pointee {
    case .null: buffer.append("null" as StaticString)
    case .bool(true): buffer.append("true" as StaticString)
    case .bool(false): buffer.append("false" as StaticString)
    case .number(let number): buffer.append(number)
    case .string(let string): buffer.appendQuoted(string)
    case .array(let array):
      guard let node = array.node else { return buffer.append("[]" as StaticString) }
      open(node.elements, node.head.pointee.count, UInt8(ascii: "["))
    case .object(let object):
      guard let node = object.node else { return buffer.append("{}" as StaticString) }
      open(node.elements, node.head.pointee.count, UInt8(ascii: "{"))
      current.object = Unmanaged.passUnretained(node)
      if style.sortsKeys { current.order = Self.order(of: node.keys) }
    }
  }

  private mutating func open(_ first: UnsafeMutablePointer<Value>, _ count: Int, _ bracket: UInt8) {
    outer.append(current)
    current = OpenContainer(
      next: UnsafePointer(first), end: UnsafePointer(first) + count, first: UnsafePointer(first))
    buffer.append(bracket)
  }

  private mutating func close() {
    let isObject = current.object != nil
    let isEmpty = current.first == current.end
    current = outer.removeLast()
    if style.indentation != nil, !isEmpty { breakLine(outer.count) }
    buffer.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  private mutating func breakLine(_ level: Int) {
    buffer.append(UInt8(ascii: "\n"))
    let levels = min(level, Self.indentedLevels)
    buffer.append(UInt8(ascii: " "), times: max(style.indentation ?? 0, 0) * levels)
  }

  private static func order(of keys: [String]) -> [Int] {
    keys.indices.sorted { keys[$0].precedes(keys[$1]) }
  }
}

struct KeyTexts: ~Copyable {
  private struct Entry {
    var texts: [UInt8]
    var ends: [Int]
  }

  private(set) var shape: UnsafeRawPointer?
  private var current = Entry(texts: [], ends: [0])
  private var others: [UnsafeRawPointer: Entry] = [:]

  mutating func useShape(_ shape: UnsafeRawPointer, isSpaced: Bool) {
    if let old = self.shape, others.count < 256 { others[old] = current }
    self.shape = shape
    if let known = others[shape] { return current = known }
    var buffer = ByteBuffer(capacity: 256)
    var ends = [0]
    for key in Unmanaged<KeyShape>.fromOpaque(shape).takeUnretainedValue().keys {
      buffer.appendQuoted(key)
      buffer.append(UInt8(ascii: ":"))
      if isSpaced { buffer.append(UInt8(ascii: " ")) }
      ends.append(buffer.count)
    }
    current = Entry(texts: Array(buffer.bytes), ends: ends)
  }

  @inline(__always)
  func append(_ index: Int, to buffer: inout ByteBuffer) {
    current.texts.withUnsafeBufferPointer { texts in
      buffer.append(
        UnsafeBufferPointer(rebasing: texts[current.ends[index]..<current.ends[index + 1]]))
    }
  }
}

/// The layout of printed values.
public struct PrintStyle: Sendable, Hashable {
  /// Spaces for each level, one child a line; nil prints one line without spaces.
  public var indentation: Int?
  /// Whether keys are sorted by their bytes.
  public var sortsKeys: Bool

  /// Creates a style, by default on one line with keys in their order.
  public init(indentation: Int? = nil, sortsKeys: Bool = false) {
    self.indentation = indentation
    self.sortsKeys = sortsKeys
  }

  /// One line, keys in their order.
  public static let compact = PrintStyle()
  /// Two spaces a level, keys in their order.
  public static let pretty = PrintStyle(indentation: 2)
  /// One line, sorted keys: equal values have equal texts.
  public static let sorted = PrintStyle(sortsKeys: true)
  /// Two spaces a level, sorted keys.
  public static let prettySorted = PrintStyle(indentation: 2, sortsKeys: true)
}

extension Value {
  /// The JSON text. It parses back to an equal value, digit for digit.
  public func text(_ style: PrintStyle = .compact) -> String {
    var printer = Printer(style: style)
    printer.print(self)
    return String(decoding: printer.buffer.bytes, as: UTF8.self)
  }

  /// The JSON text in UTF-8.
  public func bytes(_ style: PrintStyle = .compact) -> [UInt8] {
    var printer = Printer(style: style)
    printer.print(self)
    return Array(printer.buffer.bytes)
  }
}

extension Value: CustomStringConvertible {
  /// Compact JSON, in full; `briefText` fits a line.
  public var description: String { text() }
}

extension Number {
  /// The printed digits; `null` for hand-made digits that are not JSON.
  public var text: String {
    switch self {
    case .integer(let value): value.description
    case .unsigned(let value): value.description
    case .double(let value): value.isFinite ? value.description : "null"
    case .digits(let text): Self.isNumber(text) ? text : "null"
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last,
      first == UInt8(ascii: "-") || isDigit(first), isDigit(last)
    else { return false }
    if case .number? = try? Value(parsing: text) { return true }
    return false
  }
}
