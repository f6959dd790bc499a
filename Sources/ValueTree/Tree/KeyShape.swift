/// The keys of an object in order, shared by all objects that have the same ones.
///
/// A shape is changed only while one node refers to it and one reference to that node exists.
final class KeyShape {
  private(set) var keys: [String]
  private var index: KeyIndex?

  /// Objects with more keys than this are looked up through an index.
  private static let scanLimit = 8

  init() { keys = [] }

  init(copying shape: KeyShape) {
    keys = shape.keys
    index = shape.index
  }

  /// A shape of these keys, or nil when one of them comes twice.
  init?(distinct keys: [String]) {
    self.keys = keys
    if keys.count > Self.scanLimit {
      guard let index = KeyIndex(distinct: keys) else { return nil }
      self.index = index
    } else {
      for place in keys.indices.dropFirst()
      where keys[..<place].contains(where: { $0.isExactly(keys[place]) }) {
        return nil
      }
    }
  }

  func position(of key: String) -> Int? {
    if let index { return index.position(of: key, in: keys) }
    return keys.withUnsafeBufferPointer { keys in
      for place in keys.indices where keys[place].isExactly(key) { return place }
      return nil
    }
  }

  /// Adds a key that is not among the others.
  func append(_ key: String) {
    keys.append(key)
    if index != nil {
      index?.insert(keys.count - 1, of: keys)
    } else if keys.count > Self.scanLimit {
      index = KeyIndex(distinct: keys)
    }
  }

  func hasSameKeys(as other: KeyShape) -> Bool {
    self === other
      || keys.count == other.keys.count && zip(keys, other.keys).allSatisfy { $0.isExactly($1) }
  }
}
