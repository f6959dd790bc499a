/// Looks for class instances in a state: they can change after a copy was made.
package enum ReferenceSearch {
  /// How many parts of a state are looked at. In a larger one there may be an instance.
  private static let limit = 20_000

  /// Whether there is an instance in a state, or its type has a place for one.
  ///
  /// Where the type does not say (the payloads of enums, existentials) this state alone is looked at.
  package static func findsReference<State>(in state: State) -> Bool {
    switch ReferencesOfType.find(in: TypeHolder<State>.self) {
    case .none: return false
    case .some: return true
    case .unknown: break
    }
    var free: [ObjectIdentifier: Bool] = [:]
    var waiting: [Any] = [state]
    var seen = 0
    while let value = waiting.popLast() {
      let type = Swift.type(of: value)
      let isFree =
        free[ObjectIdentifier(type)] ?? (ReferencesOfType.find(in: holder(of: type)) == .none)
      free[ObjectIdentifier(type)] = isFree
      if isFree { continue }
      seen += 1
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .class || mirror.displayStyle == .foreignReference { return true }
      for child in mirror.children.prefix(limit + 1) { waiting.append(child.value) }
      if seen >= limit || waiting.count > limit { return true }
    }
    return false
  }

  private static func holder(of type: Any.Type) -> Any.Type {
    func open<Held>(_: Held.Type) -> Any.Type { TypeHolder<Held>.self }
    return _openExistential(type, do: open)
  }
}
