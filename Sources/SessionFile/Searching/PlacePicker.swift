import ValueTree

/// Extracts some places from a value's text, without parsing the rest.
package struct PlacePicker {
  private let scanner: ValueScanner

  package init(_ scanner: ValueScanner) { self.scanner = scanner }

  /// The value at `offset` with only these places and their containers; nil if unreadable.
  package func pick(_ places: [ArraySlice<String>], from offset: Int) -> Value? {
    guard let range = scanner.value(from: offset) else { return nil }
    let first = scanner.bytes[range.lowerBound]
    let isContainer = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    guard isContainer, !places.contains(where: \.isEmpty) else {
      return try? Value(parsing: scanner.bytes[range])
    }
    guard first == UInt8(ascii: "{") else { return .array([]) }
    var members: [ValueObject.Element] = []
    var isRead = true
    let isWhole = scanner.members(from: range.lowerBound) { key, value in
      guard
        let name = places.first(where: {
          $0.first.map { scanner.key(key, is: Array($0.utf8)) } == true
        })
      else { return true }
      let below = places.filter { $0.first == name.first }.map { $0.dropFirst() }
      guard let name = name.first, let picked = pick(below, from: value.lowerBound) else {
        isRead = false
        return false
      }
      members.removeAll { $0.key.utf8.elementsEqual(name.utf8) }
      members.append((name, picked))
      return true
    }
    return isWhole && isRead ? .object(ValueObject(members)) : nil
  }
}
