import ValueTree

/// A copy of some bytes, whose room stays for the next ones. No array, because its count of references
/// would change with each line.
struct KeptText {
  private var room = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private var count = 0

  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: room[..<count]) }

  mutating func take(_ text: UnsafeBufferPointer<UInt8>) {
    if room.count < text.count {
      room.deallocate()
      room = .allocate(capacity: 2 * text.count)
    }
    _ = room.update(fromContentsOf: text)
    count = text.count
  }

  func deallocate() { room.deallocate() }
}

/// The line before the one that a walk visits, kept to tell whether it is whole.
final class LastLine {
  // Used by one walk alone.
  @exclusivity(unchecked) private var kept = KeptText()
  @exclusivity(unchecked) private var step: Int?
  /// The last line that was found whole.
  @exclusivity(unchecked) var wholeStep: Int?

  deinit { kept.deallocate() }

  func take(_ step: Int, _ members: StepMembers?) {
    self.step = members?.state == nil ? nil : step
    if let members, members.state != nil { kept.take(members.bytes) }
  }

  /// Whether it certainly tells the state after a step.
  func isReadable(_ step: Int) -> Bool {
    self.step == step && (wholeStep == step || kept.text.isJSON)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the parser reads them.
  var isJSON: Bool {
    isUTF8 && ValueScanner(self).isCertainlyJSON || (try? Value(parsing: self)) != nil
  }
}
