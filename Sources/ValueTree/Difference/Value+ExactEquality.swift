extension Value {
  /// Whether both print the same, but for the order of members: `1` and `1.0`, `0.0` and `-0.0`, a
  /// composed and a decomposed character are different here.
  package func isExactlyEqual(to other: Value) -> Bool {
    ValueComparison(numbers: { $0.isExactlyEqual(to: $1) }).areEqual(self, other)
  }

  /// Equality as RFC 6902 and RFC 9535 define it: numbers by what they are worth (`1` is `1.0`),
  /// strings by their code points, objects without regard to order.
  package func isNumericallyEqual(to other: Value) -> Bool {
    ValueComparison(numbers: { $0.compared(to: $1) == .equal }).areEqual(self, other)
  }
}

extension Number {
  func isExactlyEqual(to other: Number) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.digits(let left), .digits(let right)): left.isExactly(right)
    default: false
    }
  }
}

/// Deep equality of two values under a rule for numbers.
struct ValueComparison {
  var numbers: (Number, Number) -> Bool

  /// Deeper levels are compared with a list of work instead of recursion.
  private static let recursionLimit = 200

  func areEqual(_ left: Value, _ right: Value) -> Bool {
    var deeper: [(Value, Value)] = []
    guard areEqual(left, right, depth: 0, deeper: &deeper) else { return false }
    while let (left, right) = deeper.popLast() {
      guard areEqual(left, right, depth: 0, deeper: &deeper) else { return false }
    }
    return true
  }

  private func areEqual(
    _ left: Value, _ right: Value, depth: Int, deeper: inout [(Value, Value)]
  ) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return numbers(left, right)
    case (.string(let left), .string(let right)): return left.isExactly(right)
    case (.array(let left), .array(let right)):
      if left.isIdentical(to: right) { return true }
      guard left.count == right.count else { return false }
      for index in left.indices {
        guard areChildrenEqual(left[index], right[index], depth: depth, deeper: &deeper)
        else { return false }
      }
      return true
    case (.object(let left), .object(let right)):
      if left.isIdentical(to: right) { return true }
      guard left.count == right.count else { return false }
      for (index, member) in left.enumerated() {
        let same = right[index]
        guard let other = member.key.isExactly(same.key) ? same.value : right[member.key],
          areChildrenEqual(member.value, other, depth: depth, deeper: &deeper)
        else { return false }
      }
      return true
    default: return false
    }
  }

  private func areChildrenEqual(
    _ left: Value, _ right: Value, depth: Int, deeper: inout [(Value, Value)]
  ) -> Bool {
    guard depth < Self.recursionLimit else {
      deeper.append((left, right))
      return true
    }
    return areEqual(left, right, depth: depth + 1, deeper: &deeper)
  }
}
