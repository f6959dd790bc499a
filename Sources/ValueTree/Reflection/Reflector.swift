import Platform

/// One walk through a Swift value by `Mirror`.
struct Reflector {
  /// Walks go by recursion: what lies deeper is named, not shown.
  static let depthLimit = 150

  private var path: [String] = []
  /// The objects that are being walked, with the place where each was met.
  private var open: [ObjectIdentifier: String] = [:]
  /// The objects that are done: an object that is met often is walked once. Holds on to the
  /// objects, so that none can be freed and another take its identity.
  private var done: [ObjectIdentifier: (object: AnyObject, value: Value)] = [:]

  mutating func reflect(_ value: Any) -> Value {
    if let scalar = Self.scalar(value) { return scalar }
    if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
      return reflect(value.base)
    }
    guard path.count < Self.depthLimit else { return .string("<\(type(of: value)) …>") }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .class { return reflectObject(value as AnyObject, mirror) }
    return reflect(value, mirror)
  }

  private mutating func reflectObject(_ object: AnyObject, _ mirror: Mirror) -> Value {
    let identity = ObjectIdentifier(object)
    if let known = done[identity] { return known.value }
    if let place = open[identity] {
      return .string("<\(type(of: object)) at \(place.isEmpty ? "the root" : place)>")
    }
    open[identity] = path.map { "/" + escapedForPointer($0) }.joined()
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

  /// The members of a struct, or of a class and its superclasses, the topmost first.
  private mutating func reflectMembers(_ mirror: Mirror) -> Value {
    var mirrors: [Mirror] = []
    var next: Mirror? = mirror
    while let mirror = next {
      mirrors.append(mirror)
      next = mirror.superclassMirror
    }
    let children = mirrors.reversed().flatMap(\.children)
    let labels = Set(children.compactMap(\.label))
    var object = ValueObject([])
    for (place, child) in children.enumerated() {
      guard let label = MemberLabel(child.label ?? String(place), among: labels) else { continue }
      let value = label.isWrapper ? Self.wrapped(child.value) : child.value
      object[object[label.text] == nil ? label.text : label.original] =
        reflect(value, at: label.text)
    }
    return .object(object)
  }

  /// The value inside a property wrapper that shows one.
  private static func wrapped(_ wrapper: Any) -> Any {
    let children = Mirror(reflecting: wrapper).children
    let inner = children.first { $0.label == "wrappedValue" || $0.label == "_wrappedValue" }
    return inner?.value ?? wrapper
  }

  private mutating func reflectTuple(_ mirror: Mirror) -> Value {
    let isLabelled = mirror.children.contains { $0.label.map { !$0.hasPrefix(".") } ?? false }
    guard isLabelled else { return .array(ValueArray(reflectElements(mirror))) }
    return payload(mirror)
  }
}

extension Reflector {
  private mutating func reflectEnum(_ value: Any, _ mirror: Mirror) -> Value {
    guard let child = mirror.children.first else { return .object([Self.caseName(value): [:]]) }
    let name = child.label ?? Self.caseName(value)
    let inner = Mirror(reflecting: child.value)
    path.append(name)
    defer { path.removeLast() }
    let isTuple = inner.displayStyle == .tuple
    return .object([name: isTuple ? payload(inner) : ["_0": reflect(child.value, at: "_0")]])
  }

  /// The parts of a tuple by label, or by place (`_0`) where they have none.
  private mutating func payload(_ mirror: Mirror) -> Value {
    let members = mirror.children.enumerated().map { place, child in
      let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? "_\(place)"
      return (key: label, value: reflect(child.value, at: label))
    }
    return .object(ValueObject(members))
  }

  private static func caseName(_ value: Any) -> String {
    EnumCaseName.of(value) ?? "\(type(of: value))"
  }

  private mutating func reflectDictionary(_ mirror: Mirror) -> Value {
    var members: [(key: String, value: Value)] = []
    var pairs: [Value] = []
    for child in mirror.children {
      let parts = Mirror(reflecting: child.value).children.map(\.value)
      guard parts.count == 2 else { continue }
      let key = reflect(parts[0])
      let text = Self.keyText(key)
      let value = reflect(parts[1], at: text ?? key.text())
      if let text { members.append((text, value)) }
      pairs.append(["key": key, "value": value])
    }
    guard members.count == pairs.count else {
      return .array(ValueArray(pairs.sorted { $0.text() < $1.text() }))
    }
    return .object(
      ValueObject(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }))
  }

  /// The key of a member, when a dictionary's key is a text, a number or a bare case.
  private static func keyText(_ key: Value) -> String? {
    switch key {
    case .string(let text): text
    case .number(let number): number.text
    case .object(let object) where object.count == 1 && object[0].value == [:]: object[0].key
    default: nil
    }
  }
}
