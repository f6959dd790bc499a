extension Value: Codable {
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
