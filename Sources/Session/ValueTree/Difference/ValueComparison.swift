protocol NumberRule {
  static func areSame(_ left: Number, _ right: Number) -> Bool
}

enum SameText: NumberRule {
  @inline(__always)
  static func areSame(_ left: Number, _ right: Number) -> Bool { left.isExactlyEqual(to: right) }
}

enum SameWorth: NumberRule {
  @inline(__always)
  static func areSame(_ left: Number, _ right: Number) -> Bool {
    left.compared(to: right) == .equal
  }
}

struct ValueComparison<Rule: NumberRule> {
  private var deeper: [(Value, Value)] = []
  /// The last two shapes with the same keys; the next objects usually have them too.
  private var sameShapes: (left: UnsafeRawPointer?, right: UnsafeRawPointer?)?

  /// Deeper levels use a work list instead of recursion.
  private static var recursionLimit: Int { 200 }

  static func areEqual(_ left: Value, _ right: Value) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { right in areEqual(left, right) }
    }
  }

  static func areEqual(_ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>) -> Bool {
    var comparison = Self()
    return comparison.areEqual(left, right)
  }

  mutating func areEqual(_ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>) -> Bool {
    guard isEqual(left, right, depth: 0) else {
      deeper.removeAll()
      return false
    }
    while let (left, right) = deeper.popLast() {
      let isEqual = withUnsafePointer(to: left) { left in
        withUnsafePointer(to: right) { self.isEqual(left, $0, depth: 0) }
      }
      guard isEqual else {
        deeper.removeAll()
        return false
      }
    }
    return true
  }

  private mutating func isEqual(
    _ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>, depth: Int
  ) -> Bool {
    if SameBits.hold(left, right) { return true }
    switch left.pointee {
    case .null:
      guard case .null = right.pointee else { return false }
      return true
    case .bool(let value):
      guard case .bool(let other) = right.pointee else { return false }
      return value == other
    case .number(let number):
      guard case .number(let other) = right.pointee else { return false }
      return Rule.areSame(number, other)
    case .string:
      guard case .string = right.pointee else { return false }
      return BorrowedNode.haveSameText(left, right)
    case .array:
      guard case .array = right.pointee else { return false }
      return isEqual(BorrowedNode(left), BorrowedNode(right), depth: depth)
    case .object:
      guard case .object = right.pointee else { return false }
      let (left, right) = (BorrowedNode(left), BorrowedNode(right))
      return left.count != right.count || haveSameKeys(left, right)
        ? isEqual(left, right, depth: depth) : isEqualInAnyOrder(left, right, depth: depth)
    }
  }

  @inline(__always)
  private mutating func isEqual(
    _ left: BorrowedNode, _ right: BorrowedNode, depth: Int
  ) -> Bool {
    guard left.elements != right.elements else { return true }
    guard left.count == right.count, let mine = left.elements, let theirs = right.elements else {
      return false
    }
    for place in 0..<left.count {
      guard isChildEqual(mine + place, theirs + place, depth: depth) else { return false }
    }
    return true
  }

  private mutating func isEqualInAnyOrder(
    _ left: BorrowedNode, _ right: BorrowedNode, depth: Int
  ) -> Bool {
    guard let mine = left.elements, let theirs = right.elements else { return false }
    for (place, key) in left.keys.enumerated() {
      guard let other = right.position(of: key),
        isChildEqual(mine + place, theirs + other, depth: depth)
      else { return false }
    }
    return true
  }

  private mutating func haveSameKeys(_ left: BorrowedNode, _ right: BorrowedNode) -> Bool {
    let pair = (left: left.shape, right: right.shape)
    if let sameShapes, sameShapes == pair { return true }
    guard left.hasSameKeys(as: right) else { return false }
    // The caller keeps both trees alive, so a shape's address stays valid.
    sameShapes = pair
    return true
  }

  @inline(__always)
  private mutating func isChildEqual(
    _ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>, depth: Int
  ) -> Bool {
    if depth < Self.recursionLimit { return isEqual(left, right, depth: depth + 1) }
    deeper.append((left.pointee, right.pointee))
    return true
  }
}

extension Value {
  /// Whether both print the same, ignoring member order: `1` and `1.0`, `0.0` and `-0.0`, a
  /// composed and a decomposed character differ.
  package func isExactlyEqual(to other: Value) -> Bool {
    ValueComparison<SameText>.areEqual(self, other)
  }

  /// Equality of RFC 6902 and RFC 9535: numbers by value (`1` is `1.0`), strings by code points,
  /// objects in any order.
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
