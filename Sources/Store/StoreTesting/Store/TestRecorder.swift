import Platform
import StoreCore

final class TestRecorder<State: Sendable, Action: Sendable>: StoreHooks, EndChecks.Check {
  typealias Timeline = TestTimeline<State, Action>

  private let timeline: Locked<Timeline>
  private let reporter = FailureReporter.current
  let controller = EffectController<Action>()

  init(state: State, place: SourcePlace) {
    timeline = Locked(Timeline(state: state, place: place))
  }

  func withTimeline<Result>(_ body: (inout Timeline) throws -> Result) rethrows -> Result {
    try timeline.withLock(body)
  }

  func aroundReduce(
    _ action: Action, in step: StoreStep, before: State, reduce: () -> State
  ) {
    let after = reduce()
    change { $0.add(action, in: step, after: after) }
  }

  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
    await controller.running(effect, body)
  }

  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {
    self.change { $0.add(effect, change) }
  }

  private func change(_ body: (inout Timeline) -> Void) {
    let gates = timeline.withLock { timeline in
      body(&timeline)
      return timeline.takeGates()
    }
    for gate in gates { gate.open() }
  }

  /// Waits until this holds, until nothing can make it hold, or until effects rest and the time is
  /// up.
  ///
  /// `endOfTurn` returns between turns: inside one, an effect may have ended before the next in its
  /// chain starts.
  nonisolated(nonsending) func wait(
    for timeout: Duration, executor: SerialEffectExecutor?, endOfTurn: () -> Void,
    until holds: (Timeline) -> Bool
  ) async {
    func nextGate() -> Gate? {
      timeline.withLock { timeline in
        holds(timeline) || timeline.inFlight.isEmpty ? nil : timeline.nextChange()
      }
    }
    let patience = ContinuousClock.now + .seconds(10)
    var deadline: ContinuousClock.Instant?
    while !Task.isCancelled {
      guard let gate = nextGate() else {
        endOfTurn()
        if nextGate() == nil { return }
        continue
      }
      let now = ContinuousClock.now
      if let executor, !executor.isSettled, now < patience {
        gate.open(whenSettled: executor)
        await gate.wait(until: patience)
      } else {
        let end = deadline ?? now + timeout
        deadline = end
        guard now < end else { return }
        await gate.wait(until: end)
      }
    }
  }

  func report(_ message: String, kind: Failure.Kind = .failure, at place: SourcePlace) {
    (FailureReporter.innermost ?? reporter).report(Failure(message, kind: kind, place: place))
  }

  func report(_ failures: [Failure]) {
    for failure in failures { (FailureReporter.innermost ?? reporter).report(failure) }
  }

  func report(_ issue: StoreIssue) {
    let place = issue.place.map { "\n\nSee \($0.short)." } ?? ""
    report(issue.message + place, at: withTimeline { $0.statement })
  }

  /// Reports actions not received and effects still running, each once.
  func checkAtEnd() {
    report(withTimeline { $0.removeLeftovers() })
  }
}

extension TestTimeline {
  fileprivate mutating func removeLeftovers() -> [Failure] {
    let running = running
    overdue = []
    let received = takeReceived()
    inFlight = [:]
    guard let kind = exhaustivity.kindOfSkipped else { return [] }
    let unreceived = received.first.map { first in
      Failure(
        TestStoreText.unreceived(received.map(\.action)), kind: kind, place: first.place)
    }
    return [unreceived].compactMap { $0 }
      + running.map { effect in
        Failure(TestStoreText.running(effect), kind: kind, place: place(of: effect))
      }
  }
}
