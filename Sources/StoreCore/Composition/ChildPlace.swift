/// Which child of a feature is meant: the property of the parent's state that holds it.
struct ChildPlace<Child>: Hashable, Sendable, CustomStringConvertible {
  let keyPath: any AnyKeyPath & Sendable

  static func == (left: ChildPlace, right: ChildPlace) -> Bool { left.keyPath == right.keyPath }

  func hash(into hasher: inout Hasher) { hasher.combine(keyPath) }

  /// The type and not the key path, because the text of a key path can hold addresses.
  var description: String { stableName(of: Child.self) }
}

/// What tells a child from another in the same place: its id; of an enum, its case and the id of
/// what it holds.
func childIdentity<Child: Sendable>(of child: Child) -> AnyID {
  let tag = EnumTag.of(child)
  switch CaseFacts.fact(of: child, tag: tag).identity {
  case .own: return identifiableID(of: child) ?? AnyID(tag)
  case .ofPayload:
    let payload = Mirror(reflecting: child).children.first?.value
    return AnyID(CaseIdentity(tag: tag, payload: payload.flatMap { identifiableID(of: $0) }))
  case .ofCase: return AnyID(tag)
  }
}

/// Whether the state is gone after its first action: it is ephemeral, or in a case that holds what
/// is.
func isEphemeral(_ child: some Any) -> Bool {
  CaseFacts.fact(of: child, tag: EnumTag.of(child)).isEphemeral
}

private func identifiableID(of value: Any) -> AnyID? {
  func id<Known: Identifiable>(of value: Known) -> AnyID { AnyID(ChildID(value.id)) }
  guard let value = value as? any Identifiable else { return nil }
  return id(of: value)
}

private struct CaseIdentity: Hashable, Sendable, CustomStringConvertible {
  var tag: UInt32
  var payload: AnyID?

  var description: String { payload.map { "\(tag) \($0)" } ?? "\(tag)" }
}

/// An id that a child's state gives.
///
/// `@unchecked Sendable`: it was read from a state that any thread may read, and only `==`, `hash`
/// and `description` are asked of it, as they could be there.
private struct ChildID: Hashable, @unchecked Sendable, CustomStringConvertible {
  let base: AnyHashable

  init(_ base: some Hashable) { self.base = AnyHashable(base) }

  var description: String { "\(base)" }
}

extension Optional {
  /// Changes the value in its place, when there is one.
  mutating func modify<Result>(_ change: (inout Wrapped) -> Result) -> Result? {
    guard var value = take() else { return nil }
    defer { self = value }
    return change(&value)
  }
}
