/// The number of the case that an enum is in.
///
/// Swift has no safe way to ask this; the value witness table of every enum answers it. The layout
/// of that table is part of Swift's stable interface. Values of other types all have the tag 0.
enum EnumTag {
  static func of<Root>(_ root: Root) -> UInt32 {
    let metadata = unsafeBitCast(Root.self as Any.Type, to: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == Kind.enumeration else {
      return metadata.load(as: UInt.self) == Kind.optional ? optionalTag(root) : 0
    }
    let witnesses = metadata.load(
      fromByteOffset: -MemoryLayout<UnsafeRawPointer>.size, as: UnsafeRawPointer.self)
    let word = MemoryLayout<UnsafeRawPointer>.size
    // Eight functions, size, stride, and two 32-bit numbers stand before it.
    let getTag = witnesses.load(
      fromByteOffset: 10 * word + 8,
      as: (@convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32).self)
    return withUnsafePointer(to: root) { getTag(UnsafeRawPointer($0), metadata) }
  }

  private static func optionalTag<Root>(_ root: Root) -> UInt32 {
    Mirror(reflecting: root).children.isEmpty ? 1 : 0
  }

  private enum Kind {
    static let enumeration: UInt = 0x201
    static let optional: UInt = 0x202
  }
}
