import Platform
import StoreCore

/// Runs a reducer with dependencies that a test may change between two actions.
struct TestReducer<Base: Reducer>: Reducer {
  typealias Body = NoBody

  let base: Base
  let dependencies: Locked<DependencyValues>
  /// Takes what counts, as it is before the reducer runs.
  let keep: @Sendable (TestGenerators) -> Void
  let hands: EffectHands<Base.Action>

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let values = dependencies.withLock { $0 }
    keep(TestGenerators(values))
    let effect = values.inThisStore.run { base.reduce(into: &state, action: action) }
    return values.effects == .byHand ? hands.taking(effect) : effect
  }
}

/// The generators of a store as they were before a step, so that what a test expects can draw the
/// same ids and numbers from them.
struct TestGenerators: Sendable {
  private let uuid: UUIDGenerator
  private let random: WithRandomNumberGenerator

  init(_ values: DependencyValues) {
    var values = values
    values.isPreparing = true
    uuid = values.uuid.copied
    random = values.withRandomNumberGenerator.copied
  }

  func put(into values: inout DependencyValues) {
    values.uuid = uuid.copied
    values.withRandomNumberGenerator = random.copied
  }
}
