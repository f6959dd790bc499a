/// Finds what carries a cancel id, however much is in flight.
struct ScopeIndex: Sendable {
  private var numbers: [AnyID: Set<Int>] = [:]

  mutating func insert(_ number: Int, _ scope: EffectScope) {
    for scoped in scope.ids { numbers[scoped.id, default: []].insert(number) }
  }

  mutating func remove(_ number: Int, _ scope: EffectScope) {
    for scoped in scope.ids {
      numbers[scoped.id]?.remove(number)
      if numbers[scoped.id]?.isEmpty == true { numbers[scoped.id] = nil }
    }
  }

  func numbers(with id: AnyID) -> Set<Int> { numbers[id] ?? [] }

  var isEmpty: Bool { numbers.isEmpty }
}
