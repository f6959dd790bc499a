package struct TypeFacts {
  package init() {}

  private var whole: Set<ObjectIdentifier> = []
  private var ofTheLanguage: [ObjectIdentifier: Bool] = [:]
  private var locks: [ObjectIdentifier: Bool] = [:]

  package func isWhole(_ type: Any.Type) -> Bool { whole.contains(ObjectIdentifier(type)) }

  mutating func markWhole(_ type: Any.Type) { whole.insert(ObjectIdentifier(type)) }

  /// Non-container types of the standard library and Foundation are compared and shown whole: their
  /// parts say little (a UUID is sixteen numbers).
  mutating func isOfTheLanguage(_ value: Any) -> Bool {
    let type = type(of: value)
    let id = ObjectIdentifier(type)
    if let known = ofTheLanguage[id] { return known }
    let isOfTheLanguage =
      value is StackElementID || value is any Equatable && TypeName.isOfTheLanguage(type)
    ofTheLanguage[id] = isOfTheLanguage
    return isOfTheLanguage
  }

  /// Whether a type only guards other values: two locks are never the same, and never differ.
  package mutating func isLock(_ type: Any.Type) -> Bool {
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
