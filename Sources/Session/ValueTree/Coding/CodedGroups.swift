import Platform

/// Collections of the standard library that the encoder writes itself: faster than their
/// `encode(to:)`, sorted, and reusing the parts that are the same as last time.
protocol EncodableGroup {
  static func encode(
    at address: UnsafeRawPointer, in session: EncodingSession, from place: EncodingPlace
  ) throws -> Value

  /// Moves the remembered group into the storage of the one before it, if that costs no more than
  /// the changes do.
  static func unshare(
    _ kept: UnsafeMutableRawPointer, _ last: UnsafeMutableRawPointer, _ session: EncodingSession)
}

extension EncodableGroup {
  static func unshare(
    _ kept: UnsafeMutableRawPointer, _ last: UnsafeMutableRawPointer, _ session: EncodingSession
  ) {}
}

extension Array: EncodableGroup where Element: Encodable {
  static func unshare(
    _ kept: UnsafeMutableRawPointer, _ last: UnsafeMutableRawPointer, _ session: EncodingSession
  ) {
    guard let bits = session.facts(of: Element.self).bits else { return }
    kept.assumingMemoryBound(to: Self.self).pointee
      .unshare(&last.assumingMemoryBound(to: Self.self).pointee, bits)
  }

  private mutating func unshare(_ last: inout Self, _ bits: BitComparison) {
    let common = Swift.min(count, last.count)
    var index = withUnsafeBufferPointer { new in
      last.withUnsafeBufferPointer { old in
        guard let new = new.baseAddress, let old = old.baseAddress else { return 0 }
        return new == old ? common : bits.countSame(new, old, upTo: common)
      }
    }
    // A group that changed throughout is cheaper to share.
    if index + 1 < common, last.count == count,
      !bits.areSameValues(self[index + 1], last[index + 1])
    {
      return
    }
    if index == count, index == last.count { return }
    swap(&self, &last)
    last.withUnsafeBufferPointer { new in
      withUnsafeMutableBufferPointer { own in
        guard let new = new.baseAddress, let own = own.baseAddress else { return }
        while index < common {
          own[index] = new[index]
          index += 1
          index += bits.countSame(new + index, own + index, upTo: common - index)
        }
      }
    }
    removeLast(count - common)
    append(contentsOf: last[common...])
  }

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
        guard let base = elements.baseAddress else {
          return impossible("an array with an index has storage")
        }
        encoder.values.append(
          try session.encode(base + index, facts, at: EncodingPlace(encoder, .index(index))))
      }
    }
    return .array(encoder.values.removeArray(array.count))
  }
}

extension Set: EncodableGroup where Element: Encodable {
  static func encode(
    at address: UnsafeRawPointer, in session: EncodingSession, from place: EncodingPlace
  ) throws -> Value {
    let set = address.assumingMemoryBound(to: Self.self).pointee
    let value = try withUnsafePointer(to: Array(set)) {
      try [Element].encode(at: $0, in: session, from: EncodingPlace(place.parent, place.step))
    }
    guard case .array(let elements) = value else { return value }
    let sorted = elements.map { (text: $0.bytes(.sorted), value: $0) }
      .sorted { $0.text.lexicographicallyPrecedes($1.text) }
    return .array(ValueArray(sorted.map(\.value)))
  }
}

typealias EncodedValue = Value

/// Dictionaries whose keys are enums with raw values: objects in JSON. The standard library reads
/// only a few other key types from objects.
protocol DecodableGroup {
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

extension Dictionary: EncodableGroup where Key: Encodable, Self.Value: Encodable {
  /// An object if the keys are texts, integers or raw values of these; else an array that
  /// alternates keys and values, as in the standard library. Always sorted.
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

enum MemberKey {
  static func text<Key>(of type: Key.Type) -> ((Key) -> String)? {
    if type == String.self { return { unsafeBitCast($0, to: String.self) } }
    if type == Int.self { return { String(unsafeBitCast($0, to: Int.self)) } }
    if type is any CodingKeyRepresentable.Type {
      return { ($0 as? any CodingKeyRepresentable)?.codingKey.stringValue ?? "" }
    }
    guard let raw = type as? any RawRepresentable.Type, reader(raw) != nil else { return nil }
    return { key in
      guard let raw = key as? any RawRepresentable else {
        return impossible("a key has the protocols of its type", "")
      }
      return "\(raw.rawValue)"
    }
  }
}

extension String {
  func precedes(_ other: String) -> Bool {
    let answer = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { mine.lexicographicallyPrecedes($0) }
    }
    return (answer ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

final class CodingPath {
  let parent: CodingPath?
  let key: any CodingKey
  let depth: Int

  init(_ parent: CodingPath?, _ key: any CodingKey) {
    self.parent = parent
    self.key = key
    depth = (parent?.depth ?? 0) + 1
  }
}

extension CodingPath? {
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var place = self
    while let here = place {
      keys.append(here.key)
      place = here.parent
    }
    return keys.reversed()
  }

  var depth: Int { self?.depth ?? 0 }
}

struct PlainKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  static let `super` = PlainKey(stringValue: "super")
}

struct EncodingPlace {
  enum Step {
    case root
    case key(any CodingKey)
    case index(Int)
    case single
  }

  var parent: TreeEncoder?
  var step: Step
  var past: Past?

  init(_ parent: TreeEncoder?, _ step: Step, past: Past? = nil) {
    self.parent = parent
    self.step = step
    self.past = past
  }

  var codingPath: [any CodingKey] {
    parent?.session.pathWasRead = true
    var keys: [any CodingKey] = []
    var place = self
    while let parent = place.parent {
      switch place.step {
      case .key(let key): keys.append(key)
      case .index(let index): keys.append(PlainKey(intValue: index))
      case .root, .single: break
      }
      place = parent.place
    }
    return keys.reversed()
  }
}
