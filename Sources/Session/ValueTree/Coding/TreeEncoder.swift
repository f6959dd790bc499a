final class TreeEncoder: Encoder {
  /// The kind of the last container asked for, as a value has one form.
  enum Kind { case nothing, single, object, array }

  let session: EncodingSession
  var place: EncodingPlace
  var depth: Int
  private(set) var kind = Kind.nothing
  var values = ValueBuffer()
  /// The keys so far, while their shape is worth sharing; else see `keys`.
  private var keyPlace = KeyTrie.nowhere
  private var keys: [String] = []
  private var nested: [(index: Int, encoder: TreeEncoder)] = []
  var hasMacroMember = false
  var memory: Memory?

  init(session: EncodingSession, place: EncodingPlace, depth: Int) {
    self.session = session
    self.place = place
    self.depth = depth
  }

  var codingPath: [any CodingKey] { place.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin(.object)
    return KeyedEncodingContainer(TreeKeyedEncodingContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin(.array)
    return TreeUnkeyedEncodingContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    TreeSingleValueEncodingContainer(encoder: self)
  }

  private func begin(_ kind: Kind) {
    guard self.kind != kind else { return }
    if self.kind != .nothing { discard() }
    self.kind = kind
    if kind == .object { keyPlace = KeyTrie.root }
  }

  private func discard() {
    memory?.isVoid = true
    values.removeAll()
    keys = []
    keyPlace = KeyTrie.nowhere
    for (_, encoder) in nested { encoder.clear() }
    nested = []
    kind = .nothing
  }

  func clear() {
    memory = nil
    if kind != .nothing || values.count > 0 { discard() }
    if !keys.isEmpty { keys = [] }
    place = EncodingPlace(nil, .root)
  }
}

extension TreeEncoder {
  @inline(__always)
  func set(_ value: Value) {
    if kind != .nothing { discard() }
    kind = .single
    values.append(value)
  }

  @inline(__always)
  func add(_ key: String, _ value: Value) {
    if keyPlace >= 0 {
      let next = session.keys.place(after: keyPlace, key: key)
      if next == KeyTrie.nowhere { keys = session.keys.keys(to: keyPlace) + [key] }
      keyPlace = next
    } else {
      keys.append(key)
    }
    values.append(value)
  }

  func open(_ step: EncodingPlace.Step) -> TreeEncoder {
    let past = place.past?.child(step, type: Memory.self)
    let encoder = TreeEncoder(
      session: session, place: EncodingPlace(self, step, past: past), depth: depth + 1)
    if let memory {
      encoder.memory = Memory(isDry: memory.isDry)
      memory.add(step, type: Memory.self, held: encoder.memory)
    }
    nested.append((values.count, encoder))
    if case .key(let key) = step { add(key.stringValue, .null) } else { values.append(.null) }
    return encoder
  }

  func finish() -> Value {
    for (index, encoder) in nested { values.replace(index, with: encoder.finish()) }
    nested = []
    memory?.callCount = values.count
    let value = removeValue()
    kind = .nothing
    guard let past = place.past else { return value }
    return value.sharingChildren(with: past.tree)
  }

  private func removeValue() -> Value {
    switch kind {
    case .nothing: return [:]
    case .single:
      let value = values.base[0]
      values.removeAll()
      return value
    case .array: return .array(values.removeArray(values.count))
    case .object:
      defer {
        keyPlace = KeyTrie.nowhere
        keys = []
      }
      guard keyPlace >= 0 else { return .object(values.removeObject(keys: keys)) }
      if let shape = session.keys.shape(at: keyPlace) {
        return .object(values.removeObject(values.count, shape))
      }
      return .object(values.removeObject(keys: session.keys.keys(to: keyPlace)))
    }
  }
}
