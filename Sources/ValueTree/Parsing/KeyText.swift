import Platform

/// The bytes of a key and its closing quote as they stand in a text that escapes nothing.
struct KeyText {
  private let bytes: UnsafeMutablePointer<UInt8>
  let count: Int
  /// The first eight bytes, and which of them belong to the key.
  private let head: UInt64
  private let headMask: UInt64

  /// Nil for a key that cannot be written without an escape.
  init?(_ key: String) {
    var text = Array(key.utf8)
    guard text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
    else { return nil }
    text.append(UInt8(ascii: "\""))
    count = text.count
    // Room for eight bytes, so that the head can be loaded.
    bytes = .allocate(capacity: max(count, 8))
    bytes.initialize(repeating: 0, count: max(count, 8))
    bytes.update(from: text, count: count)
    head = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
    headMask = count >= 8 ? .max : UInt64(littleEndian: (1 << UInt64(count * 8)) - 1)
  }

  func free() { bytes.deallocate() }

  @inline(__always)
  func isAt(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Bool {
    let room = end - start
    guard room >= 8, room >= count else { return false }
    let word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
    guard (word ^ head) & headMask == 0 else { return false }
    return count <= 8 || memcmp(start + 8, bytes + 8, count - 8) == 0
  }
}
