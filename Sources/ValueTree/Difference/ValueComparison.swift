/// When two numbers count as the same.
protocol NumberRule {
  static func areSame(_ left: Number, _ right: Number) -> Bool
}

/// The same text.
enum SameText: NumberRule {
  @inline(__always)
  static func areSame(_ left: Number, _ right: Number) -> Bool { left.isExactlyEqual(to: right) }
}

/// The same worth.
enum SameWorth: NumberRule {
  @inline(__always)
  static func areSame(_ left: Number, _ right: Number) -> Bool {
    left.compared(to: right) == .equal
  }
}

/// Deep equality of two values under a rule for numbers. Objects are equal in any order of their members.
struct ValueComparison<Rule: NumberRule> {
  /// What lies too deep for recursion and is still to be compared.
  private var deeper: [(Value, Value)] = []

  /// Deeper levels are compared with a list of work instead of recursion.
  private static var recursionLimit: Int { 200 }

  static func areEqual(_ left: Value, _ right: Value) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { right in areEqual(left, right) }
    }
  }

  static func areEqual(_ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>) -> Bool {
    var comparison = Self()
    guard comparison.isEqual(left, right, depth: 0) else { return false }
    while let (left, right) = comparison.deeper.popLast() {
      let isEqual = withUnsafePointer(to: left) { left in
        withUnsafePointer(to: right) { comparison.isEqual(left, $0, depth: 0) }
      }
      guard isEqual else { return false }
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
    case .string(let text):
      guard case .string(let other) = right.pointee else { return false }
      return text.isExactly(other)
    case .array(let array):
      guard case .array(let other) = right.pointee else { return false }
      return isEqual(array.node, other.node, depth: depth)
    case .object(let object):
      guard case .object(let other) = right.pointee else { return false }
      return isEqual(object.node, other.node, depth: depth)
    }
  }

  private mutating func isEqual(_ left: ArrayNode?, _ right: ArrayNode?, depth: Int) -> Bool {
    guard left !== right else { return true }
    guard let left, let right, left.header.count == right.header.count else { return false }
    let (mine, theirs) = (left.elements, right.elements)
    for place in 0..<left.header.count {
      guard isChildEqual(mine + place, theirs + place, depth: depth) else { return false }
    }
    return true
  }

  private mutating func isEqual(_ left: ObjectNode?, _ right: ObjectNode?, depth: Int) -> Bool {
    guard left !== right else { return true }
    guard let left, let right, left.header.count == right.header.count else { return false }
    let (mine, theirs) = (left.elements, right.elements)
    let (shape, other) = (left.header.shape, right.header.shape)
    let count = left.header.count
    let places = shape.hasSameKeys(as: other) ? nil : other
    for place in 0..<count {
      var otherPlace = place
      if let places {
        guard let found = places.position(of: shape.keys[place]) else { return false }
        otherPlace = found
      }
      guard isChildEqual(mine + place, theirs + otherPlace, depth: depth) else { return false }
    }
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
