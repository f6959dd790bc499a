import Essentials

/// Turns any `Encodable` into a ``Value``.
///
/// ```swift
/// struct Item: Codable { var title: String, quantity: Int }
///
/// let value = try ValueEncoder().encode(Item(title: "Tea", quantity: 2))
/// value.text()  // {"title":"Tea","quantity":2}
/// ```
///
/// The forms of types that JSON does not know:
/// - `Date`: seconds since 2001, as `Date` encodes itself; `UUID`: its text.
/// - `Data`: base64 text. `URL`: its text (one with a base: an object, as `URL` encodes itself).
/// - `Decimal`: a number with all its digits.
/// - Dictionaries: an object when the keys are texts, integers or enums with such raw values, else an
///   array of keys and values in turn; sorted by key. Sets: sorted by the text of their elements.
/// - `Double` and `Float` that are not finite: `"NaN"`, `"Infinity"`, `"-Infinity"`.
public struct ValueEncoder {
  /// Given to the types that are encoded, as with every encoder.
  public var userInfo: [CodingUserInfoKey: Any]
  /// How many containers may be open inside one another, so that a cycle ends in an error.
  public var depthLimit: Int

  /// With no `userInfo` and 500 containers inside one another, unless said otherwise.
  public init(userInfo: [CodingUserInfoKey: Any] = [:], depthLimit: Int = 500) {
    self.userInfo = userInfo
    self.depthLimit = depthLimit
  }

  /// The tree of the value; throws what the type throws, or at a cycle.
  public func encode<T: Encodable>(_ value: T) throws -> Value {
    // For a text, a number or a boolean no encoder is worth making.
    if let form = TypeFacts.Form.usual(T.self),
      let scalar = withUnsafePointer(to: value, { form.scalar(at: UnsafeRawPointer($0)) })
    {
      return scalar
    }
    let session = EncodingSession(userInfo: userInfo, depthLimit: depthLimit)
    defer { session.end() }
    return try session.encode(value, at: EncodingPlace(nil, .root))
  }
}

/// Turns a ``Value`` back into the type that it was encoded from.
///
/// ```swift
/// struct Item: Codable { var title: String, quantity: Int }
///
/// let item = try ValueDecoder().decode(Item.self, from: ["title": "Tea", "quantity": 2])
/// ```
///
/// Reads the forms that ``ValueEncoder`` writes. A whole number decodes as any integer type that
/// holds it, however it is written (`2`, `2.0`, `2e0`).
public struct ValueDecoder {
  /// Given to the types that are decoded, as with every decoder.
  public var userInfo: [CodingUserInfoKey: Any]

  /// With no `userInfo`, unless said otherwise.
  public init(userInfo: [CodingUserInfoKey: Any] = [:]) { self.userInfo = userInfo }

  /// A value of the type; throws where the tree does not fit, with the place in the coding path.
  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    try TreeDecoder(value: value, path: nil, userInfo: userInfo).decode(type)
  }
}

/// What a macro added to a type, such as the registrar of its observers. It is not written, and reading
/// makes a new one from an empty object. The members beside it, which the macro called `_name`, are
/// written without the `_`.
///
/// ```swift
/// extension ObservationStateRegistrar: @retroactive MacroMember {}
/// ```
public protocol MacroMember: Codable {}

extension Value: Codable {
  /// Writes the tree into any encoder, member by member.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .string(let string): try string.encode(to: encoder)
    case .array(let array):
      var container = encoder.unkeyedContainer()
      for element in array { try container.encode(element) }
    case .object(let object):
      var container = encoder.container(keyedBy: PlainKey.self)
      for (key, value) in object { try container.encode(value, forKey: PlainKey(stringValue: key)) }
    }
  }

  /// Reads any tree that the decoder can give: a null, a number, a text, an array, an object.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? TreeDecoder {
      self = decoder.value
    } else if let container = try? decoder.container(keyedBy: PlainKey.self) {
      self = .object(
        ValueObject(
          try container.allKeys.map {
            ($0.stringValue, try container.decode(Value.self, forKey: $0))
          }
        ))
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [Value] = []
      while !container.isAtEnd { elements.append(try container.decode(Value.self)) }
      self = .array(ValueArray(elements))
    } else {
      self = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> Value {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int64.self) { return .number(.integer(value)) }
    if let value = try? container.decode(UInt64.self) { return .number(.unsigned(value)) }
    if let value = try? container.decode(Double.self) { return .number(.double(value)) }
    return .string(try container.decode(String.self))
  }
}

extension Number {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .integer(let value): try value.encode(to: encoder)
    case .unsigned(let value): try value.encode(to: encoder)
    case .double(let value): try value.encode(to: encoder)
    case .digits(let text): try (Double(text) ?? .nan).encode(to: encoder)
    }
  }
}

extension Double {
  /// The number, or the stated text of one that is not finite.
  var value: Value {
    if isFinite { return .number(.double(self)) }
    return .string(isNaN ? "NaN" : self < 0 ? "-Infinity" : "Infinity")
  }

  init?(nonFinite text: String) {
    switch text {
    case "NaN": self = .nan
    case "Infinity": self = .infinity
    case "-Infinity": self = -.infinity
    default: return nil
    }
  }
}

extension Float {
  /// The number with the digits that a `Float` needs, not those of the nearest `Double`.
  var value: Value {
    guard isFinite, let double = Double(description), Float(double) == self else {
      return Double(self).value
    }
    return .number(.double(double))
  }
}

extension FixedWidthInteger {
  var value: Value {
    if let value = Int64(exactly: self) { return .number(.integer(value)) }
    if let value = UInt64(exactly: self) { return .number(.unsigned(value)) }
    return .number(.digits(description))
  }
}

extension Decimal {
  var value: Value { isNaN ? .string("NaN") : .number(Number(text: description) ?? .digits("0")) }
}
