/// The fields of a struct, class, enum or tuple type, from the compiler's reflection tables (part
/// of Swift's stable ABI). `Mirror` shows values, not types, and types can customise it.
package struct TypeMetadata {
  package struct Field {
    package var name: String
    package var type: Any.Type
    package var offset: Int
    /// Not `weak` or `unowned`.
    package var isStrong = true
  }

  let pointer: UnsafeRawPointer

  package init(_ type: Any.Type) { pointer = unsafeBitCast(type, to: UnsafeRawPointer.self) }

  private enum Kind: UInt {
    case structure = 0x200
    case enumeration = 0x201
    case optional = 0x202
    case builtIn = 0x300
    case tuple = 0x301
    case function = 0x302
    case existential = 0x303
    case metatype = 0x304
    case existentialMetatype = 0x306
    case extendedExistential = 0x307
    case fixedArray = 0x308
  }

  private var kind: Kind? { Kind(rawValue: pointer.load(as: UInt.self)) }

  /// Whether values are object references. Outside Linux, objects have another word in place of the
  /// kind.
  package var isObject: Bool {
    let kind = pointer.load(as: UInt.self)
    return kind == 0 || kind > 0x7FF
  }

  /// The size of an enum without payloads; nil for other types.
  package var bitsOfCase: Int? {
    kind == .enumeration && fields?.isEmpty == true ? size : nil
  }

  package var size: Int { layout.size }

  package var layout: (size: Int, stride: Int, alignment: Int) {
    func layout<Value>(_ type: Value.Type) -> (size: Int, stride: Int, alignment: Int) {
      (MemoryLayout<Value>.size, MemoryLayout<Value>.stride, MemoryLayout<Value>.alignment)
    }
    return _openExistential(type, do: layout)
  }

  /// Whether this is an `any` for all types, not only for objects.
  package var isExistential: Bool {
    switch kind {
    case .existential: return flags & 1 << 31 != 0
    case .extendedExistential: return specialKind == 0
    default: return false
    }
  }

  package var isFunction: Bool { kind == .function }

  package var holdsFunction: Bool {
    isFunction || tupleFields?.contains { TypeMetadata($0.type).holdsFunction } == true
  }

  /// Whether this is a metatype of a single type. If the compiler knows it, it has no bytes,
  /// whatever its table says.
  package var mayHaveNoBytes: Bool {
    kind == .metatype
      && !TypeMetadata(pointer.load(fromByteOffset: 8, as: Any.Type.self)).isObject
  }

  var isCopyable: Bool { witnessFlags & 0x800000 == 0 }

  /// Whether the runtime can show the parts. It crashes if a part cannot be copied, or cannot be an
  /// `Any`.
  var canBeShown: Bool {
    let id = ObjectIdentifier(type)
    if let known = Self.shown.withLock({ $0[id] }) { return known }
    let canBeShown =
      objectFields?.allSatisfy { TypeMetadata($0.type).isCopyable }
      ?? (kind != .structure
        || fields?.contains { TypeMetadata($0.type).kind == .fixedArray } != true)
    Self.shown.withLock { $0[id] = canBeShown }
    return canBeShown
  }

  private static let shown = Locked<[ObjectIdentifier: Bool]>([:])

  private var flags: UInt32 { pointer.load(fromByteOffset: 8, as: UInt32.self) }

  private var specialKind: UInt32 {
    pointer.load(fromByteOffset: 8, as: UnsafeRawPointer.self).load(as: UInt32.self) & 0xFF
  }

  enum Shape {
    case bits(Int)
    case object
    case fields([Field])
    case cases
    /// An `any`: three words for the value or its box, then its type.
    case existential
    case closure
    case unknown
  }

  var shape: Shape {
    if isObject { return .object }
    switch kind {
    case .structure, .tuple:
      // Bytes without fields are known only to the type's own code.
      guard let fields, !fields.isEmpty || size == 0 else { return .unknown }
      return .fields(fields)
    case .enumeration: return .cases
    case .builtIn:
      let name = _typeName(type)
      // A builtin number, not a pointer.
      return ["Int", "FPIEEE", "Vec", "Word"].contains { name.hasPrefix("Builtin.\($0)") }
        ? .bits(size) : .unknown
    case .function: return flags & 0x8FF_0000 == 0 ? .closure : .unknown
    case .existential:
      // Errors have a box of their own kind.
      if flags & 0x3F00_0000 != 0 { return .unknown }
      return isExistential ? .existential : .object
    case .extendedExistential:
      return specialKind == 0 ? .existential : specialKind == 1 ? .object : .unknown
    case .metatype, .existentialMetatype: return .bits(mayHaveNoBytes ? 0 : size)
    case .optional, .fixedArray, nil: return .unknown
    }
  }

  private var type: Any.Type { unsafeBitCast(pointer, to: Any.Type.self) }

  /// Whether fields are side by side; those of an enum overlap.
  package var hasOffsets: Bool { kind == .structure || kind == .tuple }

  /// The types of stored properties or payloads; nil if unknown, and for a class.
  package var fields: [Field]? {
    switch kind {
    case .tuple: tupleFields
    case .structure: described(withOffsets: true)
    case .enumeration, .optional: described(withOffsets: false)
    default: nil
    }
  }

  /// Whether `parts` knows this type and all types reached from it.
  package static func isKnown(
    _ type: Any.Type, by parts: (Any.Type) -> [Any.Type]?
  ) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var waiting = [type]
    while let type = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      // The limit ends generic types that contain ever new ones.
      guard seen.count < 2_000, let parts = parts(type) else { return false }
      waiting += parts
    }
    return true
  }

  /// The stored properties of an object, inherited ones first; nil unless it is a class. The
  /// runtime crashes on a box.
  package var objectFields: [Field]? {
    guard isObject else { return nil }
    return (0..<recursiveCount(type)).map { index in
      var found = RecursiveChild(name: nil, free: nil, isStrong: false, isVariable: false)
      let child = recursiveChild(type, index, &found)
      defer { found.free?(found.name) }
      return Field(
        name: found.name.map { String(cString: $0) } ?? "", type: child,
        offset: recursiveOffset(type, index), isStrong: found.isStrong)
    }
  }

  /// The names of an enum's cases, those without payloads first; nil for other types.
  package var caseNames: [String]? {
    guard kind == .enumeration, let table = fieldTable else { return nil }
    let records = fieldRecords(table)
    let empty = records.filter { Self.target(of: $0 + 4) == nil }
    return (empty + records.filter { Self.target(of: $0 + 4) != nil }).map(Self.fieldName)
  }

  private var fieldTable: UnsafeRawPointer? {
    Self.target(of: pointer.load(fromByteOffset: 8, as: UnsafeRawPointer.self) + 16)
  }

  private func fieldRecords(_ table: UnsafeRawPointer) -> [UnsafeRawPointer] {
    let size = Int(table.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(table.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).map { table + 16 + $0 * size }
  }

  private var tupleFields: [Field]? {
    guard kind == .tuple else { return nil }
    let count = pointer.load(fromByteOffset: 8, as: Int.self)
    let fields = (0..<count).map { index in
      let element = pointer + 24 + index * 16
      return Field(
        name: "\(index)", type: element.load(as: Any.Type.self),
        offset: Int(element.load(fromByteOffset: 8, as: UInt32.self)))
    }
    return fields.contains { TypeMetadata($0.type).mayHaveNoBytes } ? nil : fields
  }

  private func described(withOffsets: Bool) -> [Field]? {
    let descriptor = pointer.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    // The table of a C type lacks bit fields and union members.
    guard let table = fieldTable, !_typeName(type).hasPrefix("__C.") else { return nil }
    var fields: [Field] = []
    for (index, record) in fieldRecords(table).enumerated() {
      guard let name = MangledName(at: record + 4) else {
        if withOffsets { return nil }
        // A case without a payload.
        continue
      }
      guard let type = type(named: name) else { return nil }
      let offset = withOffsets ? offset(of: index, descriptor) : 0
      fields.append(
        Field(
          name: Self.fieldName(record), type: type, offset: offset,
          isStrong: !name.isOfReferenceStorage))
    }
    return fields
  }

  private static func fieldName(_ record: UnsafeRawPointer) -> String {
    target(of: record + 8).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
  }

  private func offset(of index: Int, _ descriptor: UnsafeRawPointer) -> Int {
    let vector = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self)) * 8
    return Int(pointer.load(fromByteOffset: vector + index * 4, as: UInt32.self))
  }

  private func type(named name: MangledName) -> Any.Type? {
    name.type(
      in: pointer.load(fromByteOffset: 8, as: UnsafeRawPointer.self), arguments: pointer + 16)
  }

  static func target(of reference: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = reference.loadUnaligned(as: Int32.self)
    return distance == 0 ? nil : reference + Int(distance)
  }
}

extension TypeMetadata {
  /// Passes the payload of an enum's current case in memory, for changes in place. The shared box
  /// of an `indirect` case is copied first. Returns whether that is everything: a case may have no
  /// payload.
  @discardableResult
  package func withPayload(
    at value: UnsafeMutableRawPointer, _ change: (UnsafeMutableRawPointer, Any.Type) -> Void
  ) -> Bool {
    typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void
    guard let tag = tag(at: value),
      let record = fieldTable.flatMap({ table in
        fieldRecords(table).dropFirst(Int(tag)).first
      })
    else { return false }
    guard let name = MangledName(at: record + 4) else { return true }
    guard let type = type(named: name) else { return false }
    witnesses.load(fromByteOffset: 96, as: Project.self)(value, pointer)
    if record.load(as: UInt32.self) & 1 != 0 {
      Self.changeBox(value, type, change)
    } else {
      change(value, type)
    }
    witnesses.load(fromByteOffset: 104, as: Inject.self)(value, tag, pointer)
    return true
  }

  /// The case of an enum's value; nil for other types.
  package func tag(at value: UnsafeRawPointer) -> UInt32? {
    typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    guard kind == .enumeration || kind == .optional, witnessFlags & 0x200000 != 0 else {
      return nil
    }
    return witnesses.load(fromByteOffset: 88, as: GetTag.self)(value, pointer)
  }

  /// Eight functions, size, stride, two 32-bit numbers, and for an enum three more functions.
  private var witnesses: UnsafeRawPointer {
    pointer.load(fromByteOffset: -8, as: UnsafeRawPointer.self)
  }

  private var witnessFlags: UInt32 { witnesses.load(fromByteOffset: 80, as: UInt32.self) }

  /// The offset of a value in an `any`'s box; nil if the `any` holds it directly.
  var boxHeader: Int? {
    let flags = Int(witnessFlags)
    return flags & 0x20000 == 0 ? nil : (16 + flags & 0xFF) & ~(flags & 0xFF)
  }

  /// Has the payload offset of every `indirect` case.
  private indirect enum Box<Payload> { case of(Payload) }

  private static func changeBox(
    _ place: UnsafeMutableRawPointer, _ type: Any.Type,
    _ change: (UnsafeMutableRawPointer, Any.Type) -> Void
  ) {
    func copy<Payload>(_ type: Payload.Type) {
      let box = place.assumingMemoryBound(to: Box<Payload>.self)
      guard case .of(var payload) = box.pointee else { return }
      withUnsafeMutablePointer(to: &payload) { change(UnsafeMutableRawPointer($0), type) }
      box.pointee = .of(payload)
    }
    _openExistential(type, do: copy)
  }
}

// The runtime entry points that mirrors use for objects.

private struct RecursiveChild {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong: Bool
  var isVariable: Bool
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func recursiveChild(
  _ type: Any.Type, _ index: Int, _ found: UnsafeMutablePointer<RecursiveChild>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func recursiveOffset(_ type: Any.Type, _ index: Int) -> Int

/// A standard container: its storage is immutable while shared, its mirror shows everything, and
/// its `==` is as trustworthy as its elements'.
package protocol StandardContainer {
  static var heldTypes: [Any.Type] { get }
}

extension Optional: StandardContainer {
  package static var heldTypes: [Any.Type] { [Wrapped.self] }
}

extension StandardContainer where Self: Sequence {
  package static var heldTypes: [Any.Type] { [Element.self] }
}

extension Array: StandardContainer {}
extension ArraySlice: StandardContainer {}
extension ContiguousArray: StandardContainer {}
extension Set: StandardContainer {}

extension Dictionary: StandardContainer {
  package static var heldTypes: [Any.Type] { [Key.self, Value.self] }
}
