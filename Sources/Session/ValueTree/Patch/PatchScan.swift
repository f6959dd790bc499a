/// Finds out whether a patch touches certain places, without parsing it.
///
/// ```swift
/// let scan = PatchScan([["cart", "total"]])
/// scan.touch(scanner, from: patch.lowerBound, &newValues)  // .nothing, for /cart/items/0
/// ```
///
/// It never misses a change: for unusual text (escapes in a path, not a patch) it says `.other`.
package struct PatchScan: Sendable {
  private let places: [ScanPath.Token]

  package init(_ places: [Pointer]) { self.places = places.map { ScanPath.Token($0.description) } }

  package enum Touch {
    case nothing
    case newValues
    case other
  }

  package struct NewValue {
    package var place: Int
    package var value: Range<Int>
  }

  /// Scans the array at `offset`, and appends the new values to `sets`.
  package func touch(_ scanner: ValueScanner, from offset: Int, _ sets: inout [NewValue]) -> Touch {
    var touch = Touch.nothing
    let end = scanner.endOfElements(from: offset) { start in
      guard let (ofOperation, end) = self.touch(scanner, operationFrom: start, &sets) else {
        return nil
      }
      if ofOperation != .nothing { touch = ofOperation }
      return touch == .other ? nil : end
    }
    return end == nil ? .other : touch
  }

  private func touch(
    _ scanner: ValueScanner, operationFrom start: Int, _ sets: inout [NewValue]
  ) -> (Touch, end: Int)? {
    if let usual = touch(scanner, usualOperationFrom: start, &sets) { return usual }
    var overlaps = false
    var path: Range<Int>?
    var value: Range<Int>?
    var isSetting = false
    let end = scanner.endOfMembers(from: start) { key, start in
      guard let member = scanner.value(from: start) else { return nil }
      switch key.count {
      case 4 where scanner.key(key, is: "op"):
        isSetting = scanner.text(member, is: "\"replace\"") || scanner.text(member, is: "\"add\"")
      case 6 where scanner.key(key, is: "path"):
        path = member
        overlaps = overlaps || mayOverlap(scanner, member)
      case 6 where scanner.key(key, is: "from"): overlaps = overlaps || mayOverlap(scanner, member)
      case 7 where scanner.key(key, is: "value"): value = member
      default: overlaps = overlaps || scanner.hasEscapes(key)
      }
      return member.upperBound
    }
    guard let end, let path else { return nil }
    guard overlaps else { return (.nothing, end) }
    guard isSetting, let value else { return nil }
    return set(scanner, path, value, &sets) ? (.newValues, end) : nil
  }

  /// The fast path for an operation with exactly `op`, `path` and `value`, in this order.
  @inline(__always)
  private func touch(
    _ scanner: ValueScanner, usualOperationFrom start: Int, _ sets: inout [NewValue]
  ) -> (Touch, end: Int)? {
    guard
      let pathStart = scanner.end(of: "{\"op\":\"replace\",\"path\":", at: start)
        ?? scanner.end(of: "{\"op\":\"add\",\"path\":", at: start),
      let path = scanner.value(from: pathStart),
      let valueStart = scanner.end(of: ",\"value\":", at: path.upperBound),
      let value = scanner.value(from: valueStart),
      let end = scanner.end(of: "}", at: value.upperBound)
    else { return nil }
    guard mayOverlap(scanner, path) else { return (.nothing, end) }
    return set(scanner, path, value, &sets) ? (.newValues, end) : nil
  }

  private func set(
    _ scanner: ValueScanner, _ path: Range<Int>, _ value: Range<Int>, _ sets: inout [NewValue]
  ) -> Bool {
    guard let written = scanner.insideQuotes(path) else { return false }
    var place: Int?
    for index in places.indices where overlap(places[index], scanner, written) {
      guard place == nil, places[index].count == written.count else { return false }
      place = index
    }
    guard let place else { return false }
    sets.append(NewValue(place: place, value: value))
    return true
  }

  private func mayOverlap(_ scanner: ValueScanner, _ path: Range<Int>) -> Bool {
    guard let written = scanner.insideQuotes(path) else { return true }
    guard !scanner.hasEscapes(written) else { return true }
    for index in places.indices where overlap(places[index], scanner, written) { return true }
    return false
  }

  /// Mostly the first eight bytes decide.
  @inline(__always)
  private func overlap(
    _ place: ScanPath.Token, _ scanner: ValueScanner, _ path: Range<Int>
  ) -> Bool {
    let shorter = min(place.count, path.count)
    let others = place.head ^ scanner.head(of: path)
    if others != 0, others.trailingZeroBitCount >> 3 < shorter { return false }
    for index in 8..<max(8, shorter)
    where place.bytes[index] != scanner.bytes[path.lowerBound + index] {
      return false
    }
    if place.count == path.count { return true }
    let next =
      place.count > shorter ? place.bytes[shorter] : scanner.bytes[path.lowerBound + shorter]
    return next == UInt8(ascii: "/")
  }
}
