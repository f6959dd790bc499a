#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Double {
  /// The number, or the stated text of one that is not finite.
  var value: Value {
    if isFinite { return .number(.double(self)) }
    return .string(isNaN ? "NaN" : self < 0 ? "-Infinity" : "Infinity")
  }

  init?(nonFinite text: String) {
    switch text {
    case "NaN": self = .nan
    case "Infinity": self = .infinity
    case "-Infinity": self = -.infinity
    default: return nil
    }
  }
}

extension Float {
  /// The number with the digits that a `Float` needs, not those of the nearest `Double`.
  var value: Value {
    guard isFinite, let double = Double(description), Float(double) == self else {
      return Double(self).value
    }
    return .number(.double(double))
  }
}

extension FixedWidthInteger {
  var value: Value {
    if let value = Int64(exactly: self) { return .number(.integer(value)) }
    if let value = UInt64(exactly: self) { return .number(.unsigned(value)) }
    return .number(.digits(description))
  }
}

extension Decimal {
  var value: Value { isNaN ? .string("NaN") : .number(Number(text: description) ?? .digits("0")) }
}
