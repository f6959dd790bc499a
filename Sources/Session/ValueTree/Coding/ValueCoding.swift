import Essentials
import Platform

/// Turns any `Encodable` into a ``Value``.
///
/// ```swift
/// struct Item: Codable { var title: String, quantity: Int }
///
/// let value = try ValueEncoder().encode(Item(title: "Tea", quantity: 2))
/// value.text()  // {"title":"Tea","quantity":2}
/// ```
///
/// Forms of types that JSON does not have:
/// - `Date`: seconds since 2001. `UUID`: its text.
/// - `Data`: base64. `URL`: its text (an object if it has a base URL).
/// - `Decimal`: a number with all its digits.
/// - Dictionaries: an object if the keys are texts, integers or enums with such raw values, else an
///   array that alternates keys and values; sorted by key. Sets: sorted by the text of their
///   elements.
/// - `Double` and `Float`, if not finite: `"NaN"`, `"Infinity"`, `"-Infinity"`.
public struct ValueEncoder {
  /// The context for the encoded types, as in every encoder.
  public var userInfo: [CodingUserInfoKey: Any]
  /// The most nested containers allowed, so that a cycle ends in an error.
  public var depthLimit: Int

  /// Creates an encoder, by default with no `userInfo` and at most 500 nested containers.
  public init(userInfo: [CodingUserInfoKey: Any] = [:], depthLimit: Int = 500) {
    self.userInfo = userInfo
    self.depthLimit = depthLimit
  }

  /// Encodes a value; throws what the type throws, or at a cycle.
  public func encode<T: Encodable>(_ value: T) throws -> Value {
    if let form = CodingFacts.Form.usual(T.self),
      let scalar = withUnsafePointer(to: value, { form.scalar(at: UnsafeRawPointer($0)) })
    {
      return scalar
    }
    let session = EncodingSession(userInfo: userInfo, depthLimit: depthLimit)
    defer { session.end() }
    return try session.encode(value, at: EncodingPlace(nil, .root))
  }
}

/// Encodes many values one after another, and keeps what it learned of their types and keys.
///
/// `@unchecked Sendable`: a session belongs to the call that has taken it. A second call at the same
/// time, of another thread or of an `encode(to:)`, takes a session of its own.
package final class RepeatedEncoder: @unchecked Sendable {
  private let spare = Locked<EncodingSession?>(nil)

  package init() {}

  deinit { spare.withLock { $0?.end() } }

  /// Encodes a value to the same tree as ``ValueEncoder``.
  package func encode<T: Encodable>(_ value: T) throws -> Value {
    let session =
      spare.withLock { $0.take() } ?? EncodingSession(userInfo: [:], depthLimit: 500)
    defer {
      let surplus = spare.withLock { spare in
        defer { spare = session }
        return spare
      }
      surplus?.end()
    }
    return try session.encode(value, at: EncodingPlace(nil, .root))
  }
}

/// Turns a ``Value`` back into the type that encoded it.
///
/// ```swift
/// struct Item: Codable { var title: String, quantity: Int }
///
/// let item = try ValueDecoder().decode(Item.self, from: ["title": "Tea", "quantity": 2])
/// ```
///
/// Reads the forms that ``ValueEncoder`` writes. A whole number decodes as any integer type that
/// holds it, in any notation (`2`, `2.0`, `2e0`).
public struct ValueDecoder {
  /// The context for the decoded types, as in every decoder.
  public var userInfo: [CodingUserInfoKey: Any]

  /// Creates a decoder, by default with no `userInfo`.
  public init(userInfo: [CodingUserInfoKey: Any] = [:]) { self.userInfo = userInfo }

  /// Decodes a type; an error names the place in its coding path.
  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    try TreeDecoder(value: value, path: nil, userInfo: userInfo).decode(type)
  }
}

/// A member that a macro added, such as an observation registrar. It is not written, and decodes
/// from an empty object. Its neighbours, which the macro named `_name`, are written without the
/// `_`.
///
/// ```swift
/// extension ObservationStateRegistrar: @retroactive MacroMember {}
/// ```
public protocol MacroMember: Codable {}

extension Value: Codable {
  /// Writes the tree into any encoder.
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

  /// Reads any tree: null, a boolean, a number, a text, an array, an object.
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
  /// The number with a `Float`'s digits, not those of the nearest `Double`.
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
