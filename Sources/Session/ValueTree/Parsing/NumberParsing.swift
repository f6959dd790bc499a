extension Parser {
  mutating func parseNumber() throws(ParseError) -> Number {
    let first = position
    let isNegative = skip(UInt8(ascii: "-"))
    let firstDigit = position
    var digits: UInt64 = 0
    if !skip(UInt8(ascii: "0")) { try parseDigits(into: &digits) }
    let wholeCount = position - firstDigit
    guard position < end, position.pointee == UInt8(ascii: ".") || position.pointee | 0x20 == 0x65
    else {
      guard wholeCount <= 18, digits != 0 || !isNegative else { return slowNumber(from: first) }
      return .integer(isNegative ? -Int64(digits) : Int64(digits))
    }
    var fractionCount = 0
    if skip(UInt8(ascii: ".")) {
      let point = position
      try parseDigits(into: &digits)
      fractionCount = position - point
    }
    if position < end, position.pointee | 0x20 == 0x65 {
      position += 1
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      var exponent: UInt64 = 0
      try parseDigits(into: &exponent)
      return slowNumber(from: first)
    }
    guard wholeCount + fractionCount <= 19, fractionCount < Double.powersOfTen.count,
      let double = Double(digits, fractionCount: fractionCount, lastDigit: position[-1])
        ?? Double(long: digits, fractionCount: fractionCount)
    else { return slowNumber(from: first) }
    return .double(isNegative ? -double : double)
  }

  /// Reads at least one digit. Exact for at most 19 digits.
  @inline(__always)
  private mutating func parseDigits(into digits: inout UInt64) throws(ParseError) {
    let first = position
    while position < end, isDigit(position.pointee) {
      digits = digits &* 10 &+ UInt64(position.pointee &- UInt8(ascii: "0"))
      position += 1
    }
    if position == first { throw expected("a digit") }
  }

  @inline(never)
  private func slowNumber(from first: UnsafePointer<UInt8>) -> Number {
    Number(scanned: UnsafeBufferPointer(start: first, count: position - first))
  }
}

extension Double {
  /// The double of `digits` ÷ 10^`fractionCount`, if that text is surely its shortest: at most 15
  /// digits name one double, and no shorter text does.
  @inline(__always)
  init?(_ digits: UInt64, fractionCount: Int, lastDigit: UInt8) {
    guard digits < 1_000_000_000_000_000,
      lastDigit != UInt8(ascii: "0") || fractionCount == 1
    else { return nil }
    // Both operands are exact, so the quotient is the nearest double.
    self = Double(digits) / Self.powersOfTen[fractionCount]
    // Smaller ones print with an exponent.
    guard self >= 0.0001 || digits == 0 else { return nil }
  }

  /// As above for 16 and 17 digits: surely nearest to that text, which surely is its shortest.
  @inline(__always)
  init?(long digits: UInt64, fractionCount: Int) {
    guard 1_000_000_000_000_000..<100_000_000_000_000_000 ~= digits else { return nil }
    let scale = Self.powersOfTen[fractionCount]
    let rounded = Double(digits)
    let quotient = rounded / scale
    let rest =
      rounded.addingProduct(-quotient, scale) + Double(Int64(digits) - Int64(rounded))
    self = quotient + rest / scale
    // In units of the last digit: how far the text is from the double, and how far texts of this
    // double reach. The margin of 0.01 is far above the errors of these few operations.
    let miss = rest.addingProduct(quotient - self, scale)
    let reach = ulp * scale / 2
    guard self >= 0.0001, miss.magnitude < min(0.5, reach) - 0.01 else { return nil }
    // A shorter text would be a multiple of ten.
    let last = Double(digits % 10)
    guard last - miss > reach + 0.01, 10 - last + miss > reach + 0.01 else { return nil }
  }

  /// All that a double holds exactly.
  static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

extension Number {
  init(scanned text: UnsafeBufferPointer<UInt8>) {
    let string = String(decoding: text, as: UTF8.self)
    let isInteger = text.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "-") }
    if isInteger, string != "-0" {
      if let value = Int64(string) {
        self = .integer(value)
      } else if let value = UInt64(string) {
        self = .unsigned(value)
      } else {
        self = .digits(string)
      }
    } else if let value = Double(string), value.isFinite, value.description == string {
      self = .double(value)
    } else {
      self = .digits(string)
    }
  }
}

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

extension Number {
  /// Reads JSON text; nil if it is not a number.
  public init?(text: String) {
    guard case .number(let number)? = try? Value(parsing: text) else { return nil }
    self = number
  }

  func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    switch self {
    case .integer(let value): T(exactly: value)
    case .unsigned(let value): T(exactly: value)
    case .double(let value): T(exactly: value)
    case .digits(let text): T(text) ?? Double(text).flatMap { T(exactly: $0) }
    }
  }
}
