import Platform

/// Encodes one state after another, at the cost of the changes between them.
///
/// ```swift
/// let encoder = IncrementalEncoder()
/// let first = try encoder.encode(state)
/// state.items[7].quantity += 1
/// let second = try encoder.encode(state)  // shares all but the way to items[7] with `first`
/// ```
///
/// It reuses a part of the last tree if the state's part has the same bits. The part's type must
/// hold nothing but numbers, texts and standard collections, directly or in structs, enums,
/// optionals and tuples. It never asks `==`: equal values may encode differently. It encodes all
/// other types (classes, existentials, `Data`, pointers) in full each time.
///
/// It assumes only that `encode(to:)` of such a value depends on nothing but its contents.
public final class IncrementalEncoder {
  private let session: EncodingSession
  private var past: Past?

  /// Creates an encoder, by default with no `userInfo` and at most 500 nested containers.
  public init(userInfo: [CodingUserInfoKey: Any] = [:], depthLimit: Int = 500) {
    session = EncodingSession(userInfo: userInfo, depthLimit: depthLimit, remembers: true)
  }

  deinit { session.end() }

  /// Encodes a value to the same tree, byte for byte, as ``ValueEncoder``.
  public func encode<T: Encodable>(_ value: T) throws -> Value {
    let last = past
    past = nil
    session.lastMemory = nil
    let facts = session.facts(of: T.self)
    return try withUnsafePointer(to: value) { pointer in
      let tree = try session.encode(pointer, facts, at: EncodingPlace(nil, .root, past: last))
      guard facts.bits != nil else {
        past = Past(tree: tree, memory: session.lastMemory)
        return tree
      }
      let held = Held(copying: pointer)
      if let last = last?.held as? Held<T> { held.unshare(from: last, facts, session) }
      past = Past(tree: tree, held: held)
      return tree
    }
  }
}

extension Value {
  func sharingChildren(with old: Value) -> Value {
    switch (self, old) {
    case (.array(let new), .array(let before)):
      guard new.count == before.count else { return self }
      return zip(new, before).allSatisfy { $0.isSame(as: $1) } ? old : self
    case (.object(let new), .object(let before)):
      guard new.count == before.count else { return self }
      guard let node = new.node, let oldNode = before.node else { return old }
      let isSame =
        node.hasSameKeys(as: oldNode)
        && zip(new, before).allSatisfy { $0.value.isSame(as: $1.value) }
      return isSame ? old : self
    default: return self
    }
  }

  func sharing(with old: Value, levels: Int = 100) -> Value {
    guard levels > 0 else { return self }
    switch (self, old) {
    case (.array(let new), .array(let before)):
      let children = zip(new, before).map { $0.sharing(with: $1, levels: levels - 1) }
      return Value.array(ValueArray(children + new.dropFirst(children.count)))
        .sharingChildren(with: old)
    case (.object(let new), .object(let before)):
      let members = new.map { key, value in
        (key: key, value: before[key].map { value.sharing(with: $0, levels: levels - 1) } ?? value)
      }
      return Value.object(ValueObject(members)).sharingChildren(with: old)
    default: return self
    }
  }

  private func isSame(as other: Value) -> Bool {
    switch self {
    case .array, .object: isIdentical(to: other)
    default: isExactlyEqual(to: other)
    }
  }
}

/// Bitwise comparison of a type's values. Only for types where equal bits mean equal values, while
/// a copy of one is held (see ``TypeFields``).
struct BitComparison {
  private let stride: Int
  /// The bytes that count; padding between them may differ in copies.
  private let ranges: [Range<Int>]

  init?(_ type: Any.Type) {
    guard TypeFields.areTransparent(type) else { return nil }
    stride = TypeMetadata(type).layout.stride
    ranges = TypeFields.ranges(of: type)
  }

  func areSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    for range in ranges {
      let start = range.lowerBound
      if memcmp(left + start, right + start, range.count) != 0 { return false }
    }
    return true
  }

  func areSameValues<T>(_ left: T, _ right: T) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { areSame(UnsafeRawPointer(left), UnsafeRawPointer($0)) }
    }
  }

  func countSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, upTo count: Int) -> Int {
    let block = 32
    var index = 0
    while index < count {
      let end = min(index + block, count)
      if memcmp(left + index * stride, right + index * stride, (end - index) * stride) == 0 {
        index = end
        continue
      }
      while index < end {
        guard areSame(left + index * stride, right + index * stride) else { return index }
        index += 1
      }
    }
    return count
  }
}
