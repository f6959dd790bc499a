import Essentials
import Platform

final class CodingFacts {
  enum Form {
    case plain
    case value, string, bool, int, double, date, uuid, data, url, decimal
    case group(any EncodableGroup.Type)

    @inline(__always)
    static func usual(_ type: Any.Type) -> Form? {
      if type == Int.self { return .int }
      if type == String.self { return .string }
      if type == Double.self { return .double }
      if type == Bool.self { return .bool }
      return nil
    }

    static func of(_ type: Any.Type) -> Form {
      if let usual = usual(type) { return usual }
      if type == Value.self { return .value }
      if type == Date.self { return .date }
      if type == UUID.self { return .uuid }
      if type == Data.self { return .data }
      if type == URL.self { return .url }
      if type == Decimal.self { return .decimal }
      if let group = type as? any EncodableGroup.Type { return .group(group) }
      return .plain
    }

    /// A scalar read directly from memory; nil for types that need an encoder.
    @inline(__always)
    func scalar(at address: UnsafeRawPointer) -> Value? {
      switch self {
      case .plain, .group: return nil
      case .value: return address.assumingMemoryBound(to: Value.self).pointee
      case .string: return .string(address.assumingMemoryBound(to: String.self).pointee)
      case .bool: return .bool(address.assumingMemoryBound(to: Bool.self).pointee)
      case .int: return address.assumingMemoryBound(to: Int.self).pointee.value
      case .double: return address.assumingMemoryBound(to: Double.self).pointee.value
      case .date:
        let date = address.assumingMemoryBound(to: Date.self).pointee
        return date.timeIntervalSinceReferenceDate.value
      case .uuid: return .string(address.assumingMemoryBound(to: UUID.self).pointee.uuidString)
      case .data:
        return .string(address.assumingMemoryBound(to: Data.self).pointee.base64EncodedString())
      case .url:
        let url = address.assumingMemoryBound(to: URL.self).pointee
        return url.baseURL == nil ? .string(url.absoluteString) : nil
      case .decimal: return address.assumingMemoryBound(to: Decimal.self).pointee.value
      }
    }
  }

  let form: Form
  let type: Any.Type
  let isMacroMember: Bool

  init(_ type: Any.Type) {
    self.type = type
    form = Form.of(type)
    isMacroMember = type is any MacroMember.Type
  }

  private(set) lazy var hasMacroMember =
    TypeMetadata(type).fields?.contains { $0.type is any MacroMember.Type } ?? false

  /// Bitwise comparison, or nil for types where equal bits prove nothing.
  private(set) lazy var bits: BitComparison? = BitComparison(type)

  private(set) lazy var groups = TypeFields.parts(of: type).compactMap { part in
    (part.type as? any EncodableGroup.Type).map { (offset: part.offset, group: $0) }
  }
}

struct TypeTable {
  private var all: [ObjectIdentifier: CodingFacts] = [:]
  /// The last facts for some hash values, which answer most questions. Empty until a value turns
  /// out to be large: for small ones the table costs more than it saves.
  private var recent: [CodingFacts?] = []
  private var searches = 0

  @inline(__always)
  mutating func facts(of type: Any.Type) -> CodingFacts {
    let place = Int(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self)) >> 4 & 255
    if place < recent.count, let facts = recent[place], facts.type == type { return facts }
    return search(type, place)
  }

  private mutating func search(_ type: Any.Type, _ place: Int) -> CodingFacts {
    let facts = all[ObjectIdentifier(type)] ?? CodingFacts(type)
    all[ObjectIdentifier(type)] = facts
    searches += 1
    if searches == 16 { recent = Array(repeating: nil, count: 256) }
    if place < recent.count { recent[place] = facts }
    return facts
  }
}
