/// A JSON value: immutable, structurally shared, exact.
///
/// ```swift
/// let cart: Value = ["items": [["title": "Tea", "quantity": 2]], "total": 9.5]
/// cart["items"]?[0]?["title"]  // "Tea"
/// ```
public enum Value: Sendable {
  case null
  case bool(Bool)
  case number(Number)
  case string(String)
  case array(ValueArray)
  case object(ValueObject)

  /// The member of an object, or nil when this is no object or has no such key.
  public subscript(key: String) -> Value? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// The element of an array, or nil when this is no array or has no such index.
  public subscript(index: Int) -> Value? {
    guard case .array(let array) = self, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .number(Number(value)) }
  public init(floatLiteral value: Double) { self = .number(Number(value)) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: Value...) { self = .array(ValueArray(elements)) }
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .object(ValueObject(elements.map { (key: $0.0, value: $0.1) }))
  }
}
