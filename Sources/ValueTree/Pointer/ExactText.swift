/// A text that is compared by its bytes: `"é"` and `"e\u{301}"` are two different keys in JSON.
struct ExactText: Hashable, Sendable {
  var text: String

  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }

  func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }
}

extension String {
  /// Whether both are the same bytes. Swift's own equality also holds for composed and decomposed
  /// forms of one character.
  func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let answer = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in mine.elementsEqual(theirs) }
    }
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  func hashExactly(into hasher: inout Hasher) {
    let done: Void? = utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if done == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
  }
}
