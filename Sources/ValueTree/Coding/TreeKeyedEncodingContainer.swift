struct TreeKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  @inline(__always)
  private func set(_ value: Value, _ key: Key) { encoder.add(key.stringValue, value) }

  func encodeNil(forKey key: Key) { set(.null, key) }
  func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) { set(value.value, key) }
  func encode(_ value: Float, forKey key: Key) { set(value.value, key) }
  func encode(_ value: Int, forKey key: Key) { set(value.value, key) }
  func encode(_ value: Int8, forKey key: Key) { set(value.value, key) }
  func encode(_ value: Int16, forKey key: Key) { set(value.value, key) }
  func encode(_ value: Int32, forKey key: Key) { set(value.value, key) }
  func encode(_ value: Int64, forKey key: Key) { set(value.value, key) }
  func encode(_ value: UInt, forKey key: Key) { set(value.value, key) }
  func encode(_ value: UInt8, forKey key: Key) { set(value.value, key) }
  func encode(_ value: UInt16, forKey key: Key) { set(value.value, key) }
  func encode(_ value: UInt32, forKey key: Key) { set(value.value, key) }
  func encode(_ value: UInt64, forKey key: Key) { set(value.value, key) }
  func encode(_ value: Int128, forKey key: Key) { set(value.value, key) }
  func encode(_ value: UInt128, forKey key: Key) { set(value.value, key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    set(try encoder.encodeChild(value, .key(key)), key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.open(.key(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.open(.key(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.open(.key(PlainKey.super)) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder.open(.key(key)) }
}
