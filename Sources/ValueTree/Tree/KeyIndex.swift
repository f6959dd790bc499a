/// Finds a key among many: a hash table of positions into a list of keys that somebody else holds.
struct KeyIndex {
  /// Positions plus one; 0 is a free place. Never more than half full.
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

  /// Adds the key at a position, which is not in the table yet.
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

  /// Where the key is, or the free place where it belongs.
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
