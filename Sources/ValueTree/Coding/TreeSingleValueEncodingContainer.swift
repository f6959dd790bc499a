struct TreeSingleValueEncodingContainer: SingleValueEncodingContainer {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.set(.null) }
  func encode(_ value: Bool) { encoder.set(.bool(value)) }
  func encode(_ value: String) { encoder.set(.string(value)) }
  func encode(_ value: Double) { encoder.set(value.value) }
  func encode(_ value: Float) { encoder.set(value.value) }
  func encode(_ value: Int) { encoder.set(value.value) }
  func encode(_ value: Int8) { encoder.set(value.value) }
  func encode(_ value: Int16) { encoder.set(value.value) }
  func encode(_ value: Int32) { encoder.set(value.value) }
  func encode(_ value: Int64) { encoder.set(value.value) }
  func encode(_ value: UInt) { encoder.set(value.value) }
  func encode(_ value: UInt8) { encoder.set(value.value) }
  func encode(_ value: UInt16) { encoder.set(value.value) }
  func encode(_ value: UInt32) { encoder.set(value.value) }
  func encode(_ value: UInt64) { encoder.set(value.value) }
  func encode(_ value: Int128) { encoder.set(value.value) }
  func encode(_ value: UInt128) { encoder.set(value.value) }
  func encode<T: Encodable>(_ value: T) throws {
    encoder.set(try encoder.encodeChild(value, .single))
  }
}
