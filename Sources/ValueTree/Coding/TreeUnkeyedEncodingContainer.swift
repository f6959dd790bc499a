struct TreeUnkeyedEncodingContainer: UnkeyedEncodingContainer {
  let session: EncodingSession
  let path: CodingPath?
  let slots: ArraySlots

  var codingPath: [any CodingKey] { path.keys }
  var count: Int { slots.slots.count }
  private var nextPath: CodingPath { CodingPath(path, PlainKey(intValue: count)) }

  private func append(_ value: Value) { slots.slot().content = .value(value) }

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
  func encode<T: Encodable>(_ value: T) throws { append(try session.encode(value, path: nextPath)) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    let path = nextPath
    return KeyedEncodingContainer(
      TreeKeyedEncodingContainer<NestedKey>(
        session: session, path: path, slots: slots.slot().objectSlots))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let path = nextPath
    return TreeUnkeyedEncodingContainer(
      session: session, path: path, slots: slots.slot().arraySlots)
  }

  func superEncoder() -> any Encoder {
    let path = nextPath
    return TreeEncoder(session: session, path: path, slot: slots.slot())
  }
}
