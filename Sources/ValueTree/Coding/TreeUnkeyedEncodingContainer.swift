struct TreeUnkeyedEncodingContainer: UnkeyedEncodingContainer {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.values.count }

  private func append(_ value: Value) { encoder.values.append(value) }

  func encodeNil() { append(.null) }
  func encode(_ value: Bool) { append(.bool(value)) }
  func encode(_ value: String) { append(.string(value)) }
  func encode(_ value: Double) { append(value.value) }
  func encode(_ value: Float) { append(value.value) }
  func encode(_ value: Int) { append(value.value) }
  func encode(_ value: Int8) { append(value.value) }
  func encode(_ value: Int16) { append(value.value) }
  func encode(_ value: Int32) { append(value.value) }
  func encode(_ value: Int64) { append(value.value) }
  func encode(_ value: UInt) { append(value.value) }
  func encode(_ value: UInt8) { append(value.value) }
  func encode(_ value: UInt16) { append(value.value) }
  func encode(_ value: UInt32) { append(value.value) }
  func encode(_ value: UInt64) { append(value.value) }
  func encode(_ value: Int128) { append(value.value) }
  func encode(_ value: UInt128) { append(value.value) }
  func encode<T: Encodable>(_ value: T) throws {
    append(try encoder.encodeChild(value, .index(count)))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.open(.index(count)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.open(.index(count)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.open(.index(count)) }
}
