import Essentials
import Platform

final class EncodingSession {
  let userInfo: [CodingUserInfoKey: Any]
  let depthLimit: Int
  let keys = KeyTrie()
  private var types = TypeTable()
  private var spare: [TreeEncoder] = []
  let remembers: Bool
  /// Whether an `encode(to:)` asked for its coding path: its output may depend on it.
  var pathWasRead = false

  var lastMemory: Memory?

  init(userInfo: [CodingUserInfoKey: Any], depthLimit: Int, remembers: Bool = false) {
    self.userInfo = userInfo
    self.depthLimit = depthLimit
    self.remembers = remembers
  }

  func facts(of type: Any.Type) -> CodingFacts { types.facts(of: type) }

  func encode<T: Encodable>(_ value: T, at place: EncodingPlace) throws -> Value {
    try withUnsafePointer(to: value) { try encode($0, facts(of: T.self), at: place) }
  }

  func encode<T: Encodable>(
    _ pointer: UnsafePointer<T>, _ facts: CodingFacts, at place: EncodingPlace
  ) throws -> Value {
    let address = UnsafeRawPointer(pointer)
    if let scalar = facts.form.scalar(at: address) { return scalar }
    if let same = unchanged(pointer, facts, place.past) { return same }
    guard case .group(let group) = facts.form else {
      return try encodePlain(pointer, facts, at: place)
    }
    let value = try group.encode(at: address, in: self, from: place)
    guard facts.bits == nil, let past = place.past else { return value }
    return value.sharing(with: past.tree)
  }

  private func encodePlain<T: Encodable>(
    _ pointer: UnsafePointer<T>, _ facts: CodingFacts, at place: EncodingPlace
  ) throws -> Value {
    var encoder = try encoder(for: place, pointer.pointee)
    encoder.hasMacroMember = facts.hasMacroMember
    if remembers { prepare(encoder, for: pointer, facts) }
    do {
      try pointer.pointee.encode(to: encoder)
    } catch {
      encoder.clear()
      throw error
    }
    let memory = encoder.memory
    let value = encoder.finish()
    if remembers { lastMemory = memory }
    if isKnownUniquelyReferenced(&encoder) { giveBack(encoder) }
    return value
  }

  func encoder(for place: EncodingPlace, _ value: Any) throws -> TreeEncoder {
    let depth = place.parent.map { $0.depth + 1 } ?? 0
    guard depth < depthLimit else {
      throw tooDeep(value, place, "more than \(depthLimit) containers inside one another; a cycle?")
    }
    guard depth < 4 || !StackRoom.isShort else {
      throw tooDeep(value, place, "\(depth) containers inside one another fill the thread's stack")
    }
    guard let encoder = spare.popLast() else {
      return TreeEncoder(session: self, place: place, depth: depth)
    }
    encoder.place = place
    encoder.depth = depth
    return encoder
  }

  func giveBack(_ encoder: TreeEncoder) {
    encoder.clear()
    if spare.count < 64 { spare.append(encoder) }
  }

  /// Breaks the retain cycle of the session and its spare encoders.
  func end() { spare = [] }

  private func tooDeep(_ value: Any, _ place: EncodingPlace, _ reason: String) -> EncodingError {
    .invalidValue(
      value, EncodingError.Context(codingPath: place.codingPath, debugDescription: reason))
  }
}
