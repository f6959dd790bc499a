extension Number {
  /// The digits of the number as they are printed; `null` for one made by hand that is no JSON number.
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
