import Platform

package struct Reflected {
  package enum Shape {
    case leaf
    case closure
    case structure
    case object(ObjectIdentifier)
    case tuple
    case enumeration(name: String)
    case sequence
    case set
    case dictionary
  }

  package typealias Part = Mirror.Part

  package var value: Any
  package var type: Any.Type
  package var isNil = false
  package var shape = Shape.leaf
  package var parts: [Part] = []
  package private(set) var showsNothing = false

  init(_ original: Any) {
    var facts = TypeFacts()
    self.init(original, &facts)
  }

  package init(_ original: Any, _ facts: inout TypeFacts) {
    value = original
    type = Swift.type(of: original)
    if !facts.isWhole(type) { look(&facts) }
  }

  private mutating func look(_ facts: inout TypeFacts) {
    let (value, mirror) = Self.unwrapped(value)
    self.value = value
    type = Swift.type(of: value)
    isNil = mirror.displayStyle == .optional
    let isWhole = facts.isOfTheLanguage(value)
    shape = Self.shape(of: value, mirror, isWhole: isWhole)
    parts = Self.parts(of: value, mirror, shape)
    switch shape {
    case .leaf where isWhole && !isNil: facts.markWhole(type)
    case .leaf:
      showsNothing = !isNil && mirror.displayStyle == nil && value is any CustomReflectable
    case .structure: showsNothing = parts.isEmpty && TypeMetadata(type).size > 0
    case .object:
      showsNothing =
        parts.isEmpty
        && (value is any CustomReflectable || TypeMetadata(type).objectFields?.isEmpty == false)
    default: break
    }
  }

  static func unwrapped(_ original: Any) -> (value: Any, mirror: Mirror) {
    var value = original
    var mirror = Mirror(showing: value)
    while mirror.displayStyle == .optional, let wrapped = mirror.children.first {
      value = wrapped.value
      mirror = Mirror(showing: value)
    }
    return (value, mirror)
  }

  private static func shape(of value: Any, _ mirror: Mirror, isWhole: Bool) -> Shape {
    switch mirror.displayStyle {
    case .optional: return .leaf
    case .tuple: return .tuple
    case .collection: return .sequence
    case .set: return .set
    case .dictionary: return .dictionary
    case .enum: return .enumeration(name: caseName(of: value, mirror))
    case .class where isWhole, .struct where isWhole: return .leaf
    case .class: return .object(ObjectIdentifier(value as AnyObject))
    case .struct: return .structure
    default:
      if TypeMetadata(Swift.type(of: value)).isFunction { return .closure }
      return mirror.children.isEmpty || isWhole ? .leaf : .structure
    }
  }

  private static func parts(of value: Any, _ mirror: Mirror, _ shape: Shape) -> [Part] {
    switch shape {
    case .leaf, .closure:
      return []
    case .enumeration: return mirror.payloadParts
    case .tuple: return mirror.tupleParts
    case .structure, .object:
      let members = mirror.members
      return members.map { member in
        let name = member.label.map { label in
          Mirror.written(label) { name in members.contains { $0.label == name } }
        }
        return (name, member.value)
      }
    case .sequence, .set, .dictionary:
      if let sequence = value as? any FastSequence {
        return (0..<sequence.count).map { (nil, sequence.element($0)) }
      }
      return mirror.children.map { (nil, $0.value) }
    }
  }

  private static func caseName(of value: Any, _ mirror: Mirror) -> String {
    mirror.children.first?.label ?? EnumCaseName.of(value) ?? String(describing: value)
  }

  static func isSet(_ value: Any) -> Bool { Mirror(reflecting: value).displayStyle == .set }
}
