import Essentials
import Platform

struct Reflector {
  static let depthLimit = 150

  private var path: [String] = []
  private var open: [ObjectIdentifier: String] = [:]
  /// The finished objects, walked once each. Holding them keeps their identities unique.
  private var done: [ObjectIdentifier: (object: AnyObject, value: Value)] = [:]

  mutating func reflect(_ value: Any) -> Value {
    if let scalar = Self.scalar(value) { return scalar }
    if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
      return reflect(value.base)
    }
    guard path.count < Self.depthLimit, path.count < 4 || !StackRoom.isShort else {
      return .string("<\(type(of: value)) …>")
    }
    let mirror = Mirror(showing: value)
    if mirror.displayStyle == .class { return reflectObject(value as AnyObject, mirror) }
    return reflect(value, mirror)
  }

  private mutating func reflectObject(_ object: AnyObject, _ mirror: Mirror) -> Value {
    let identity = ObjectIdentifier(object)
    if let known = done[identity] { return known.value }
    if let place = open[identity] {
      return .string("<\(type(of: object)) at \(place.isEmpty ? "the root" : place)>")
    }
    open[identity] = Pointer(tokens: path).description
    let value = reflectMembers(mirror)
    open[identity] = nil
    done[identity] = (object, value)
    return value
  }

  private mutating func reflect(_ value: Any, _ mirror: Mirror) -> Value {
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { reflect($0.value) } ?? .null
    case .collection: return .array(ValueArray(reflectElements(mirror)))
    case .set: return .array(ValueArray(reflectElements(mirror).sorted { $0.text() < $1.text() }))
    case .dictionary: return reflectDictionary(mirror)
    case .enum: return reflectEnum(value, mirror)
    case .tuple: return reflectTuple(mirror)
    default:
      if mirror.children.isEmpty, mirror.superclassMirror == nil, mirror.displayStyle == nil {
        return .string("<\(type(of: value))>")
      }
      return reflectMembers(mirror)
    }
  }

  private mutating func reflectElements(_ mirror: Mirror) -> [Value] {
    mirror.children.enumerated().map { index, child in reflect(child.value, at: String(index)) }
  }

  mutating func reflect(_ value: Any, at key: String) -> Value {
    path.append(key)
    defer { path.removeLast() }
    return reflect(value)
  }

  private mutating func reflectMembers(_ mirror: Mirror) -> Value {
    let children = mirror.members
    var object = ValueObject([])
    for (place, child) in children.enumerated() {
      let stored = child.label ?? String(place)
      // Storage that a macro added.
      if stored.hasPrefix("_$") { continue }
      let label = Mirror.written(stored) { name in children.contains { $0.label == name } }
      let isWrapped = stored.hasPrefix("_") && label != stored
      let value = isWrapped ? Self.wrapped(child.value) : child.value
      object[object[label] == nil ? label : stored] = reflect(value, at: label)
    }
    return .object(object)
  }

  private static func wrapped(_ wrapper: Any) -> Any {
    let children = Mirror(reflecting: wrapper).children
    let inner = children.first { $0.label == "wrappedValue" || $0.label == "_wrappedValue" }
    return inner?.value ?? wrapper
  }

  private mutating func reflectTuple(_ mirror: Mirror) -> Value {
    let parts = mirror.tupleParts
    guard parts.contains(where: { $0.label != nil }) else {
      return .array(ValueArray(reflectElements(mirror)))
    }
    return payload(parts)
  }
}

extension Reflector {
  private mutating func reflectEnum(_ value: Any, _ mirror: Mirror) -> Value {
    let name = mirror.children.first?.label ?? EnumCaseName.of(value) ?? "\(type(of: value))"
    path.append(name)
    defer { path.removeLast() }
    return .object([name: payload(mirror.payloadParts)])
  }

  private mutating func payload(_ parts: [Mirror.Part]) -> Value {
    let members = parts.enumerated().map { place, part in
      let label = part.label ?? "_\(place)"
      return (key: label, value: reflect(part.value, at: label))
    }
    return .object(ValueObject(members))
  }

  private mutating func reflectDictionary(_ mirror: Mirror) -> Value {
    var members: [(key: String, value: Value)] = []
    var pairs: [Value] = []
    for child in mirror.children {
      guard let pair = Mirror.pair(child.value) else { continue }
      let key = reflect(pair.key)
      let text = Self.keyText(key)
      let value = reflect(pair.value, at: text ?? key.text())
      if let text { members.append((text, value)) }
      pairs.append(["key": key, "value": value])
    }
    guard members.count == pairs.count else {
      return .array(ValueArray(pairs.sorted { $0.text() < $1.text() }))
    }
    return .object(
      ValueObject(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
  }

  private static func keyText(_ key: Value) -> String? {
    switch key {
    case .string(let text): text
    case .number(let number): number.text
    case .object(let object) where object.count == 1 && object[0].value == [:]: object[0].key
    default: nil
    }
  }
}

extension Reflector {
  static func scalar(_ value: Any) -> Value? {
    switch value {
    case let value as Value: value
    case let value as String: .string(value)
    case let value as Bool: .bool(value)
    case let value as Double: value.value
    case let value as Float: value.value
    case let value as any FixedWidthInteger: value.value
    case let value as any StringProtocol: .string(String(value))
    case let value as Character: .string(String(value))
    case let value as Unicode.Scalar: .string(String(value))
    case let value as Number: .number(value)
    case let value as Date: value.timeIntervalSinceReferenceDate.value
    case let value as UUID: .string(value.uuidString)
    case let value as URL: .string(value.absoluteString)
    case let value as Data: .string(value.base64EncodedString())
    case let value as Decimal: value.value
    default: nil
    }
  }
}

extension Value {
  /// Any Swift value as a tree, seen through `Mirror`. For showing and comparing: it does not
  /// decode.
  ///
  /// ```swift
  /// struct Model { @Counted var total = 3; var onTap: () -> Void = {} }
  ///
  /// Value(reflecting: Model()).text()  // {"total":3,"onTap":"<() -> ()>"}
  /// ```
  ///
  /// - Scalars, `Date`, `Data`, `URL`, `UUID` and `Decimal` look as ``ValueEncoder`` writes them.
  /// - Enums: `{"case":{}}`, payloads by label or as `_0`, as Swift's own `Codable` writes them.
  /// - Classes: inherited members come first.
  /// - Dictionaries are sorted by key, sets by the text of their elements.
  /// - Closures and metatypes become their type in angle brackets.
  /// - An object that contains itself ends in `"<Type at /path>"`; a value too deep ends in
  ///   `"<Type …>"`.
  public init(reflecting value: Any) {
    var reflector = Reflector()
    self = reflector.reflect(value)
  }
}
