/// Collections of the standard library, which are encoded without asking their `encode(to:)`: faster,
/// in a stated order, and part by part where most of them is the same as last time.
protocol EncodableGroup {
  /// Encodes the group of this type that lies at an address.
  static func encode(
    at address: UnsafeRawPointer, in session: EncodingSession, from place: EncodingPlace
  ) throws -> Value
}

extension Array: EncodableGroup where Element: Encodable {
  static func encode(
    at address: UnsafeRawPointer, in session: EncodingSession, from place: EncodingPlace
  ) throws -> Value {
    let array = address.assumingMemoryBound(to: Self.self).pointee
    if let past = place.past, let held = past.held as? Held<Self>,
      let changed = try session.encode(array, changedFrom: held.value, past.tree, at: place)
    {
      return changed
    }
    let encoder = try session.encoder(for: place, array)
    defer { session.giveBack(encoder) }
    let facts = session.facts(of: Element.self)
    try array.withUnsafeBufferPointer { elements in
      for index in elements.indices {
        guard let base = elements.baseAddress else { return }
        encoder.values.append(
          try session.encode(base + index, facts, at: EncodingPlace(encoder, .index(index))))
      }
    }
    return .array(encoder.values.takeArray(array.count))
  }
}

extension Set: EncodableGroup where Element: Encodable {
  static func encode(
    at address: UnsafeRawPointer, in session: EncodingSession, from place: EncodingPlace
  ) throws -> Value {
    let set = address.assumingMemoryBound(to: Self.self).pointee
    let value = try Array(set).withEncoded(in: session, at: EncodingPlace(place.parent, place.step))
    guard case .array(let elements) = value else { return value }
    let sorted = elements.map { (text: $0.bytes(.sorted), value: $0) }
      .sorted { $0.text.lexicographicallyPrecedes($1.text) }
    return .array(ValueArray(sorted.map(\.value)))
  }
}

extension Array where Element: Encodable {
  fileprivate func withEncoded(
    in session: EncodingSession, at place: EncodingPlace
  ) throws -> Value {
    try withUnsafePointer(to: self) { try Self.encode(at: $0, in: session, from: place) }
  }
}

/// ``Value``, by a name that also means it inside of `Dictionary`.
typealias EncodedValue = Value

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
