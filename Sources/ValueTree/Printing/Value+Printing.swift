extension Value {
  /// The JSON text of this value. It parses back to an equal value, each number digit for digit.
  public func text(_ style: PrintStyle = .compact) -> String {
    var printer = Printer(style: style)
    printer.print(self)
    return String(decoding: printer.buffer.bytes, as: UTF8.self)
  }

  /// The JSON text of this value in UTF-8.
  public func bytes(_ style: PrintStyle = .compact) -> [UInt8] {
    var printer = Printer(style: style)
    printer.print(self)
    return Array(printer.buffer.bytes)
  }
}

extension Value: CustomStringConvertible {
  public var description: String { text() }
}
