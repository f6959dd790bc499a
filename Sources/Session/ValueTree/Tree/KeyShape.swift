/// The keys of an object in order, shared by all objects with the same keys.
///
/// A shape changes only while it and its one node have a single reference each.
final class KeyShape {
  private(set) var keys: [String]
  private(set) var weight = 0
  private var index: KeyIndex?

  private static let scanLimit = 8

  init() { keys = [] }

  init(copying shape: KeyShape) {
    keys = shape.keys
    weight = shape.weight
    index = shape.index
  }

  init?(distinct keys: [String]) {
    self.keys = keys
    weight = keys.reduce(0) { $0 &+ $1.utf8.count }
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

  func append(_ key: String) {
    keys.append(key)
    weight &+= key.utf8.count
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

/// Finds a key among many: a hash table of positions into a key list stored elsewhere.
struct KeyIndex {
  /// Positions plus one; 0 is free. Never more than half full.
  private var places: [UInt32]
  private var count = 0

  init?(distinct keys: [String]) {
    places = Self.table(for: keys.count)
    for position in keys.indices {
      let place = place(of: keys[position], in: keys)
      guard places[place] == 0 else { return nil }
      places[place] = UInt32(position + 1)
    }
    count = keys.count
  }

  private static func table(for count: Int) -> [UInt32] {
    var size = 16
    while size < count * 2 { size *= 2 }
    return [UInt32](repeating: 0, count: size)
  }

  func position(of key: String, in keys: [String]) -> Int? {
    let entry = places[place(of: key, in: keys)]
    return entry == 0 ? nil : Int(entry) - 1
  }

  mutating func insert(_ position: Int, of keys: [String]) {
    count += 1
    if count * 2 > places.count {
      let old = places
      places = Self.table(for: count * 2)
      for entry in old where entry != 0 {
        places[place(of: keys[Int(entry) - 1], in: keys)] = entry
      }
    }
    places[place(of: keys[position], in: keys)] = UInt32(position + 1)
  }

  private func place(of key: String, in keys: [String]) -> Int {
    var hasher = Hasher()
    key.hashExactly(into: &hasher)
    let mask = places.count - 1
    var place = hasher.finalize() & mask
    while places[place] != 0, !keys[Int(places[place]) - 1].isExactly(key) {
      place = (place + 1) & mask
    }
    return place
  }
}
