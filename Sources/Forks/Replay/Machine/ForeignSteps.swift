import Recorder
import SessionWords
import StoreCore
import StoreRecording

/// What an adapter knows of the effects of one step of another architecture.
package protocol ForeignStep: AnyObject, Sendable {
  /// The places of those running effects that the library cancelled when it made and started this step's
  /// effects. Nil if that is unknown.
  var cancelled: Set<Int>? { get }
  /// The same for what the library does when it continues what is chained to effects that are over. These
  /// of the step go on.
  func cancelled(among runs: [any ForeignRun], goingOn: Set<Int>) -> Set<Int>?
  /// Whether the state shares values, which an effect may read at any time.
  var sharesValues: Bool { get }
}

/// A running effect of such a step, as the input of a `StoreCore` effect.
package protocol ForeignRun: Hashable, Sendable {
  var foreignStep: any ForeignStep { get }
  /// Its number in the step.
  var ordinal: Int { get }
}

extension ForeignStep {
  /// The adapter calls it in the reducer, so that a fork knows the step. Gives the effects that run.
  package func announce() -> [any ForeignRun] {
    guard let reads = TapeContext.source as? ReplayReads else { return [] }
    reads.foreignStep = self
    return reads.foreignRuns
  }
}

/// The body of an adapter's effect, which sends while it runs on the main actor.
package enum ForeignBody {
  /// Takes an action of the app.
  @TaskLocal package static var deliver: (@Sendable (Any) -> Void)?

  /// The adapter calls it on the main actor, right before the body goes on elsewhere.
  package static func countMainActorHop() {
    (TapeContext.source as? TapeExecution)?.stage.countHop()
  }
}

extension TapeContext {
  /// Ends a body on the tape, because what it does next is unknown.
  package static func stopBody(_ words: String) {
    (source as? TapeExecution)?.stop(words)
  }
}

extension ShiftedClock {
  /// For an adapter's bodies.
  package static func onStage(else clock: any Clock<Duration>) -> Self { Self(onStageElse: clock) }
}

/// What a step cancels in an adapter's library, which keeps the ids (`endings/unseen-cancel`).
extension Rerun {
  private var running: [EffectMatcher.Entry] {
    matcher.inFlight.values.filter { $0.responder != .user }
      .sorted { ($0.machine ?? 0, $0.number) < ($1.machine ?? 0, $1.number) }
  }

  /// Tells the adapter before a step which effects run.
  mutating func prepareForeign() {
    guard setup.takesCancellationsAsRecorded else { return }
    surroundings.reads.foreignStep = nil
    surroundings.reads.foreignRuns = mode.believesSource ? [] : running.compactMap(\.foreign)
  }

  /// Cancels what a step of the branch cancels. Of a step as recorded, the recording tells it, except of
  /// effects that run in the branch alone.
  mutating func cancelForeign(isTrusted: Bool) {
    guard setup.takesCancellationsAsRecorded, !mode.believesSource else { return }
    let recorded = replayCursor.inFlight
    cancelForeign(surroundings.reads.foreignStep?.cancelled) {
      isTrusted && $0.matched.map(recorded.contains) == true
    }
  }

  /// Cancels what is cancelled behind the end of an effect.
  mutating func cancelForeign(behind ended: EffectMatcher.Entry, isTrusted: Bool) {
    guard let run = ended.foreign, !mode.believesSource, !isTrusted else { return }
    let runs = running.compactMap(\.foreign)
    let goingOn = runs.filter { $0.foreignStep === run.foreignStep }.map(\.ordinal)
    cancelForeign(run.foreignStep.cancelled(among: runs, goingOn: Set(goingOn))) { _ in false }
  }

  private mutating func cancelForeign(
    _ found: Set<Int>?, except isKnown: (EffectMatcher.Entry) -> Bool
  ) {
    let entries = running
    let runs = entries.filter { $0.foreign != nil }
    for entry in entries where !isKnown(entry) {
      if let found, let place = runs.firstIndex(where: { $0.number == entry.number }) {
        guard found.contains(place) else { continue }
        if cancelForeign(entry) { continue }
      }
      classifier.assume(.open(entry, after: step, .cancelledAsRecorded))
    }
  }

  /// The library knows an id from when the task of its effect begins. What is chained to the effect may
  /// follow or not. In both cases it cancels nothing, and returns false.
  private mutating func cancelForeign(_ entry: EffectMatcher.Entry) -> Bool {
    guard let number = entry.machine, entry.startedAt != clock else { return false }
    var after = machine
    after.cancel(effect: number)
    guard after.outputCount == machine.outputCount else { return false }
    machine = after
    return true
  }
}
