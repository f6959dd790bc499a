/// Which private modes (`ESC [ ? n h` and `l`) a stream of bytes leaves switched on.
struct PrivateModes {
  /// Mode 25, the cursor, is on at the start.
  private(set) var on: Set<Int> = [25]

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let escape = rest.firstIndex(of: 0x1B) {
      rest = rest[(escape + 1)...]
      guard rest.starts(with: Array("[?".utf8)) else { continue }
      let parameters = rest.dropFirst(2).prefix { $0 == 0x3B || (0x30...0x39).contains($0) }
      guard parameters.endIndex < rest.endIndex else { return }
      let numbers = parameters.split(separator: 0x3B).compactMap {
        Int(String(decoding: $0, as: UTF8.self))
      }
      switch rest[parameters.endIndex] {
      case UInt8(ascii: "h"): on.formUnion(numbers)
      case UInt8(ascii: "l"): on.subtract(numbers)
      default: break
      }
      rest = rest[parameters.endIndex...]
    }
  }
}
