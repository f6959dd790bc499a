extension Dictionary: EncodableGroup where Key: Encodable, Self.Value: Encodable {
  /// An object where the keys are texts, integers or raw values of these; else an array of keys and
  /// values in turn, as in the standard library. Sorted in any case.
  static func encode(
    at address: UnsafeRawPointer, in session: EncodingSession, from place: EncodingPlace
  ) throws -> EncodedValue {
    let dictionary = address.assumingMemoryBound(to: Self.self).pointee
    guard let keyText = MemberKey.text(of: Key.self) else {
      return try encodePairs(dictionary, in: session, from: place)
    }
    if let past = place.past, let held = past.held as? Held<Self>,
      let changed = try session.encode(
        dictionary, changedFrom: held.value, past.tree, at: place, keyText)
    {
      return changed
    }
    let encoder = try session.encoder(for: place, dictionary)
    defer { session.giveBack(encoder) }
    let facts = session.facts(of: Value.self)
    var members: [(key: String, value: EncodedValue)] = []
    members.reserveCapacity(dictionary.count)
    for (key, value) in dictionary {
      let text = keyText(key)
      let encoded = try withUnsafePointer(to: value) {
        try session.encode($0, facts, at: EncodingPlace(encoder, .key(PlainKey(stringValue: text))))
      }
      members.append((text, encoded))
    }
    members.sort { $0.key.precedes($1.key) }
    return .object(ValueObject(members))
  }

  private static func encodePairs(
    _ dictionary: Self, in session: EncodingSession, from place: EncodingPlace
  ) throws -> EncodedValue {
    let encoder = try session.encoder(for: place, dictionary)
    defer { session.giveBack(encoder) }
    var pairs: [(text: [UInt8], key: EncodedValue, value: EncodedValue)] = []
    for (index, (key, value)) in dictionary.enumerated() {
      let key = try session.encode(key, at: EncodingPlace(encoder, .index(index * 2)))
      let value = try session.encode(value, at: EncodingPlace(encoder, .index(index * 2 + 1)))
      pairs.append((key.bytes(.sorted), key, value))
    }
    pairs.sort { $0.text.lexicographicallyPrecedes($1.text) }
    return .array(ValueArray(pairs.flatMap { [$0.key, $0.value] }))
  }
}

/// How the keys of dictionaries become keys of objects.
enum MemberKey {
  /// The text of each key of a type; nil when keys of that type cannot be keys of an object.
  static func text<Key>(of type: Key.Type) -> ((Key) -> String)? {
    if type == String.self { return { unsafeBitCast($0, to: String.self) } }
    if type == Int.self { return { String(unsafeBitCast($0, to: Int.self)) } }
    if type is any CodingKeyRepresentable.Type {
      return { ($0 as? any CodingKeyRepresentable)?.codingKey.stringValue ?? "" }
    }
    guard let raw = type as? any RawRepresentable.Type, hasPlainRawValue(raw) else { return nil }
    return { key in
      guard let raw = key as? any RawRepresentable else { return "" }
      return "\(raw.rawValue)"
    }
  }

  private static func hasPlainRawValue<R: RawRepresentable>(_ type: R.Type) -> Bool {
    R.RawValue.self == String.self || R.RawValue.self == Int.self
  }
}

extension String {
  /// The order of bytes, which is the order of Unicode scalars.
  func precedes(_ other: String) -> Bool {
    let answer = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { mine.lexicographicallyPrecedes($0) }
    }
    return (answer ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}
