import ComposableArchitecture
import SessionLog

extension ComposableArchitecture.Reducer where State: Sendable, Action: Sendable {
  /// Records a store with this reducer: steps, states, causes, effects, and the values of date,
  /// uuid, clock, random numbers, stacks, calendar, locale and time zone.
  ///
  /// ```swift
  /// let recorder = SessionRecorder<AppFeature.State, AppFeature.Action>(
  ///   to: "app.retcon", knowsCauses: true)
  /// let store = Store(initialState: AppFeature.State()) {
  ///   AppFeature().recorded(by: recorder)
  /// }
  /// ```
  ///
  /// Import `ComposableRecording` in the features' files; only then can it see their effects.
  public func recorded(
    by recorder: SessionRecorder<State, Action>
  ) -> some ComposableArchitecture.Reducer<State, Action> {
    Recorded(base: self, recorder: recorder, adapter: AdapterRecorder(recorder))
  }
}

/// Surrounds the app's whole reducer.
struct Recorded<Base: ComposableArchitecture.Reducer>: ComposableArchitecture.Reducer
where Base.State: Sendable, Base.Action: Sendable {
  let base: Base
  let recorder: SessionRecorder<Base.State, Base.Action>
  let adapter: AdapterRecorder

  func _reduce(
    into state: inout Base.State, action: Base.Action
  ) -> ComposableArchitecture.Effect<Base.Action> {
    let dependencies = adapter.taped(recorder.tape)
    let links = adapter.links
    if !adapter.hasBegun { recorder.start(with: links.frozen(state)) }
    let (step, cause) = adapter.begin()
    let seen = ObservedEffects(adapter)
    var effect = ComposableArchitecture.Effect<Base.Action>.none
    recorder.step(number: step, action, cause: cause) {
      adapter.recordSurroundings(recorder.tape)
      links.recordChanges(in: state, recorder.tape)
      effect = seen.whileReducing(dependencies) {
        base._reduce(into: &state, action: action)
      }
      links.recordLoaded(in: state, recorder.tape)
      if seen.sendCount > 0, seen.hasPublisher || adapter.hasWaitingEffects {
        seen.markSends()
        _ = recorder.tape.value(ObservedEffects.marksKey) { true }
      }
      return links.frozen(state)
    }
    for run in seen.runs {
      run.origin.step = step
      recorder.effectChanged(run.number, .started(run.origin))
    }
    adapter.runEnds()
    return effect.map { [adapter] action in
      adapter.sends(elseOutputOf: step)
      return action
    }
  }
}

/// The effect half of a recorder, for any state and action.
protocol EffectRecorder: Sendable {
  func effectChanged(_ id: EffectID, _ kind: EffectEvent.Kind, fromOutside: Bool)
  func effect<Result>(
    isolation: isolated (any Actor)?, _ id: EffectID, body: () async throws -> Result
  ) async rethrows -> Result
}

extension SessionRecorder: EffectRecorder {}
