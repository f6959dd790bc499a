/// A JSON number without damage: an integer or a double where one holds it exactly, else its digits.
public enum Number: Sendable {
  case integer(Int64)
  /// Only values above `Int64.max`.
  case unsigned(UInt64)
  /// A finite double whose shortest text is what was written.
  case double(Double)
  /// The original digits of a number that none of the others prints back unchanged.
  case digits(String)

  /// A whole number.
  public init(_ value: Int) { self = .integer(Int64(value)) }
  /// A double; JSON has no form for those that are not finite.
  public init(_ value: Double) { self = .double(value) }

  /// The nearest double, for comparing and for drawing.
  public var doubleValue: Double {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .digits(let text): Double(text) ?? .nan
    }
  }
}
