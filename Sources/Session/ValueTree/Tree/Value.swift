/// A JSON value: immutable, structurally shared, exact.
///
/// ```swift
/// let cart: Value = ["items": [["title": "Tea", "quantity": 2]], "total": 9.5]
/// cart["items"]?[0]?["title"]  // "Tea"
///
/// var changed = cart
/// changed["items"]?[0]?["quantity"] = 3
/// ```
public enum Value: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as exact as written.
  case number(Number)
  /// A text.
  case string(String)
  /// An ordered list of values.
  case array(ValueArray)
  /// Values by key.
  case object(ValueObject)

  /// The member of an object, or nil. Setting nil removes it; null becomes an object with its first
  /// member; other kinds stay as they are.
  public subscript(key: String) -> Value? {
    get {
      guard case .object(let object) = self else { return nil }
      return object[key]
    }
    set {
      if self == .null, newValue != nil { self = [:] }
      guard case .object(var object) = self else { return }
      self = .null
      object[key] = newValue
      self = .object(object)
    }
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The element of an array, or nil. Setting nil removes it; other kinds and unknown indices stay
  /// as they are.
  public subscript(index: Int) -> Value? {
    get {
      guard case .array(let array) = self, array.indices.contains(index) else { return nil }
      return array[index]
    }
    set {
      guard case .array(var array) = self, array.indices.contains(index) else { return }
      self = .null
      if let newValue { array[index] = newValue } else { array.remove(at: index) }
      self = .array(array)
    }
  }
}

// Not by `nil`: `condition ? value : nil` would be null where absence is meant.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .number(Number(value)) }
  /// Creates a double.
  public init(floatLiteral value: Double) { self = .number(Number(value)) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: Value...) { self = .array(ValueArray(elements)) }
  /// Creates an object; of duplicate keys the last counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .object(ValueObject(elements.map { (key: $0.0, value: $0.1) }))
  }
}

extension Value: Hashable {
  /// Compares numbers by value (`1` is `1.0` and `1e0`), strings by code points, objects in any
  /// order. Skips parts with the same storage.
  public static func == (left: Value, right: Value) -> Bool { left.isNumericallyEqual(to: right) }

  /// Hashes without regard to member order.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 64) }

  /// Deeper parts count only by kind, to limit the stack.
  private func hash(into hasher: inout Hasher, levels: Int) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    case .number(let number): hasher.combine(number)
    case .string(let string): string.hashExactly(into: &hasher)
    case .array(let array):
      hasher.combine(array.count)
      guard levels > 0 else { return }
      for element in array { element.hash(into: &hasher, levels: levels - 1) }
    case .object(let object):
      hasher.combine(object.count)
      guard levels > 0 else { return }
      var sum = 0
      for (key, value) in object {
        var member = Hasher()
        key.hashExactly(into: &member)
        value.hash(into: &member, levels: levels - 1)
        sum &+= member.finalize()
      }
      hasher.combine(sum)
    }
  }
}

extension Number: Hashable {
  /// Compares by value: `1`, `1.0` and `10e-1` are equal.
  public static func == (left: Number, right: Number) -> Bool {
    left.compared(to: right) == .equal
  }

  /// Hashes the nearest double, which equal numbers share.
  public func hash(into hasher: inout Hasher) { hasher.combine(doubleValue) }
}

extension Number: Comparable {
  /// Compares the exact numbers, not their nearest doubles.
  public static func < (left: Number, right: Number) -> Bool { left.compared(to: right) == .less }
}
