/// A lossless JSON number: an integer or a double if exact, else its digits.
public enum Number: Sendable {
  /// A whole number.
  case integer(Int64)
  /// A whole number above `Int64.max`.
  case unsigned(UInt64)
  /// A finite double whose shortest text is the original one.
  case double(Double)
  /// The original digits of any other number.
  case digits(String)

  /// Creates a whole number.
  public init(_ value: Int) { self = .integer(Int64(value)) }
  /// Creates a double; JSON has none that are not finite.
  public init(_ value: Double) { self = .double(value) }

  /// The nearest double, for comparing and drawing.
  public var doubleValue: Double {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .digits(let text): Double(text) ?? .nan
    }
  }
}

enum Ordering: Sendable, Hashable {
  case less, equal, greater

  var reversed: Ordering {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }

  init<T: Comparable>(_ left: T, _ right: T) {
    self = left < right ? .less : left == right ? .equal : .greater
  }
}

extension Number {
  /// Compares without rounding: `1` is `1.0` and `1e0`, and 2⁵³ + 1 is not 2⁵³.
  func compared(to other: Number) -> Ordering {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return Ordering(left, right)
    case (.unsigned(let left), .unsigned(let right)): return Ordering(left, right)
    case (.integer, .unsigned): return .less
    case (.unsigned, .integer): return .greater
    case (.double(let left), .double(let right)): return Ordering(left, right)
    case (.integer(let left), .double(let right)) where left.magnitude <= 1 << 53:
      return Ordering(Double(left), right)
    case (.double(let left), .integer(let right)) where right.magnitude <= 1 << 53:
      return Ordering(left, Double(right))
    default: return DecimalDigits(text).compared(to: DecimalDigits(other.text))
    }
  }
}

/// A number's digits for exact comparison: ±0.d₁d₂d₃… × 10^point.
private struct DecimalDigits {
  var isNegative = false
  var digits: [UInt8] = []
  var point = 0

  init(_ text: String) {
    var bytes = Substring(text).utf8
    if bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") {
      isNegative = bytes.removeFirst() == UInt8(ascii: "-")
    }
    var seenPoint = false
    while let byte = bytes.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
      bytes.removeFirst()
      if byte == UInt8(ascii: ".") {
        seenPoint = true
      } else if byte == UInt8(ascii: "0"), digits.isEmpty {
        if seenPoint { point -= 1 }
      } else {
        digits.append(byte)
        if !seenPoint { point += 1 }
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if !bytes.isEmpty {
      let exponent = String(Substring(bytes.dropFirst()))
      let limit = Int.max / 4
      let reached = Int(exponent) ?? (exponent.hasPrefix("-") ? -limit : limit)
      point += min(max(reached, -limit), limit)
    }
    if digits.isEmpty { (isNegative, point) = (false, 0) }
  }

  func compared(to other: DecimalDigits) -> Ordering {
    if isNegative != other.isNegative {
      return isNegative ? .less : .greater
    }
    let size = magnitude(comparedTo: other)
    return isNegative ? size.reversed : size
  }

  private func magnitude(comparedTo other: DecimalDigits) -> Ordering {
    if digits.isEmpty || other.digits.isEmpty {
      return Ordering(digits.count, other.digits.count)
    }
    if point != other.point { return Ordering(point, other.point) }
    for (left, right) in zip(digits, other.digits) where left != right {
      return Ordering(left, right)
    }
    return Ordering(digits.count, other.digits.count)
  }
}
