import Platform

extension EncodingSession {
  /// The last tree, if equal bits prove that it is still right.
  @inline(__always)
  func unchanged<T>(_ pointer: UnsafePointer<T>, _ facts: CodingFacts, _ past: Past?) -> Value? {
    guard let past, let held = past.held as? Held<T>, let bits = facts.bits,
      bits.areSame(UnsafeRawPointer(pointer), UnsafeRawPointer(held.pointer))
    else { return nil }
    return past.tree
  }

  /// Gives an encoder the value's last container calls, and lets it record the new ones if the
  /// value itself cannot be kept.
  func prepare<T: Encodable>(
    _ encoder: TreeEncoder, for pointer: UnsafePointer<T>, _ facts: CodingFacts
  ) {
    if facts.bits == nil {
      let parent = encoder.place.parent
      if parent == nil || parent?.memory?.isDry == false { encoder.memory = Memory(isDry: false) }
      encoder.place.past?.memory?.rewind()
    } else if let past = encoder.place.past, let held = past.held as? Held<T> {
      let memory = dryRun(held.value, at: EncodingPlace(encoder.place.parent, encoder.place.step))
      encoder.place.past = Past(tree: past.tree, memory: memory)
    }
  }

  /// The last value's container calls, found by calling its `encode(to:)` again; done only on the
  /// way to a change.
  private func dryRun<T: Encodable>(_ value: T, at place: EncodingPlace) -> Memory? {
    guard let encoder = try? encoder(for: place, value) else { return nil }
    encoder.hasMacroMember = facts(of: T.self).hasMacroMember
    let memory = Memory(isDry: true)
    encoder.memory = memory
    do { try value.encode(to: encoder) } catch { memory.isVoid = true }
    _ = encoder.finish()
    encoder.clear()
    return memory
  }
}

extension TreeEncoder {
  func encodeChild<T: Encodable>(
    _ value: T, _ facts: CodingFacts, _ step: EncodingPlace.Step
  ) throws -> Value {
    try withUnsafePointer(to: value) { pointer in
      guard session.remembers else {
        return try session.encode(pointer, facts, at: EncodingPlace(self, step))
      }
      if let memory, memory.isDry {
        if facts.bits != nil { memory.add(step, type: T.self, held: Held(copying: pointer)) }
        return .null
      }
      let past = place.past?.child(step, type: T.self)
      session.lastMemory = nil
      let value = try session.encode(pointer, facts, at: EncodingPlace(self, step, past: past))
      if let memory {
        let held: AnyObject? = facts.bits == nil ? session.lastMemory : Held(copying: pointer)
        memory.add(step, type: T.self, held: held)
      }
      return value
    }
  }
}

extension Value {
  fileprivate var isSmall: Bool {
    guard height <= 2 else { return false }
    switch self {
    case .array(let elements): return elements.reduce(0) { $0 + 1 + $1.childCount } <= 16
    case .object(let members): return members.reduce(0) { $0 + 1 + $1.value.childCount } <= 16
    default: return true
    }
  }
}

extension EncodingSession {
  /// Encodes an array and reuses equal elements; nil if equality of this type cannot be known.
  func encode<Element: Encodable>(
    _ array: [Element], changedFrom old: [Element], _ tree: Value, at place: EncodingPlace
  ) throws -> Value? {
    let facts = facts(of: Element.self)
    guard case .array(let oldTree) = tree, oldTree.count == old.count, !old.isEmpty, !array.isEmpty,
      let bits = facts.bits
    else { return nil }
    let encoder = try encoder(for: place, array)
    defer { giveBack(encoder) }
    return try array.withUnsafeBufferPointer { new in
      try old.withUnsafeBufferPointer { old -> Value? in
        guard let newBase = new.baseAddress, let oldBase = old.baseAddress else {
          return impossible("an array with elements has storage", nil)
        }
        let matching = ArrayMatching(
          new: newBase, new.count, old: oldBase, old.count, bits, mayShift: !pathWasRead)
        if matching.isSame { return tree }
        var others: [Value] = []
        others.reserveCapacity(matching.others.count)
        for (index, oldIndex) in matching.others {
          // If nearly all is new, or elements are small, comparing does not pay.
          let past = oldIndex.flatMap { oldIndex in
            others.count < 64 && !oldTree[oldIndex].isSmall
              ? Past(tree: oldTree[oldIndex], held: Held(copying: oldBase + oldIndex)) : nil
          }
          let place = EncodingPlace(encoder, .index(index), past: past)
          others.append(try encode(newBase + index, facts, at: place))
        }
        if matching.isInPlace,
          zip(matching.others, others).allSatisfy({ oldTree[$0.index].isExactlyEqual(to: $1) })
        {
          return tree
        }
        return .array(matching.assembled(oldTree, others))
      }
    }
  }

  /// Encodes a dictionary and reuses equal members; nil if its keys differ or are stored in another
  /// order.
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
      // A copy changed in place keeps its keys where they were.
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
