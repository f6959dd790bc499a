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

  /// Around reducing an action. `reduce` returns the state after it.
  func aroundReduce(_ action: Action, in step: StoreStep, before: State, reduce: () -> State)

  /// Around running the body of an effect.
  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async

  /// An effect started, emitted, finished, failed or was cancelled.
  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange)

  /// The body of an effect names a cancel id: of a part of its own, or of what it cancels.
  func namesCancelID(_ effect: StoreEffect, _ id: String)
}

extension StoreHooks {
  /// Dependencies stay as they are.
  public func prepare(_ dependencies: inout DependencyValues) {}
  /// The first state is not looked at.
  public func started(with state: State) {}
  /// Nobody wants to know.
  public func namesCancelID(_ effect: StoreEffect, _ id: String) {}
}

/// The step that reduces an action. It does not hold the action: a generic type would be looked up at
/// each step.
public struct StoreStep: Sendable {
  /// 1, 2, 3 … in the order in which the store reduces.
  public var number: Int
  /// What sent the action.
  public var cause: Cause
}

/// What happened to an effect, and which step was the newest then.
public enum StoreEffectChange: Sendable {
  /// Its body is about to run.
  case started
  /// It sent the action that is reduced as this step.
  case emitted(step: Int)
  /// Its body has returned.
  case finished
  /// Its body threw this, and nothing caught it.
  case failed(any Error)
  /// The newest step cancelled it.
  case cancelled
  /// Cancelled, but by no step: somebody cancelled the task of a `send`, or the store is gone.
  case stopped
}

/// An effect that outlives its step. (A synchronous `send` does not and is no `StoreEffect`.)
public struct StoreEffect: Sendable {
  /// What an effect is there for.
  public enum Kind: Sendable, Hashable {
    /// Runs what somebody wrote.
    case work
    /// Waits, and something is done afterwards.
    case pause(Duration)
    /// Waits until a throttle lets something through again. Nobody waits for it to end.
    case window(Duration)
  }

  /// 1, 2, 3 … in the order in which the store starts them.
  public let number: Int
  package let origin: EffectStart
  /// Its place among the effects that its step returned, from 1.
  public let ordinal: Int
  let site: EffectSite
  let scope: EffectScope

  /// The step that started it.
  public var step: Int { origin.step }
  /// The step of the user's action that it descends from.
  public var rootStep: Int { origin.root }
  /// The name that `run(name:)` was given.
  public var name: String? { site.name }
  /// The file in which the effect is written.
  public var fileID: String { site.texts?.fileID ?? "\(site.place.fileID)" }
  /// The line at which the effect is written.
  public var line: Int { site.texts?.line ?? Int(site.place.line) }
  /// Where the effect is written.
  public var place: SourcePlace { site.place }
  /// What it is there for.
  public var kind: Kind { site.kind }

  /// Its name, if it has one, and where it stands.
  package var title: String {
    let file = fileID.split(separator: "/").last.map(String.init) ?? fileID
    return "The effect \(name.map { "“\($0)” " } ?? "")(\(file):\(line))"
  }

  /// The children of the feature that it runs in, one in the other: their places and their ids there.
  public var path: [String] { site.texts?.path ?? scope.path.map { $0.description } }

  /// A text for the children that it runs in and its cancel ids with their types, nil without any.
  public var cancelID: String? {
    let ids = path + (site.texts?.cancelIDs ?? scope.ids.map { "\($0.id)" })
    return ids.isEmpty ? nil : ids.joined(separator: " ")
  }
}
