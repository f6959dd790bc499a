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
  /// A number, as exact as it was written.
  case number(Number)
  /// A text.
  case string(String)
  /// Values in an order.
  case array(ValueArray)
  /// Values by keys.
  case object(ValueObject)

  /// The member of an object, or nil when this is no object or has no such key. Setting nil removes
  /// it; null becomes an object by its first member, and what is neither stays as it is.
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

  /// The text of a string; nil for all else.
  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The element of an array, or nil when this is no array or has no such index. Setting nil takes the
  /// element out; what is no array, or has no such index, stays as it is.
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

// Not by `nil`: `condition ? value : nil` would be null where the absence of a value is meant.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// `true` and `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(Number(value)) }
  /// A double.
  public init(floatLiteral value: Double) { self = .number(Number(value)) }
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array of these elements.
  public init(arrayLiteral elements: Value...) { self = .array(ValueArray(elements)) }
  /// An object; of equal keys the last counts.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .object(ValueObject(elements.map { (key: $0.0, value: $0.1) }))
  }
}

extension Value: Hashable {
  /// Equality by value: numbers by what they are worth (`1` is `1.0` and `1e0`), strings by their
  /// code points, objects without regard to the order of members. Parts with the same storage are not
  /// looked at.
  public static func == (left: Value, right: Value) -> Bool { left.isNumericallyEqual(to: right) }

  /// Equal values have equal hashes, whatever the order of their members.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 64) }

  /// What lies deeper counts only by its kind, so that hashing needs no more stack than that.
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
  /// The same number, however it is written: `1`, `1.0` and `10e-1` are one.
  public static func == (left: Number, right: Number) -> Bool {
    left.compared(to: right) == .equal
  }

  /// Numbers that are worth the same are nearest to the same double.
  public func hash(into hasher: inout Hasher) { hasher.combine(doubleValue) }
}

extension Number: Comparable {
  /// By the exact numbers, not by their nearest doubles.
  public static func < (left: Number, right: Number) -> Bool { left.compared(to: right) == .less }
}
