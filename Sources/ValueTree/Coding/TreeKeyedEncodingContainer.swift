struct TreeKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let session: EncodingSession
  let path: CodingPath?
  let slots: ObjectSlots

  var codingPath: [any CodingKey] { path.keys }

  private func set(_ value: Value, _ key: Key) { slots.slot(key).content = .value(value) }

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

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    set(try session.encode(value, path: CodingPath(path, key)), key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(
      TreeKeyedEncodingContainer<NestedKey>(
        session: session, path: CodingPath(path, key), slots: slots.slot(key).objectSlots))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    TreeUnkeyedEncodingContainer(
      session: session, path: CodingPath(path, key), slots: slots.slot(key).arraySlots)
  }

  func superEncoder() -> any Encoder {
    TreeEncoder(
      session: session, path: CodingPath(path, PlainKey.super), slot: slots.slot(PlainKey.super))
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    TreeEncoder(session: session, path: CodingPath(path, key), slot: slots.slot(key))
  }
}
