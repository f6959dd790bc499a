/// The captured values of a closure: offsets and types, from the compiler's tables for debuggers,
/// which are part of Swift's stable ABI.
///
/// It never guesses: an incompletely described object is unknown.
struct ClosureCaptures {
  struct Capture {
    var offset: Int
    var type: Any.Type?
  }

  private(set) var captures: [Capture] = []
  let bindings: Range<Int>

  private static let kind: UInt = 0x400

  init?(heldBy object: UnsafeRawPointer) {
    let metadata = object.load(as: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == Self.kind,
      let table = metadata.load(fromByteOffset: 16, as: UnsafeRawPointer?.self)
    else { return nil }
    let count = Int(table.load(as: UInt32.self))
    // The table says 0 if the compiler does not know the first value's layout.
    let start = max(Int(metadata.load(fromByteOffset: 8, as: UInt32.self)), 16)
    bindings = start..<start + Int(table.load(fromByteOffset: 8, as: UInt32.self)) * 8
    let sources = table + 12 + count * 4
    guard
      let arguments = GenericArguments(
        sources, count: Int(table.load(fromByteOffset: 4, as: UInt32.self)),
        words: object + start, bindings.count / 8)
    else { return nil }
    var offset = bindings.upperBound
    for index in 0..<count {
      guard let name = MangledName(at: table + 12 + index * 4), !name.isOfReferenceStorage else {
        return nil
      }
      var capture = Capture(offset: offset)
      var (size, alignment) = (16, 8)
      if !name.isClosure {
        guard let type = arguments.type(of: name), !TypeMetadata(type).mayHaveNoBytes else {
          return nil
        }
        (size, _, alignment) = TypeMetadata(type).layout
        capture.type = type
      }
      capture.offset = (offset + alignment - 1) & ~(alignment - 1)
      offset = capture.offset + size
      captures.append(capture)
    }
  }

}

struct MangledName {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The part behind the last reference to another table.
  private let end: Slice<UnsafeBufferPointer<UInt8>>

  init?(at reference: UnsafeRawPointer) {
    guard let name = TypeMetadata.target(of: reference) else { return nil }
    let start = name.assumingMemoryBound(to: UInt8.self)
    var (length, text) = (0, 0)
    // References have four or eight bytes, whose zeros do not end the name.
    while start[length] != 0 {
      let isReference = start[length] < 0x20
      length += isReference ? (start[length] < 0x18 ? 5 : 9) : 1
      if isReference { text = length }
    }
    bytes = UnsafeBufferPointer(start: start, count: length)
    end = bytes[text...]
  }

  var text: String? { end.count == bytes.count ? String(decoding: end, as: UTF8.self) : nil }

  var isOfReferenceStorage: Bool {
    end.count > 1 && end[end.endIndex - 2] == UInt8(ascii: "X")
      && "wuob".utf8.contains(end[end.endIndex - 1])
  }

  /// Whether it is an escaping closure (`Ieg…_`), called in the usual way.
  var isClosure: Bool {
    guard end.last == UInt8(ascii: "_") else { return false }
    let text = String(decoding: end.dropLast(), as: UTF8.self)
    guard let place = text.ranges(of: "Ieg").last else { return false }
    let letters = text[place.upperBound...]
    return letters.allSatisfy { $0.isASCII && $0.isLetter }
      && letters.first.map { !"ABCGIJKMWYz".contains($0) } ?? true
  }

  func type(in context: UnsafeRawPointer, arguments: UnsafeRawPointer?) -> Any.Type? {
    _getTypeByMangledNameInContext(
      bytes.baseAddress!, UInt(bytes.count), genericContext: context, genericArguments: arguments)
  }
}

private struct GenericArguments {
  /// Two levels of four parameters each, to look up any name.
  private struct Outer<A, B, C, D> { struct Inner<E, F, G, H> {} }
  private struct NotGiven {}
  private struct NotGivenEither {}

  private static let names = ["x", "q_", "q0_", "q1_", "qd__", "qd_0_", "qd_1_", "qd_2_"]

  private var given: [Int: UnsafeRawPointer] = [:]

  /// `words` are the function's generic arguments, and `sources` say where each type is.
  init?(_ sources: UnsafeRawPointer, count: Int, words: UnsafeRawPointer, _ wordCount: Int) {
    for index in 0..<count {
      guard let name = MangledName(at: sources + index * 8)?.text,
        let parameter = Self.names.firstIndex(of: name),
        let source = MangledName(at: sources + index * 8 + 4)?.text, source.first == "B",
        let word = Int(source.dropFirst()), word < wordCount
      else { return nil }
      given[parameter] = words.load(fromByteOffset: word * 8, as: UnsafeRawPointer.self)
    }
  }

  func type(of name: MangledName) -> Any.Type? {
    guard let type = type(of: name, otherwise: NotGiven.self),
      given.count == Self.names.count || type == self.type(of: name, otherwise: NotGivenEither.self)
    else { return nil }
    return type
  }

  private func type(of name: MangledName, otherwise missing: Any.Type) -> Any.Type? {
    typealias Inner = Outer<Int, Int, Int, Int>.Inner<Int, Int, Int, Int>
    let missing = unsafeBitCast(missing, to: UnsafeRawPointer.self)
    let arguments = Self.names.indices.map { given[$0] ?? missing }
    let context = TypeMetadata(Inner.self).pointer.load(
      fromByteOffset: 8, as: UnsafeRawPointer.self)
    return arguments.withUnsafeBytes { name.type(in: context, arguments: $0.baseAddress) }
  }
}
