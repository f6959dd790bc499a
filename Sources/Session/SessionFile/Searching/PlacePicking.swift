import ValueTree

extension ValueScanner {
  /// The value at `offset` with only these places and their containers, without parsing the rest; nil
  /// if unreadable.
  package func pick(_ places: [ArraySlice<String>], from offset: Int) -> Value? {
    guard let range = value(from: offset) else { return nil }
    let first = bytes[range.lowerBound]
    let isContainer = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    guard isContainer, !places.contains(where: \.isEmpty) else {
      return try? Value(parsing: bytes[range])
    }
    guard first == UInt8(ascii: "{") else { return .array([]) }
    var picked: [ValueObject.Element] = []
    var isRead = true
    let isWhole = members(from: range.lowerBound) { key, value in
      guard
        let name = places.first(where: {
          $0.first.map { self.key(key, is: Array($0.utf8)) } == true
        })
      else { return true }
      let below = places.filter { $0.first == name.first }.map { $0.dropFirst() }
      guard let name = name.first, let inner = pick(below, from: value.lowerBound) else {
        isRead = false
        return false
      }
      picked.removeAll { $0.key.utf8.elementsEqual(name.utf8) }
      picked.append((name, inner))
      return true
    }
    return isWhole && isRead ? .object(ValueObject(picked)) : nil
  }
}
