/// Writes values as JSON without recursion.
struct Printer {
  let style: PrintStyle
  var bytes: [UInt8] = []
  /// Deeper lines are not moved further to the right: the text of a deep tree would grow with the
  /// square of its depth.
  private static let indentedLevels = 100

  private var open: [OpenContainer] = []

  init(style: PrintStyle) { self.style = style }

  private enum OpenContainer {
    case array(ValueArray, next: Int)
    case object([ValueObject.Element], next: Int)
  }

  mutating func print(_ value: Value) {
    start(value)
    while let container = open.popLast() {
      switch container {
      case .array(let array, let next):
        guard next < array.count else {
          close(UInt8(ascii: "]"))
          continue
        }
        open.append(.array(array, next: next + 1))
        separate(isFirst: next == 0)
        start(array[next])
      case .object(let members, let next):
        guard next < members.count else {
          close(UInt8(ascii: "}"))
          continue
        }
        open.append(.object(members, next: next + 1))
        separate(isFirst: next == 0)
        write(members[next].key)
        bytes.append(UInt8(ascii: ":"))
        if style.indentation != nil { bytes.append(UInt8(ascii: " ")) }
        start(members[next].value)
      }
    }
  }

  private mutating func start(_ value: Value) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
    case .number(let number): bytes.append(contentsOf: number.text.utf8)
    case .string(let string): write(string)
    case .array(let array):
      guard !array.isEmpty else { return bytes.append(contentsOf: "[]".utf8) }
      bytes.append(UInt8(ascii: "["))
      open.append(.array(array, next: 0))
    case .object(let object):
      guard !object.isEmpty else { return bytes.append(contentsOf: "{}".utf8) }
      bytes.append(UInt8(ascii: "{"))
      open.append(.object(ordered(object), next: 0))
    }
  }

  private func ordered(_ object: ValueObject) -> [ValueObject.Element] {
    guard style.sortsKeys else { return Array(object) }
    return object.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private mutating func separate(isFirst: Bool) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    breakLine()
  }

  private mutating func close(_ bracket: UInt8) {
    breakLine()
    bytes.append(bracket)
  }

  private mutating func breakLine() {
    guard let indentation = style.indentation else { return }
    bytes.append(UInt8(ascii: "\n"))
    let levels = min(open.count, Self.indentedLevels)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * levels))
  }

  private mutating func write(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x08: bytes.append(contentsOf: "\\b".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0C: bytes.append(contentsOf: "\\f".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case ..<0x20: bytes.append(contentsOf: escaped(byte))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func escaped(_ byte: UInt8) -> [UInt8] {
    Array((byte < 16 ? "\\u000" : "\\u00").utf8) + Array(String(byte, radix: 16).utf8)
  }
}
