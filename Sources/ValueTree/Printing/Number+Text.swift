extension Number {
  /// The digits of the number as they are printed.
  public var text: String {
    switch self {
    case .integer(let value): value.description
    case .unsigned(let value): value.description
    case .double(let value): value.isFinite ? value.description : "null"
    case .digits(let text): text
    }
  }
}
