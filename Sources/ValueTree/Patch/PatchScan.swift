/// Finds out from the text of a patch whether it touches certain places, without reading it.
///
/// ```swift
/// let scan = PatchScan([["cart", "total"]])
/// scan.mayTouch(#"[{"op":"replace","path":"/cart/items/0","value":1}]"#)  // false
/// ```
///
/// It never misses a change: where the text is unusual (escapes in a path, no patch at all) it says yes.
package struct PatchScan: Sendable {
  private let places: [[UInt8]]

  package init(_ places: [Pointer]) {
    self.places = places.map { Array($0.description.utf8) }
  }

  package func mayTouch(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { mayTouch(ValueScanner($0), from: 0) }
  }

  /// The patch is the array that begins at `offset`.
  package func mayTouch(_ scanner: ValueScanner, from offset: Int) -> Bool {
    var touches = false
    let isWhole = scanner.elements(from: offset) { operation in
      touches = mayTouch(scanner, operation: operation)
      return !touches
    }
    return touches || !isWhole
  }

  private func mayTouch(_ scanner: ValueScanner, operation: Range<Int>) -> Bool {
    var touches = false
    var hasPath = false
    let isWhole = scanner.members(from: operation.lowerBound) { key, value in
      let isPath = scanner.key(key, is: "path")
      guard isPath || scanner.key(key, is: "from") else { return true }
      hasPath = hasPath || isPath
      touches = touches || mayTouch(scanner, path: value)
      return true
    }
    return touches || !isWhole || !hasPath
  }

  private func mayTouch(_ scanner: ValueScanner, path: Range<Int>) -> Bool {
    guard path.count >= 2, scanner.bytes[path.lowerBound] == UInt8(ascii: "\"") else {
      return true
    }
    let written = UnsafeBufferPointer(rebasing: scanner.bytes[path].dropFirst().dropLast())
    if written.contains(UInt8(ascii: "\\")) { return true }
    return places.contains { Self.overlap($0, written) }
  }

  /// Whether one of two pointers, as they are written, leads to or into the other.
  private static func overlap(_ place: [UInt8], _ path: UnsafeBufferPointer<UInt8>) -> Bool {
    let shorter = min(place.count, path.count)
    for index in 0..<shorter where place[index] != path[index] { return false }
    if place.count == path.count { return true }
    return (place.count > shorter ? place[shorter] : path[shorter]) == UInt8(ascii: "/")
  }
}
