/// What has been found out about types, so that the next value of one costs no look at its name.
struct TypeFacts {
  private var whole: Set<ObjectIdentifier> = []
  private var locks: [ObjectIdentifier: Bool] = [:]

  /// Whether values of this type are compared as a whole.
  func isWhole(_ type: Any.Type) -> Bool { whole.contains(ObjectIdentifier(type)) }

  mutating func noteWhole(_ type: Any.Type) { whole.insert(ObjectIdentifier(type)) }

  /// Whether values of this type guard others and are nothing in themselves: two of them are never
  /// the same, and never differ.
  mutating func isLock(_ type: Any.Type) -> Bool {
    let id = ObjectIdentifier(type)
    if let known = locks[id] { return known }
    let name = String(reflecting: type)
    let isOfTheSystem =
      name.contains("pthread_") || name.contains("os_unfair_lock") || name == "Platform.Lock"
    let isOfFoundation =
      name.hasPrefix("Foundation.NS")
      && (name.hasSuffix("Lock") || name.hasSuffix("NSCondition"))
    let isLock = isOfTheSystem || isOfFoundation
    locks[id] = isLock
    return isLock
  }
}
