extension EncodingSession {
  /// The dictionary encoded with the members of last time wherever they are the same; nil where its
  /// keys are others or lie in another order.
  func encode<Key: Hashable, Member: Encodable>(
    _ dictionary: [Key: Member], changedFrom old: [Key: Member], _ tree: Value,
    at place: EncodingPlace, _ keyText: (Key) -> String
  ) throws -> Value? {
    let facts = facts(of: Member.self)
    guard case .object(var object) = tree, object.count == old.count, dictionary.count == old.count,
      !dictionary.isEmpty, let bits = facts.bits, let keyBits = self.facts(of: Key.self).bits
    else { return nil }
    let encoder = try encoder(for: place, dictionary)
    defer { giveBack(encoder) }
    var isSame = true
    var before = old.makeIterator()
    for (key, value) in dictionary {
      // A copy that was changed in place still has its keys where they were.
      guard let (oldKey, oldValue) = before.next(), keyBits.areSameValues(key, oldKey) else {
        return nil
      }
      if bits.areSameValues(value, oldValue) { continue }
      let text = keyText(key)
      let past = withUnsafePointer(to: oldValue) { held in
        object[text].map { Past(tree: $0, held: Held(copying: held)) }
      }
      let place = EncodingPlace(encoder, .key(PlainKey(stringValue: text)), past: past)
      object[text] = try withUnsafePointer(to: value) { try encode($0, facts, at: place) }
      isSame = false
    }
    return isSame ? tree : .object(object)
  }
}
