import ComposableArchitecture
import Replay
@_spi(Adapters) import SessionLog
@_spi(Adapters) import StoreCore
import StoreRecording

#if canImport(Combine)
  import Combine
  import Foundation
#endif

/// A Composable Architecture reducer to run again: in a debugger, a test or a playback.
///
/// ```swift
/// await RetconCommand.main(hosting: Hosted(AppFeature()))
/// try await expectReplays(session, Hosted(AppFeature()))
/// ```
///
/// Put the app's dependencies on tape here, too: `Hosted(AppFeature()) { $0.fact = … }`. Effect
/// bodies do not run, and dependencies have the context `.live`, in a test too. Shared values stay in
/// memory: no file and no user default changes.
public struct Hosted<Base: ComposableArchitecture.Reducer>: ForeignReducer
where Base.State: Sendable, Base.Action: Sendable {
  nonisolated(unsafe) private let base: Base
  private let change: @Sendable (inout ComposableArchitecture.DependencyValues) -> Void
  private let surroundings = FirstSurroundings()

  public init(
    _ base: Base,
    withDependencies change:
      @escaping @Sendable (inout ComposableArchitecture.DependencyValues)
      -> Void = { _ in }
  ) {
    self.base = base
    self.change = change
  }

  public static var adapted: Any.Type { Base.self }

  public func putOnTape() {
    surroundings.forget()
    withDependencies(asInTheApp) {}
  }

  private func asInTheApp(_ values: inout ComposableArchitecture.DependencyValues) {
    values.context = .live
    surroundings.now?.put(into: &values)
    if SharedLinks.places.areIn(State.self) { values.forgetSharedValues() }
    change(&values)
  }

  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> StoreCore.Effect<Base.Action> {
    ObservedEffects.cancelIDs.withLock { reduceAlone(&state, action) }
  }

  private func reduceAlone(
    _ state: inout Base.State, _ action: Base.Action
  ) -> StoreCore.Effect<Base.Action> {
    let seen = ObservedEffects(nil)
    let running = seen.announce()
    return withDependencies(asInTheApp) {
      var taped = TapedDependencies(Tape())
      taped.clock = ShiftedClock.onStage(else: taped.clock)
      func reduced() -> ComposableArchitecture.Effect<Base.Action> {
        seen.whileReducing(taped) {
          let links = SharedLinks(isRecording: false)
          links.begin(&state)
          defer { links.end(&state) }
          let effect = base._reduce(into: &state, action: action)
          if SharedLinks.places.areIn(Base.State.self) { seen.sharedNow = links.valuesNow() }
          return effect
        }
      }
      guard !running.isEmpty else { return seen.inStoreCore(reduced()) }
      let (effect, cancelled) = seen.watch(running) {
        let effect = reduced()
        _EffectPublisher(effect).sink { _ in }.cancel()
        return effect
      }
      seen.cancelled = cancelled
      return seen.inStoreCore(effect)
    }
  }
}

extension ComposableArchitecture.DependencyValues {
  mutating func forgetSharedValues() {
    defaultInMemoryStorage = InMemoryStorage()
    #if canImport(AppKit) || canImport(UIKit) || canImport(WatchKit)
      defaultFileStorage = .inMemory
      let name = "ComposableRecording"
      if let defaults = UserDefaults(suiteName: name) {
        defaults.removePersistentDomain(forName: name)
        defaultAppStorage = defaults
      }
    #endif
  }
}

extension ObservedEffects {
  /// The same effect for the replay: what it sends at once, and which run's end each later send
  /// follows. An effect cannot be inspected, so this tries it out: a `.send` follows a run if it
  /// does not come without that run's end. A marked one follows its mark.
  fileprivate func inStoreCore<Action: Sendable>(
    _ effect: ComposableArchitecture.Effect<Action>
  ) -> StoreCore.Effect<Action> {
    if Tape().valueIfRecorded(Self.marksKey) == true { markSends() }
    subscribe = { receive in _EffectPublisher(effect).sink { receive($0) } }
    var parts = runs.map { run in
      var site = EffectSite(
        name: run.origin.name, fileID: run.origin.file, line: run.origin.line,
        cancelID: run.origin.cancelID)
      site.inputs = AnyID(RerunRun(step: self, number: run.number))
      let body = StoreCore.Effect<Action>.run(site: site) { _ in try await run.performOnTape() }
      return (runs: [run.number] as Set, effect: body)
    }
    let sentAtOnce = sent(by: effect, afterEndsOf: []).filter {
      $0.number.flatMap { placeMarks[$0] } == nil
    }
    if sentAtOnce.count < sendCount {
      let all = Set(runs.map(\.number))
      let without = all.map { run in
        (run: run, sends: sent(by: effect, afterEndsOf: all.subtracting([run])).map(\.number))
      }
      let chained = sent(by: effect, afterEndsOf: all).compactMap { send in
        sentAtOnce.contains { $0.number == send.number }
          ? nil
          : (
            action: send.action,
            runs: send.number.flatMap { placeMarks[$0] }.map { Set([$0.number]) }
              ?? Set(without.filter { !$0.sends.contains(send.number) }.map(\.run))
          )
      }
      for send in chained.sorted(by: { $0.runs.count < $1.runs.count }) {
        guard let first = parts.firstIndex(where: { $0.runs.isSubset(of: send.runs) }) else {
          continue
        }
        let before = parts.filter { $0.runs.isSubset(of: send.runs) }.map(\.effect)
        parts.removeAll { $0.runs.isSubset(of: send.runs) }
        parts.insert((send.runs, .concatenate(.merge(before), .send(send.action))), at: first)
      }
    }
    return .merge(parts.map(\.effect) + sentAtOnce.map { .send($0.action) })
  }

  private func sent<Action>(
    by effect: ComposableArchitecture.Effect<Action>, afterEndsOf ended: Set<EffectID>
  ) -> [(number: Int?, action: Action)] {
    self.ended = ended
    var sent: [(number: Int?, action: Action)] = []
    _EffectPublisher(effect).sink { action in
      sent.append((self.lastSend, action))
      self.lastSend = nil
    }.cancel()
    return sent
  }
}
