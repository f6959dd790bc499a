/// Dictionaries whose keys are enums with raw values: written as objects, which the standard library
/// would read only for keys of a few other types.
protocol DecodableGroup {
  /// The dictionary in an object; nil when the standard library reads it.
  static func decode(at decoder: TreeDecoder) throws -> Any?
}

extension Dictionary: DecodableGroup where Key: Decodable, Self.Value: Decodable {
  static func decode(at decoder: TreeDecoder) throws -> Any? {
    guard Key.self != String.self, Key.self != Int.self,
      !(Key.self is any CodingKeyRepresentable.Type),
      let raw = Key.self as? any RawRepresentable.Type, let key = MemberKey.reader(raw)
    else { return nil }
    guard case .object(let object) = decoder.value else {
      throw decoder.mismatch(Self.self, "an object")
    }
    var dictionary: Self = [:]
    for (text, value) in object {
      guard let key = key(text) as? Key else {
        throw decoder.corrupted("\"\(text)\" is no \(Key.self)")
      }
      let place = CodingPath(decoder.path, PlainKey(stringValue: text))
      dictionary[key] = try TreeDecoder(value: value, path: place, userInfo: decoder.userInfo)
        .decode(Value.self)
    }
    return dictionary
  }
}

extension MemberKey {
  /// Makes keys of a type from their texts; nil when its raw values are neither texts nor integers.
  static func reader<R: RawRepresentable>(_ type: R.Type) -> ((String) -> Any?)? {
    if R.RawValue.self == String.self {
      return { text in (text as? R.RawValue).flatMap(R.init(rawValue:)) }
    }
    if R.RawValue.self == Int.self {
      return { text in (Int(text) as? R.RawValue).flatMap(R.init(rawValue:)) }
    }
    return nil
  }
}
