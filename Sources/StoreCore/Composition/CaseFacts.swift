import Platform

/// What is known of a child's type, for each case of it when it is an enum.
///
/// Found by reflection, which takes microseconds, and kept by each store: what a type is does not
/// change.
final class CaseFacts: Sendable {
  struct Fact: Sendable {
    enum Identity: Sendable {
      /// The state has an id.
      case own
      /// The payload of its case has one.
      case ofPayload
      /// Only the case tells one child from another.
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
