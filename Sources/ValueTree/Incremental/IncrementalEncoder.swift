/// Encodes one state after another, at the cost of what changed between them.
///
/// ```swift
/// let encoder = IncrementalEncoder()
/// let first = try encoder.encode(state)
/// state.items[7].quantity += 1
/// let second = try encoder.encode(state)  // shares all but the way to items[7] with `first`
/// ```
///
/// A part of the tree is taken over from last time only where the part of the state is the same bit by
/// bit and its type holds nothing but numbers, texts and the standard collections, directly or inside
/// structs, enums, optionals and tuples. Equality is never asked: equal values may encode differently.
/// All else (classes, existentials, `Data`, pointers) is encoded in full each time.
///
/// The one assumption: an `encode(to:)` gives the same for the same contents of such a value.
public final class IncrementalEncoder {
  private let session: EncodingSession
  private var past: Past?

  /// With no `userInfo` and 500 containers inside one another, unless said otherwise.
  public init(userInfo: [CodingUserInfoKey: Any] = [:], depthLimit: Int = 500) {
    session = EncodingSession(userInfo: userInfo, depthLimit: depthLimit, remembers: true)
  }

  deinit { session.end() }

  /// The same tree, byte for byte, that ``ValueEncoder`` gives.
  public func encode<T: Encodable>(_ value: T) throws -> Value {
    let last = past
    past = nil
    session.lastMemory = nil
    let facts = session.facts(of: T.self)
    return try withUnsafePointer(to: value) { pointer in
      let tree = try session.encode(pointer, facts, at: EncodingPlace(nil, .root, past: last))
      let isHeld = facts.bits != nil
      past = Past(
        tree: tree, held: isHeld ? Held(copying: pointer) : nil,
        memory: isHeld ? nil : session.lastMemory)
      return tree
    }
  }
}
