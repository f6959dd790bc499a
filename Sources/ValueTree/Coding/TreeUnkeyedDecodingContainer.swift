struct TreeUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  let array: ValueArray
  let path: CodingPath?
  let userInfo: [CodingUserInfoKey: Any]
  var currentIndex = 0

  var codingPath: [any CodingKey] { path.keys }
  var count: Int? { array.count }
  var isAtEnd: Bool { currentIndex >= array.count }

  /// Reads the next element and steps past it only when that succeeded.
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
