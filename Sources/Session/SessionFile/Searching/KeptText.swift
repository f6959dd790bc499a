import ValueTree

/// A copy of some bytes, whose room stays for the next ones. No array, because its count of references
/// would change with each line.
struct KeptText {
  private var room = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private var count = 0

  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: room[..<count]) }

  mutating func copy(_ text: UnsafeBufferPointer<UInt8>) {
    if room.count < text.count {
      room.deallocate()
      room = .allocate(capacity: 2 * text.count)
    }
    _ = room.update(fromContentsOf: text)
    count = text.count
  }

  func deallocate() { room.deallocate() }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the parser reads them, of bytes that are UTF-8.
  var isJSON: Bool {
    ValueScanner(self).isCertainlyJSON || (try? Value(parsing: self)) != nil
  }
}
