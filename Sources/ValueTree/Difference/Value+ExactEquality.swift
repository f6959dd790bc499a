extension Value {
  /// Whether both print the same, but for the order of members: `1` and `1.0`, `0.0` and `-0.0`, a
  /// composed and a decomposed character are different here.
  package func isExactlyEqual(to other: Value) -> Bool {
    ValueComparison<SameText>.areEqual(self, other)
  }

  /// Equality as RFC 6902 and RFC 9535 define it: numbers by what they are worth (`1` is `1.0`),
  /// strings by their code points, objects without regard to order.
  package func isNumericallyEqual(to other: Value) -> Bool {
    ValueComparison<SameWorth>.areEqual(self, other)
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
