@_spi(Adapters) import StoreCore
import ValueTree

/// The shared values of a state, as source names them.
struct SharedSource {
  struct Place {
    /// The name of the key, or `#1` without one.
    var name: String
    var isPart: Bool
    var path: String
    var value: Any
  }

  private let literal: SwiftLiteral
  private(set) var places: [Place] = []

  /// `path` is the expression for the state.
  init(of state: Any, at path: String, _ literal: SwiftLiteral) {
    self.literal = literal
    collect(state, path)
  }

  /// The first place of each whole value.
  var wholes: [Place] {
    var known: Set<String> = []
    return places.filter { !$0.isPart && known.insert($0.name).inserted }
  }

  private mutating func collect(_ value: Any, _ path: String) {
    if let parted = value as? any PartedForSource {
      if case .child(let child?) = parted.sourceParts { collect(child, path + "?") }
      return
    }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      if let wrapped = mirror.children.first?.value { collect(wrapped, path + "?") }
      return
    }
    guard mirror.displayStyle == .struct, !(value is any CustomReflectable) else { return }
    let type = SwiftLiteral.fullName(of: Swift.type(of: value))
    for child in mirror.children {
      guard let name = literal.property(child.label ?? "", of: type, child.value) else { continue }
      if case .shared(let key, let isPart, let held)? =
        (child.value as? any PartedForSource)?.sourceParts
      {
        places.append(Place(name: key, isPart: isPart, path: "\(path).$\(name)", value: held))
      } else {
        collect(child.value, "\(path).\(SwiftLiteral.name(name))")
      }
    }
  }

  /// Whether it holds shared values, or elements of a stack, which JSON does not keep.
  static func holdsPlaces(_ value: Any) -> Bool {
    guard let parted = value as? any PartedForSource else {
      if value is String || value is any BinaryInteger { return false }
      return Mirror(reflecting: value).children.contains { holdsPlaces($0.value) }
    }
    switch parted.sourceParts {
    case .shared: return true
    case .child(let child): return child.map(holdsPlaces) ?? false
    case .stack(let elements): return !elements.isEmpty
    case .identified(let pairs): return pairs.contains { holdsPlaces($0.element) }
    case .number, .binding: return false
    }
  }
}
