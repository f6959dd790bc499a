import SessionWords

/// Observes a store from around its work: the base of a recorder.
///
/// Both `around` functions must call the given work exactly once. They run on the reducing thread
/// or in the effect's task, so every read inside sees a task-local set there.
public protocol StoreHooks<State, Action>: AnyObject, Sendable {
  associatedtype State
  associatedtype Action

  /// Changes the store's dependencies last: puts them on tape.
  func prepare(_ dependencies: inout DependencyValues)

  /// Called with the store's first state.
  func started(with state: State)

  /// Wraps the reduction of an action. `reduce` returns the state after it.
  func aroundReduce(_ action: Action, in step: StoreStep, before: State, reduce: () -> State)

  /// Wraps the body of an effect.
  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async

  /// Called when an effect starts, emits, finishes, fails or is cancelled.
  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange)

  /// Called when an effect's body uses a cancel id, for a part of its own or to cancel others.
  func namesCancelID(_ effect: StoreEffect, _ id: String)
}

extension StoreHooks {
  /// Changes nothing.
  public func prepare(_ dependencies: inout DependencyValues) {}
  /// Does nothing.
  public func started(with state: State) {}
  /// Does nothing.
  public func namesCancelID(_ effect: StoreEffect, _ id: String) {}
}

/// The step that reduces an action. It does not hold the action, because a generic type would need
/// a lookup at each step.
public struct StoreStep: Sendable {
  /// 1, 2, 3 … in the order of reduction.
  public var number: Int
  /// The cause of the action.
  public var cause: Cause
}

/// An event of an effect, after the newest step.
public enum StoreEffectChange: Sendable {
  /// Its body is about to run.
  case started
  /// The effect sent the action of this step.
  case emitted(step: Int)
  /// Its body has returned.
  case finished
  /// Its body threw this error uncaught.
  case failed(any Error)
  /// The newest step cancelled it.
  case cancelled
  /// Cancelled by the task of a `send` or the end of the store, not by a step.
  case stopped
}

/// An effect that outlives its step. (A synchronous `send` does not, so it has no `StoreEffect`.)
public struct StoreEffect: Sendable {
  /// The purpose of an effect.
  public enum Kind: Sendable, Hashable {
    /// Runs the app's work.
    case work
    /// Waits, then continues with something else.
    case pause(Duration)
    /// Keeps a throttle closed. Nothing waits for its end.
    case window(Duration)
  }

  /// 1, 2, 3 … in the order of starting.
  public let number: Int
  package let origin: EffectStart
  /// Its number among the effects of its step, from 1.
  public let ordinal: Int
  let site: EffectSite
  let scope: EffectScope

  /// The step that started it.
  public var step: Int { origin.step }
  /// The step of the user's action behind it.
  public var rootStep: Int { origin.root }
  /// The name from `run(name:)`.
  public var name: String? { site.name }
  /// The file that contains the effect.
  public var fileID: String { site.texts?.fileID ?? "\(site.place.fileID)" }
  /// The line of the effect.
  public var line: Int { site.texts?.line ?? Int(site.place.line) }
  /// The place of the effect in the source.
  public var place: SourcePlace { site.place }
  /// Its purpose.
  public var kind: Kind { site.kind }

  package var title: String {
    let file = fileID.split(separator: "/").last.map(String.init) ?? fileID
    return "The effect \(name.map { "“\($0)” " } ?? "")(\(file):\(line))"
  }

  /// The children that it runs in, from the outside in, with places and ids.
  public var path: [String] { site.texts?.path ?? scope.path.map { $0.description } }

  /// A text of its children and its cancel ids with their types; nil without any.
  public var cancelID: String? {
    let ids = path + (site.texts?.cancelIDs ?? []) + scope.ids.map { "\($0.id)" }
    return ids.isEmpty ? nil : ids.joined(separator: " ")
  }
}
