/// The digits typed before a key.
struct CountPrefix: Sendable, Hashable {
  private(set) var digits = ""

  var value: Int? { Int(digits) }

  mutating func add(_ digit: Character) {
    if digits.count < 9 { digits.append(digit) }
  }

  mutating func take() -> Int? {
    defer { digits = "" }
    return value
  }
}
