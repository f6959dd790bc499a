/// What has been found out about types, so that the next value of one costs no look at its name.
package struct TypeFacts {
  package init() {}

  private var whole: Set<ObjectIdentifier> = []
  private var ofTheLanguage: [ObjectIdentifier: Bool] = [:]
  private var locks: [ObjectIdentifier: Bool] = [:]

  /// Whether values of this type are compared as a whole.
  package func isWhole(_ type: Any.Type) -> Bool { whole.contains(ObjectIdentifier(type)) }

  mutating func noteWhole(_ type: Any.Type) { whole.insert(ObjectIdentifier(type)) }

  /// Types of the standard library and of Foundation are compared and shown as a whole where they are no
  /// containers: what they are made of says little (a UUID is sixteen numbers, a date is a number of
  /// seconds).
  mutating func isOfTheLanguage(_ value: Any) -> Bool {
    let type = type(of: value)
    let id = ObjectIdentifier(type)
    if let known = ofTheLanguage[id] { return known }
    let isOfTheLanguage =
      value is StackElementID || value is any Equatable && TypeName(type).isOfTheLanguage
    ofTheLanguage[id] = isOfTheLanguage
    return isOfTheLanguage
  }

  /// Whether values of this type guard others and are nothing in themselves: two of them are never
  /// the same, and never differ.
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
