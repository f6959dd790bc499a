import Essentials
import Platform

struct TreeDecoder: Decoder {
  let value: Value
  let path: CodingPath?
  let userInfo: [CodingUserInfoKey: Any]

  var codingPath: [any CodingKey] { path.keys }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw mismatch([String: Any].self, "an object") }
    return KeyedDecodingContainer(
      TreeKeyedDecodingContainer(object: object, path: path, userInfo: userInfo))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let array) = value else { throw mismatch([Any].self, "an array") }
    return TreeUnkeyedDecodingContainer(array: array, path: path, userInfo: userInfo)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension TreeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let bool) = value else { throw mismatch(type, "a boolean") }
    return bool
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let string) = value else { throw mismatch(type, "a string") }
    return string
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .number(let number):
      let double = number.doubleValue
      guard double.isFinite else { throw corrupted("\(number.text) does not fit in \(type)") }
      return double
    case .string(let text):
      guard let double = Double(nonFinite: text) else { throw mismatch(type, "a number") }
      return double
    default: throw mismatch(type, "a number")
    }
  }

  func decode(_ type: Float.Type) throws -> Float {
    let double = try decode(Double.self)
    let float = Float(double)
    guard float.isFinite || !double.isFinite else {
      throw corrupted("\(value.text()) does not fit in \(type)")
    }
    return float
  }

  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T { try integer(type) }

  private func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard case .number(let number) = value else { throw mismatch(type, "an integer") }
    guard let integer = number.integer(type) else {
      throw corrupted("\(number.text) does not fit in \(type)")
    }
    return integer
  }

  static let depthLimit = 1_000

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard path.depth <= Self.depthLimit else {
      throw corrupted("more than \(Self.depthLimit) values inside one another")
    }
    guard path.depth < 4 || !StackRoom.isShort else {
      throw corrupted("\(path.depth) values inside one another fill the thread's stack")
    }
    // Common scalars first: a conformance check takes longer than decoding one.
    if type == Int.self, let int = try decode(Int.self) as? T { return int }
    if type == String.self, let text = try decode(String.self) as? T { return text }
    if type == Double.self, let double = try decode(Double.self) as? T { return double }
    if type == Bool.self, let bool = try decode(Bool.self) as? T { return bool }
    let decoded: Any?
    switch type {
    case is Value.Type: decoded = value
    case is Data.Type: decoded = Data(base64Encoded: try decode(String.self))
    case is Decimal.Type: decoded = try decodeDecimal()
    case is URL.Type:
      guard case .string(let text) = value else { return try T(from: self) }
      decoded = URL(string: text)
    case let group as any DecodableGroup.Type:
      guard let group = try group.decode(at: self) else { return try T(from: self) }
      decoded = group
    default: return try T(from: self)
    }
    guard let result = decoded as? T else { throw corrupted("\(value.text()) is no \(type)") }
    return result
  }

  private func decodeDecimal() throws -> Decimal? {
    switch value {
    case .number(let number): Decimal(string: number.text)
    case .string("NaN"): .nan
    default: throw mismatch(Decimal.self, "a number")
    }
  }
}

extension TreeDecoder {
  func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: path.keys,
      debugDescription: "expected \(wanted) at \(path.pointer), found \(value.kindInWords)")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corrupted(_ what: String) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: path.keys, debugDescription: "\(what), at \(path.pointer)"))
  }
}

extension CodingPath? {
  var pointer: String {
    let place = Pointer(keys)
    return place.isRoot ? "the root" : place.description
  }
}
