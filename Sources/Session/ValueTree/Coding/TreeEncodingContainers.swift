// For 128-bit integers, the standard library's throwing default would win over a generic method.

struct TreeKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  @inline(__always)
  private func set(_ value: Value, _ key: Key) { encoder.add(name(of: key), value) }

  private func name(of key: Key) -> String {
    encoder.hasMacroMember ? key.stringValue.withoutUnderscore : key.stringValue
  }

  private func step(_ key: Key) -> EncodingPlace.Step {
    .key(encoder.hasMacroMember ? PlainKey(stringValue: name(of: key)) : key)
  }

  func encodeNil(forKey key: Key) { set(.null, key) }
  func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) { set(value.value, key) }
  func encode(_ value: Float, forKey key: Key) { set(value.value, key) }
  @inline(__always)
  func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) {
    set(value.value, key)
  }
  func encode(_ value: Int128, forKey key: Key) { set(value.value, key) }
  func encode(_ value: UInt128, forKey key: Key) { set(value.value, key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let facts = encoder.session.facts(of: T.self)
    guard !facts.isMacroMember else { return }
    set(try encoder.encodeChild(value, facts, step(key)), key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.open(step(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.open(step(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.open(.key(PlainKey.super)) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder.open(step(key)) }
}

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
  @inline(__always)
  func encode<T: FixedWidthInteger & Encodable>(_ value: T) { append(value.value) }
  func encode(_ value: Int128) { append(value.value) }
  func encode(_ value: UInt128) { append(value.value) }
  func encode<T: Encodable>(_ value: T) throws {
    append(try encoder.encodeChild(value, encoder.session.facts(of: T.self), .index(count)))
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

struct TreeSingleValueEncodingContainer: SingleValueEncodingContainer {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.set(.null) }
  func encode(_ value: Bool) { encoder.set(.bool(value)) }
  func encode(_ value: String) { encoder.set(.string(value)) }
  func encode(_ value: Double) { encoder.set(value.value) }
  func encode(_ value: Float) { encoder.set(value.value) }
  @inline(__always)
  func encode<T: FixedWidthInteger & Encodable>(_ value: T) { encoder.set(value.value) }
  func encode(_ value: Int128) { encoder.set(value.value) }
  func encode(_ value: UInt128) { encoder.set(value.value) }
  func encode<T: Encodable>(_ value: T) throws {
    encoder.set(try encoder.encodeChild(value, encoder.session.facts(of: T.self), .single))
  }
}

extension String {
  var withoutUnderscore: String { hasPrefix("_") ? String(dropFirst()) : self }
}
