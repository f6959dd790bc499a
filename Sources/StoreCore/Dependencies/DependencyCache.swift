import Platform

/// The default values that one store has made, so that a generator that counts goes on counting.
final class DependencyCache: Sendable {
  private struct Slot: Hashable {
    var key: ObjectIdentifier
    var context: DependencyContext
  }

  private let values = Locked<[Slot: any Sendable]>([:])

  /// `make` runs outside the lock, because it may read other dependencies.
  func value<Value: Sendable>(
    for key: ObjectIdentifier, in context: DependencyContext, make: () -> Value
  ) -> Value {
    let slot = Slot(key: key, context: context)
    if let known = values.withLock({ $0[slot] }), let value = known as? Value { return value }
    let made = make()
    return values.withLock { values in
      if let known = values[slot], let value = known as? Value { return value }
      values[slot] = made
      return made
    }
  }
}
