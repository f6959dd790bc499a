/// The number of the case that an enum is in.
///
/// Swift has no safe way to ask this; the value witness table of every enum answers it. The layout
/// of that table is part of Swift's stable interface. Values of other types all have the tag 0.
package enum EnumTag {
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

  /// The first case of an enum whose cases carry nothing; nil for another type.
  package static func firstCase<Root>(of type: Root.Type) -> Root? {
    let metadata = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == Kind.enumeration, _isPOD(type) else { return nil }
    // A single case takes no room; of up to 256 the first is the byte 0.
    if MemoryLayout<Root>.size == 0 { return unsafeBitCast((), to: type) }
    return MemoryLayout<Root>.size == 1 ? unsafeBitCast(UInt8(0), to: type) : nil
  }

  private static func optionalTag<Root>(_ root: Root) -> UInt32 {
    Mirror(reflecting: root).children.isEmpty ? 1 : 0
  }

  private enum Kind {
    static let enumeration: UInt = 0x201
    static let optional: UInt = 0x202
  }
}
