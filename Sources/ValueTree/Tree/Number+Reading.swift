extension Number {
  /// A number from its JSON text; nil when the text is none.
  public init?(text: String) {
    guard case .number(let number)? = try? Value(parsing: text) else { return nil }
    self = number
  }

  /// The number as an integer of this type, when it is whole and fits.
  func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    switch self {
    case .integer(let value): T(exactly: value)
    case .unsigned(let value): T(exactly: value)
    case .double(let value): T(exactly: value)
    case .digits(let text): T(text) ?? Double(text).flatMap { T(exactly: $0) }
    }
  }
}
