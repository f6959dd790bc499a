/// What a payload is made of, as far as it decides whether reflection can read it.
///
/// Reflection hands out the bits of a function as they lie in the enum, where it is called another
/// way than through `Any`: calling it would read arguments that nobody passed. The layout of the
/// metadata that is read here is part of Swift's stable interface.
enum PayloadKind {
  /// Whether the type is a function, or a tuple with one in it.
  static func holdsFunction(_ type: Any.Type) -> Bool {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    let word = MemoryLayout<UnsafeRawPointer>.size
    switch metadata.load(as: UInt.self) {
    case function: return true
    case tuple:
      // The kind, the number of elements and their labels; then type and offset of each.
      let count = metadata.load(fromByteOffset: word, as: Int.self)
      return (0..<count).contains { index in
        holdsFunction(
          metadata.load(fromByteOffset: (3 + 2 * index) * word, as: Any.Type.self))
      }
    default: return false
    }
  }

  private static let function: UInt = 0x302
  private static let tuple: UInt = 0x301
}
