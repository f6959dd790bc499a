import SessionWords

/// Listens to a store from around its work: what a recorder is built on.
///
/// Both `around` functions must call the given work exactly once. They run on the thread that
/// reduces, or in the task of the effect, so a task-local set there is seen by every read inside.
public protocol StoreHooks<State, Action>: AnyObject, Sendable {
  associatedtype State
  associatedtype Action

  /// Changes the dependencies of the store, after its own changes to them: puts them on tape.
  func prepare(_ dependencies: inout DependencyValues)

  /// The store is there and has this state.
  func started(with state: State)

  /// Around reducing one step. `reduce` returns the state after it.
  func aroundReduce(_ step: StoreStep<Action>, before: State, reduce: () -> State)

  /// Around running the body of an effect.
  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async

  /// An effect started, emitted, finished, failed or was cancelled.
  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange)
}

extension StoreHooks {
  /// Dependencies stay as they are.
  public func prepare(_ dependencies: inout DependencyValues) {}
  /// The first state is not looked at.
  public func started(with state: State) {}
}

/// An action on its way through the reducer.
public struct StoreStep<Action> {
  /// 1, 2, 3 … in the order in which the store reduces.
  public var number: Int
  /// What is reduced.
  public var action: Action
  /// What sent it.
  public var cause: Cause
}

/// What happened to an effect, and which step was the newest then.
public enum StoreEffectChange: Sendable {
  case started
  /// It sent the action that is reduced as this step.
  case emitted(step: Int)
  case finished
  case failed(any Error)
  /// The newest step cancelled it.
  case cancelled
  /// Cancelled, but by no step: somebody cancelled the task of a `send`, or the store is gone.
  case stopped
}
