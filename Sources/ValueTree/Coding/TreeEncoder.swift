/// The `Encoder` that a value's `encode(to:)` sees.
struct TreeEncoder: Encoder {
  let session: EncodingSession
  let path: CodingPath?
  let slot: EncodingSlot

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      TreeKeyedEncodingContainer(session: session, path: path, slots: slot.objectSlots))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    TreeUnkeyedEncodingContainer(session: session, path: path, slots: slot.arraySlots)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension TreeEncoder: SingleValueEncodingContainer {
  private func set(_ value: Value) { slot.content = .value(value) }

  func encodeNil() { set(.null) }
  func encode(_ value: Bool) { set(.bool(value)) }
  func encode(_ value: String) { set(.string(value)) }
  func encode(_ value: Double) { set(value.value) }
  func encode(_ value: Float) { set(value.value) }
  func encode(_ value: Int) { set(value.value) }
  func encode(_ value: Int8) { set(value.value) }
  func encode(_ value: Int16) { set(value.value) }
  func encode(_ value: Int32) { set(value.value) }
  func encode(_ value: Int64) { set(value.value) }
  func encode(_ value: UInt) { set(value.value) }
  func encode(_ value: UInt8) { set(value.value) }
  func encode(_ value: UInt16) { set(value.value) }
  func encode(_ value: UInt32) { set(value.value) }
  func encode(_ value: UInt64) { set(value.value) }
  func encode<T: Encodable>(_ value: T) throws { set(try session.encode(value, path: path)) }
}
