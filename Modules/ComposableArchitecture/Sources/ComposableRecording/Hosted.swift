import ComposableArchitecture
import Replay
import SessionLog
import StoreCore

#if canImport(Combine)
  import Combine
#endif

/// A reducer of the Composable Architecture, to be run again: by a debugger, a test, or a playback.
///
/// ```swift
/// await RetconCommand.main(hosting: Hosted(AppFeature()))
/// try await expectReplays(session, Hosted(AppFeature()))
/// ```
///
/// What the app put on tape is put on tape here, too: `Hosted(AppFeature()) { $0.fact = … }`. No body of
/// an effect runs.
public struct Hosted<Base: ComposableArchitecture.Reducer>: ForeignReducer
where Base.State: Sendable, Base.Action: Sendable {
  nonisolated(unsafe) private let base: Base
  private let change: @Sendable (inout ComposableArchitecture.DependencyValues) -> Void

  public init(
    _ base: Base,
    withDependencies change:
      @escaping @Sendable (inout ComposableArchitecture.DependencyValues)
      -> Void = { _ in }
  ) {
    self.base = base
    self.change = change
  }

  public func putOnTape() { withDependencies(change) {} }

  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> StoreCore.Effect<Base.Action> {
    let seen = SeenEffects(nil)
    return withDependencies(change) {
      let effect = seen.whileReducing(TapedDependencies(Tape())) {
        base._reduce(into: &state, action: action)
      }
      let runs = seen.runs.map(\.origin).map { origin in
        StoreCore.Effect<Base.Action>.run(
          site: EffectSite(
            name: origin.name, fileID: origin.file, line: origin.line, cancelID: origin.cancelID))
      }
      let sends = seen.hasSends ? effect.sentAtOnce : []
      return .merge(runs + sends.map { .send($0) })
    }
  }
}

extension ComposableArchitecture.Effect {
  /// The actions that it sends before anybody can wait.
  fileprivate var sentAtOnce: [Action] {
    var actions: [Action] = []
    _EffectPublisher(self).sink { actions.append($0) }.cancel()
    return actions
  }
}
