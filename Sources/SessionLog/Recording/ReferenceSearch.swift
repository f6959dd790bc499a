/// Looks for class instances in a state: they can change after a copy was made.
package enum ReferenceSearch {
  /// How many parts of a state are looked at.
  private static let limit = 20_000

  package static func findsReference(in state: Any) -> Bool {
    var waiting: [Any] = [state]
    var seen = 0
    while let value = waiting.popLast(), seen < limit {
      seen += 1
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .class || mirror.displayStyle == .foreignReference { return true }
      for child in mirror.children.prefix(limit) { waiting.append(child.value) }
    }
    return false
  }
}
