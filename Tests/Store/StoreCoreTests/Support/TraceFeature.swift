import StoreCore

/// Writes every action into its state, and answers each with the effect that the test gives it.
struct TraceFeature: Reducer {
  typealias State = [String]
  typealias Action = String

  var effects: @Sendable (String) -> Effect<String>

  init(_ effects: @escaping @Sendable (String) -> Effect<String>) { self.effects = effects }

  func reduce(into state: inout [String], action: String) -> Effect<String> {
    state.append(action)
    return effects(action)
  }
}

typealias TraceStore = Store<[String], String>

func traceStore(
  hooks: (any StoreHooks<[String], String>)? = nil,
  _ change: @escaping (inout DependencyValues) -> Void = { _ in },
  effects: @escaping @Sendable (String) -> Effect<String>
) -> TraceStore {
  Store(initialState: [], hooks: hooks) {
    TraceFeature(effects)
  } withDependencies: {
    change(&$0)
  }
}
