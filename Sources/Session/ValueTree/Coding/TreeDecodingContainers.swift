struct TreeKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: ValueObject
  let path: CodingPath?
  let userInfo: [CodingUserInfoKey: Any]

  var codingPath: [any CodingKey] { path.keys }
  var allKeys: [Key] { object.keys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { member(key) != nil }

  /// Macros name a member `_name`; JSON has no `_`.
  private func member(_ key: some CodingKey) -> Value? {
    if let value = object[key.stringValue] { return value }
    return key.stringValue.hasPrefix("_") ? object[key.stringValue.withoutUnderscore] : nil
  }

  private func decoder(_ key: some CodingKey) throws -> TreeDecoder {
    guard let value = member(key) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: path.keys,
          debugDescription: "no key \"\(key.stringValue)\" in the object at \(path.pointer)"))
    }
    return TreeDecoder(value: value, path: CodingPath(path, key), userInfo: userInfo)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder(key).decode(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }
  @inline(__always)
  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder(key).decode(type)
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decoder(key).decode(type)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decoder(key).decode(type)
  }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if !contains(key), type is any MacroMember.Type {
      return try T(from: TreeDecoder(value: [:], path: path, userInfo: userInfo))
    }
    return try decoder(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(key: PlainKey.super) }
  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key: key) }

  /// A class without stored properties may have written nothing: the parent reads null.
  private func superDecoder(key: some CodingKey) -> TreeDecoder {
    TreeDecoder(
      value: object[key.stringValue] ?? .null, path: CodingPath(path, key), userInfo: userInfo)
  }
}

struct TreeUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  let array: ValueArray
  let path: CodingPath?
  let userInfo: [CodingUserInfoKey: Any]
  var currentIndex = 0

  var codingPath: [any CodingKey] { path.keys }
  var count: Int? { array.count }
  var isAtEnd: Bool { currentIndex >= array.count }

  private mutating func next<T>(_ type: Any.Type, _ read: (TreeDecoder) throws -> T) throws -> T {
    let place = CodingPath(path, PlainKey(intValue: currentIndex))
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: Optional(place).keys,
          debugDescription: "the array at \(path.pointer) has only \(array.count) elements"))
    }
    let result = try read(
      TreeDecoder(value: array[currentIndex], path: place, userInfo: userInfo))
    currentIndex += 1
    return result
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, array[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try next(type) { try $0.decode(type) }
  }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try next(type) { try $0.decode(type) }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next(type) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next(Any.self) { $0 } }
}
