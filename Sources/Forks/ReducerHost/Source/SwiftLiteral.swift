import Essentials
import HostProtocol
import Platform
@_spi(Adapters) import StoreCore
import ValueTree

/// Writes values as Swift source.
///
/// If a type has no known initializer for its parts, the source decodes the value from JSON.
struct SwiftLiteral {
  let symbols = ProgramSymbols.ofThisProgram
  private(set) var modules: Set<String> = []
  /// Types that are decoded from JSON, because a test sees no initializer for their parts.
  private(set) var decodedTypes: Set<String> = []
  /// Why source cannot say a value: it would lose what it shares, or the ids of a stack.
  private(set) var obstacle: String?
  /// Variables that hold the shared values that several properties share, by name.
  var shares: [String: String] = [:]

  /// The value as an expression; the context gives its type.
  mutating func text(_ value: Any) -> String? { literal(value) ?? decoding(value) }

  private mutating func literal(_ value: Any) -> String? {
    if let text = scalar(value) { return text }
    if let binding = value as? any SourceWritten { return binding.source(in: &self) }
    if let parted = value as? any PartedForSource { return text(of: parted.sourceParts) }
    if value is any CustomReflectable, !(value is any ExpressibleByArrayLiteral),
      !(value is any ExpressibleByDictionaryLiteral)
    {
      // A custom mirror may not show its stored parts.
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return nil }
      return optional(mirror)
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return optional(mirror)
    case .collection, .set: return elements(mirror, isSorted: mirror.displayStyle == .set)
    case .dictionary: return pairs(mirror)
    case .enum: return enumCase(value, mirror)
    case .tuple: return arguments(mirror.tupleParts)
    case .struct: return structure(value, mirror)
    default: return nil
    }
  }

  private mutating func decoding(_ value: Any) -> String? {
    guard let value = value as? any Encodable, let json = try? ValueEncoder().encode(value) else {
      return nil
    }
    let type = TypeName.short(Swift.type(of: value))
    decodedTypes.insert(type)
    if SharedSource.holdsPlaces(value) {
      obstacle = obstacle ?? "a test sees no initializer for the parts of \(type)"
    }
    return "try decoded(\(SwiftText.raw(json.text())))"
  }

  /// A value of another architecture. A shared one is written as its wrapper.
  private mutating func text(of parts: SourceParts) -> String? {
    switch parts {
    case .shared(let name, let isPart, let value):
      if let variable = shares[name] { return variable }
      guard let text = text(value) else { return nil }
      if isPart {
        return "Shared(value: \(text))"
      } else if [".inMemory(", ".appStorage("].contains(where: name.hasPrefix) {
        return "Shared(wrappedValue: \(text), \(name))"
      } else if name.hasPrefix("."), name.contains("Storage") {
        obstacle = obstacle ?? "a test cannot make the key \(name)"
      }
      return "Shared(value: \(text))"
    case .child(let child): return child.map { text($0) } ?? "nil"
    case .stack(let elements):
      if !elements.isEmpty { obstacle = obstacle ?? "source cannot say the ids of a stack" }
      return list(elements)
    case .identified(let pairs): return list(pairs.map(\.element))
    case .number(let number): return "\(number)"
    case .binding(let name, let value): return text(value).map { ".set(\\.\(name), \($0))" }
    }
  }

  private mutating func list(_ elements: [Any]) -> String? {
    var texts: [String] = []
    for element in elements {
      guard let text = text(element) else { return nil }
      texts.append(text)
    }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  // MARK: Parts

  private mutating func optional(_ mirror: Mirror) -> String? {
    guard let wrapped = mirror.children.first?.value else { return "nil" }
    guard let inner = text(wrapped) else { return nil }
    return Mirror(reflecting: wrapped).displayStyle == .optional ? ".some(\(inner))" : inner
  }

  private mutating func elements(_ mirror: Mirror, isSorted: Bool) -> String? {
    var texts: [String] = []
    for child in mirror.children {
      guard let text = text(child.value) else { return nil }
      texts.append(text)
    }
    return "[" + (isSorted ? texts.sorted() : texts).joined(separator: ", ") + "]"
  }

  private mutating func pairs(_ mirror: Mirror) -> String? {
    var texts: [String] = []
    for child in mirror.children {
      guard let pair = Mirror.pair(child.value), let key = text(pair.key),
        let value = text(pair.value)
      else { return nil }
      texts.append("\(key): \(value)")
    }
    return texts.isEmpty ? "[:]" : "[" + texts.sorted().joined(separator: ", ") + "]"
  }

  private mutating func enumCase(_ value: Any, _ mirror: Mirror) -> String? {
    guard let payload = mirror.children.first else {
      return EnumCaseName.of(value).map { ".\(Self.name($0))" }
    }
    guard let name = payload.label else { return nil }
    return arguments(mirror.payloadParts).map { ".\(Self.name(name))\($0)" }
  }

  private mutating func arguments(_ parts: [Mirror.Part]) -> String? {
    var texts: [String] = []
    for part in parts {
      guard let text = text(part.value) else { return nil }
      texts.append((part.label.map { $0 + ": " } ?? "") + text)
    }
    return "(" + texts.joined(separator: ", ") + ")"
  }

  private mutating func structure(_ value: Any, _ mirror: Mirror) -> String? {
    guard let name = name(of: type(of: value)) else { return nil }
    let full = Self.fullName(of: type(of: value))
    let parts = mirror.children.filter { !($0.value is any MacroMember) }.map { child in
      let stored = child.label ?? ""
      let label = property(stored, of: full, child.value) ?? stored
      return (label: label, value: child.value, isWrapped: label != stored)
    }
    let fitting = (symbols.initializers[full] ?? []).first { parameters in
      parameters.count == parts.count
        && parameters.allSatisfy { parameter in
          parts.contains {
            $0.label == parameter.label && parameter.mayTake(type(of: $0.value))
          }
        }
    }
    guard let fitting else { return nil }
    var texts: [String] = []
    for parameter in fitting {
      guard let part = parts.first(where: { $0.label == parameter.label }) else { return nil }
      // `@Shared var visits: Int` is set by a `Shared<Int>`, which knows its other owners.
      let takesWrapper =
        part.isWrapped && parameter.type == String(reflecting: type(of: part.value))
      guard let text = argument(part.value, takesWrapper) else { return nil }
      texts.append("\(Self.name(part.label)): \(text)")
    }
    return "\(name)(\(texts.joined(separator: ", ")))"
  }

  private mutating func argument(_ value: Any, _ takesWrapper: Bool) -> String? {
    if case .shared(_, _, let held)? = (value as? any PartedForSource)?.sourceParts {
      return takesWrapper ? text(value) : text(held)
    }
    return takesWrapper && value is any PlaceInState ? decoding(value) : text(value)
  }

  /// The name of a property in source: for one stored as `_name`, `name`. Nil if source cannot set it.
  func property(_ stored: String, of type: String, _ value: Any) -> String? {
    if case .shared? = (value as? any PartedForSource)?.sourceParts {
      let name = String(stored.dropFirst(stored.hasPrefix("_") ? 1 : 0))
      return symbols.projected.contains("\(type).$\(name)") ? name : nil
    }
    return property(stored, of: type)
  }

  /// The name that sets a stored property: for a wrapped one, `_name`.
  func property(_ stored: String, of type: String) -> String? {
    for name in [stored, stored.hasPrefix("_") ? String(stored.dropFirst()) : stored]
    where symbols.settable.contains("\(type).\(name)") {
      return name
    }
    return nil
  }

  // MARK: Names

  static func fullName(of type: Any.Type) -> String {
    String(String(reflecting: type).prefix { $0 != "<" })
  }

  /// The type's name in source that imports its module; nil if it has none.
  mutating func name(of type: Any.Type) -> String? {
    let full = String(reflecting: type)
    guard !full.contains("(") else { return nil }
    var result = ""
    for part in full.split(
      omittingEmptySubsequences: false, whereSeparator: { " <>,&".contains($0) })
    {
      let names = part.split(separator: ".")
      if names.count > 1 {
        modules.insert(String(names[0]))
        result += names.dropFirst().joined(separator: ".")
      } else {
        result += part
      }
      if part.endIndex < full.endIndex { result.append(full[part.endIndex]) }
    }
    return result
  }

  /// Escapes a keyword that is used as a name.
  static func name(_ word: String) -> String {
    let words: Set = [
      "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
      "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
      "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
      "operator", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
      "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
      "typealias", "var", "where", "while",
    ]
    return words.contains(word) ? "`\(word)`" : word
  }
}

extension SwiftLiteral {
  private mutating func scalar(_ value: Any) -> String? {
    switch value {
    case let value as Bool: return "\(value)"
    case let value as String: return SwiftText.quoted(value)
    case let value as Character: return SwiftText.quoted(String(value))
    case let value as any BinaryInteger: return "\(value)"
    case let value as Double: return Self.number(value)
    case let value as Float: return Self.number(value)
    case let value as StackElementID: return "\(value.number)"
    case let value as Date:
      modules.insert("Foundation")
      return "Date(timeIntervalSinceReferenceDate: "
        + Self.number(value.timeIntervalSinceReferenceDate) + ")"
    case let value as UUID:
      modules.insert("Foundation")
      return "UUID(uuidString: \"\(value.uuidString)\")!"
    case let value as Decimal where value.isFinite:
      modules.insert("Foundation")
      return "Decimal(string: \"\(value)\")!"
    default: return nil
    }
  }

  private static func number<Number: BinaryFloatingPoint>(_ number: Number) -> String {
    if number.isNaN { return ".nan" }
    if number.isInfinite { return number < 0 ? "-.infinity" : ".infinity" }
    return "\(number)"
  }
}

private protocol SourceWritten {
  func source(in literal: inout SwiftLiteral) -> String?
}

extension BindingAction: SourceWritten {
  fileprivate func source(in literal: inout SwiftLiteral) -> String? {
    guard let value = customMirror.children.first?.value, let text = literal.text(value) else {
      return nil
    }
    return ".set(\\.\(name), \(text))"
  }
}
