import ComposableArchitecture
import SessionLog

extension ComposableArchitecture.Reducer where State: Sendable, Action: Sendable {
  /// Runs no effect and reads the built-in dependencies from a tape: for a test that sends what a session
  /// recorded, as `retcon test` writes it.
  public func byHand(_ tape: Tape) -> some ComposableArchitecture.Reducer<State, Action> {
    ByHand(base: self, tape: tape)
  }
}

private struct ByHand<Base: ComposableArchitecture.Reducer>: ComposableArchitecture.Reducer
where Base.State: Sendable, Base.Action: Sendable {
  let base: Base
  let tape: Tape

  func _reduce(
    into state: inout Base.State, action: Base.Action
  ) -> ComposableArchitecture.Effect<Base.Action> {
    ObservedEffects(nil).whileReducing(TapedDependencies(tape)) {
      base._reduce(into: &state, action: action)
    }
  }
}
