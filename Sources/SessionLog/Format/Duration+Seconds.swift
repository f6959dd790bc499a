import ValueTree

extension Duration {
  /// Decimal seconds without a needless zero: `0`, `12.5`, `0.000001`.
  package var decimalSeconds: String {
    let (seconds, attoseconds) = components
    let nanoseconds = attoseconds / 1_000_000_000
    guard nanoseconds != 0 else { return String(seconds) }
    var digits = String(nanoseconds.magnitude)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    let sign = seconds == 0 && nanoseconds < 0 ? "-" : ""
    return "\(sign)\(seconds).\(digits)"
  }

  /// Nil for what is no time of a session: no number, or further away than a thousand years.
  package init?(decimalSeconds value: Value?) {
    guard case .number(let number) = value else { return nil }
    if case .integer(let seconds) = number, seconds.magnitude < 32_000_000_000 {
      self = .seconds(seconds)
      return
    }
    let seconds = number.doubleValue
    guard seconds.isFinite, seconds.magnitude < 32_000_000_000 else { return nil }
    let whole = seconds.rounded(.towardZero)
    let nanoseconds = ((seconds - whole) * 1e9).rounded()
    self = .seconds(Int64(whole)) + .nanoseconds(Int64(nanoseconds))
  }
}
