extension EncodingSession {
  /// The tree of last time, where the same bits prove that it would come out again.
  @inline(__always)
  func unchanged<T>(_ pointer: UnsafePointer<T>, _ facts: TypeFacts, _ past: Past?) -> Value? {
    guard let past, let held = past.held as? Held<T>, let bits = facts.bits,
      bits.areSame(UnsafeRawPointer(pointer), UnsafeRawPointer(held.pointer))
    else { return nil }
    return past.tree
  }

  /// Lets an encoder know what its value gave to its containers last time, and has it note down what
  /// is given now where the value itself cannot be kept.
  func prepare<T: Encodable>(
    _ encoder: TreeEncoder, for pointer: UnsafePointer<T>, _ facts: TypeFacts
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

  /// What the value of last time gave to its containers: asked of the value again, which is only done
  /// on the way to what changed.
  private func dryRun<T: Encodable>(_ value: T, at place: EncodingPlace) -> Memory? {
    guard let encoder = try? encoder(for: place, value) else { return nil }
    let memory = Memory(isDry: true)
    encoder.memory = memory
    do { try value.encode(to: encoder) } catch { memory.isVoid = true }
    _ = encoder.finish()
    encoder.clear()
    return memory
  }
}

extension TreeEncoder {
  /// Encodes what is given to a container, and notes it down where that is asked for.
  func encodeChild<T: Encodable>(_ value: T, _ step: EncodingPlace.Step) throws -> Value {
    try withUnsafePointer(to: value) { pointer in
      let facts = session.facts(of: T.self)
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

extension Past {
  /// What stood in a container that was opened at a key or index inside.
  func opened(_ step: EncodingPlace.Step) -> Past? { child(step, type: Memory.self) }
}
