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
      other.utf8.withContiguousStorageIfAvailable { theirs in
        mine.isSame(as: theirs, count: mine.count)
      }
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

extension UnsafeBufferPointer<UInt8> {
  /// Whether both hold the same bytes, eight at a time. Both have `count` of them.
  @inline(__always)
  fileprivate func isSame(as other: UnsafeBufferPointer<UInt8>, count: Int) -> Bool {
    guard let mine = UnsafeRawPointer(baseAddress), let theirs = UnsafeRawPointer(other.baseAddress)
    else { return true }
    var offset = 0
    while offset + 8 <= count {
      guard
        mine.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == theirs.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset < count {
      guard
        mine.load(fromByteOffset: offset, as: UInt8.self)
          == theirs.load(fromByteOffset: offset, as: UInt8.self)
      else { return false }
      offset += 1
    }
    return true
  }
}
