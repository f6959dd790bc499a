import Platform
import StoreCore

/// Runs a reducer with dependencies that a test may change between two actions.
struct TestReducer<Base: Reducer>: Reducer {
  typealias Body = NoBody

  let base: Base
  let dependencies: Locked<DependencyValues>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    dependencies.withLock { $0 }.run { base.reduce(into: &state, action: action) }
  }
}
