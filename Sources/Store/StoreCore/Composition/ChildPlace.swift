import Platform

/// The property or the case of a parent's state that holds a child.
///
/// `@unchecked Sendable`: a key path never changes. A property's is sendable, and one into
/// `allCasePaths` holds no values.
struct ChildPlace<Child>: Hashable, @unchecked Sendable, CustomStringConvertible {
  let keyPath: AnyKeyPath

  /// The type, because a key path's text can hold addresses.
  var description: String { stableName(of: Child.self) }
}

/// The identity of a child in its place: its id; for an enum, its case and its payload's id.
func childIdentity<Child: Sendable>(of child: Child) -> AnyID {
  let tag = enumTag(of: child)
  switch CaseFacts.fact(of: child, tag: tag).identity {
  case .own: return identifiableID(of: child) ?? AnyID(tag)
  case .ofPayload:
    let payload = Mirror(reflecting: child).children.first?.value
    return AnyID(CaseIdentity(tag: tag, payload: payload.flatMap { identifiableID(of: $0) }))
  case .ofCase: return AnyID(tag)
  }
}

func isEphemeral(_ child: some Any) -> Bool {
  CaseFacts.fact(of: child, tag: enumTag(of: child)).isEphemeral
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

/// An id from a child's state.
///
/// `@unchecked Sendable`: any thread may read the state, and only `==`, `hash` and `description`
/// are called.
private struct ChildID: Hashable, @unchecked Sendable, CustomStringConvertible {
  let base: AnyHashable

  init(_ base: some Hashable) { self.base = AnyHashable(base) }

  var description: String { "\(base)" }
}

extension Optional {
  mutating func modify<Result>(_ change: (inout Wrapped) -> Result) -> Result? {
    guard var value = take() else { return nil }
    defer { self = value }
    return change(&value)
  }
}

/// Facts about a child's type, for each of its cases.
///
/// Found by reflection, which takes microseconds, and cached by each store.
final class CaseFacts: Sendable {
  struct Fact: Sendable {
    enum Identity: Sendable {
      case own
      case ofPayload
      case ofCase
    }

    var identity: Identity
    var isEphemeral: Bool
  }

  private struct Slot: Hashable {
    var type: ObjectIdentifier
    var tag: UInt32
  }

  private let facts = Locked<[Slot: Fact]>([:])

  static func fact<Child>(of child: Child, tag: UInt32) -> Fact {
    guard let known = DependencyValues.current.caseFacts else { return read(child) }
    let slot = Slot(type: ObjectIdentifier(Child.self), tag: tag)
    if let fact = known.facts.withLock({ $0[slot] }) { return fact }
    let fact = read(child)
    known.facts.withLock { $0[slot] = fact }
    return fact
  }

  private static func read(_ child: Any) -> Fact {
    let mirror = Mirror(reflecting: child)
    let payload = mirror.displayStyle == .enum ? mirror.children.first?.value : nil
    let identity: Fact.Identity =
      if child is any Identifiable {
        .own
      } else if let payload, payload is any Identifiable {
        .ofPayload
      } else {
        .ofCase
      }
    let isEphemeral =
      child is any EphemeralState || (payload.map { $0 is any EphemeralState } ?? false)
    return Fact(identity: identity, isEphemeral: isEphemeral)
  }
}
