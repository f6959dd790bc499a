/// Finds out from the text of a patch whether it touches certain places, without reading it.
///
/// ```swift
/// let scan = PatchScan([["cart", "total"]])
/// scan.touch(line.scanner, from: patch.lowerBound, &newValues)  // .nothing, for /cart/items/0
/// ```
///
/// It never misses a change: where the text is unusual (escapes in a path, no patch at all) it says `.other`.
package struct PatchScan: Sendable {
  private let places: [[UInt8]]

  package init(_ places: [Pointer]) {
    self.places = places.map { Array($0.description.utf8) }
  }

  /// What a patch does to the places.
  package enum Touch {
    case nothing
    /// It gives some of them new values, and does nothing else to them.
    case newValues
    case other
  }

  /// A value that one of the places gets.
  package struct NewValue {
    /// Which of the places.
    package var place: Int
    package var value: Range<Int>
  }

  /// The patch is the array that begins at `offset`; the new values are put behind those in `sets`.
  package func touch(_ scanner: ValueScanner, from offset: Int, _ sets: inout [NewValue]) -> Touch {
    var touch = Touch.nothing
    let isWhole = scanner.elements(from: offset) { operation in
      switch self.touch(scanner, operation: operation, &sets) {
      case .nothing: break
      case .newValues: touch = .newValues
      case .other: touch = .other
      }
      return touch != .other
    }
    return isWhole ? touch : .other
  }

  private func touch(
    _ scanner: ValueScanner, operation: Range<Int>, _ sets: inout [NewValue]
  ) -> Touch {
    var overlaps = false
    var path: Range<Int>?
    var value: Range<Int>?
    var isSetting = false
    let isWhole = scanner.members(from: operation.lowerBound) { key, member in
      switch key.count {
      case 4 where scanner.key(key, is: "op"):
        isSetting = scanner.text(member, is: "\"replace\"") || scanner.text(member, is: "\"add\"")
      case 6 where scanner.key(key, is: "path"):
        path = member
        overlaps = overlaps || mayOverlap(scanner, member)
      case 6 where scanner.key(key, is: "from"): overlaps = overlaps || mayOverlap(scanner, member)
      case 7 where scanner.key(key, is: "value"): value = member
      default: overlaps = overlaps || scanner.bytes[key].contains(UInt8(ascii: "\\"))
      }
      return true
    }
    guard isWhole, let path else { return .other }
    guard overlaps else { return .nothing }
    guard isSetting, let value else { return .other }
    let written = scanner.bytes[path].dropFirst().dropLast()
    let place = places.firstIndex { written.elementsEqual($0) }
    guard let place,
      !places.indices.contains(where: { $0 != place && overlap(places[$0], written) })
    else { return .other }
    sets.append(NewValue(place: place, value: value))
    return .newValues
  }

  private func mayOverlap(_ scanner: ValueScanner, _ path: Range<Int>) -> Bool {
    guard path.count >= 2, scanner.bytes[path.lowerBound] == UInt8(ascii: "\"") else {
      return true
    }
    let written = scanner.bytes[path].dropFirst().dropLast()
    return written.contains(UInt8(ascii: "\\")) || places.contains { overlap($0, written) }
  }

  /// Whether one of two pointers, as they are written, leads to or into the other.
  private func overlap(_ place: [UInt8], _ path: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let path = UnsafeBufferPointer(rebasing: path)
    let shorter = min(place.count, path.count)
    for index in 0..<shorter where place[index] != path[index] { return false }
    if place.count == path.count { return true }
    return (place.count > shorter ? place[shorter] : path[shorter]) == UInt8(ascii: "/")
  }
}
