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
