import StoreTesting

/// Each failure as `line: text`, with the line counted from the first of them, or from `base`.
func lines(_ failures: [Failure], from base: UInt) -> [String] {
  failures.map { "\(Int($0.place.line) - Int(base)): \($0.message)" }
}
