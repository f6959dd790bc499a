import ComposableArchitecture
@_spi(Adapters) import SessionLog
import Synchronization

extension ComposableArchitecture.Reducer where State: Sendable, Action: Sendable {
  /// Runs no effect and reads the built-in dependencies from a tape: for a test that sends what a session
  /// recorded, as `retcon test` writes it.
  ///
  /// - Parameters:
  ///   - effects: Knows which effects still run.
  ///   - isDecoded: The first state is decoded from JSON. Its shared values are linked by the names of
  ///     their keys.
  public func byHand(
    _ tape: Tape, _ effects: EffectsByHand? = nil, isDecoded: Bool = false
  ) -> some ComposableArchitecture.Reducer<State, Action> {
    ByHand(
      base: self, tape: tape, effects: effects,
      links: isDecoded ? SharedLinks(isRecording: false, tape) : nil)
  }
}

extension ComposableArchitecture.DependencyValues {
  /// The dependencies of a test that `retcon test` writes: those of the app, but shared values stay in
  /// memory.
  public mutating func byHand() {
    context = .live
    forgetSharedValues()
  }
}

extension ComposableArchitecture.TestStore where Action: Sendable {
  /// Sends what an effect answered, unless the reducer has cancelled it.
  ///
  /// `index` counts the effects of this name that the test started.
  public func send(
    _ action: Action, ifInFlight name: String, index: Int = 0, of effects: EffectsByHand
  ) async {
    if effects.isInFlight(name, index) { _ = await send(action) }
  }
}

/// The effects that reducers started in a test, by their names.
public final class EffectsByHand: Sendable {
  private let running = Mutex<[String: [Bool]]>([:])

  public init() {}

  func isInFlight(_ name: String, _ index: Int) -> Bool {
    running.withLock { running in
      guard let all = running[name], all.indices.contains(index) else { return false }
      return all[index]
    }
  }

  func start(_ name: String) -> Int {
    running.withLock { running in
      running[name, default: []].append(true)
      return running[name, default: []].count - 1
    }
  }

  func cancel(_ name: String, _ index: Int) { running.withLock { $0[name]?[index] = false } }
}

private struct ByHand<Base: ComposableArchitecture.Reducer>: ComposableArchitecture.Reducer
where Base.State: Sendable, Base.Action: Sendable {
  let base: Base
  let tape: Tape
  let effects: EffectsByHand?
  let links: SharedLinks?

  func _reduce(
    into state: inout Base.State, action: Base.Action
  ) -> ComposableArchitecture.Effect<Base.Action> {
    ObservedEffects(nil, byHand: effects).whileReducing(TapedDependencies(tape)) {
      guard let links else { return base._reduce(into: &state, action: action) }
      // The links have the values, and nothing else does.
      return withDependencies {
        $0.forgetSharedValues()
      } operation: {
        links.begin(&state)
        defer { links.end(&state) }
        return base._reduce(into: &state, action: action)
      }
    }
  }
}
