import ComposableArchitecture
import Platform
import Replay
import SessionLog
@_spi(Adapters) import StoreCore

#if canImport(Combine)
  import Combine
#endif

/// A run of a step that is run again. Only the same one asks the same.
struct RerunRun: ForeignRun {
  let step: ObservedEffects
  let number: EffectID

  var foreignStep: any ForeignStep { step }
  var ordinal: Int { number.number }

  static func == (one: Self, other: Self) -> Bool {
    one.step === other.step && one.number == other.number
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(step))
    hasher.combine(number)
  }
}

extension ObservedRun {
  /// Keeps the body, with the dependencies that it has here.
  func capture<Action: Sendable>(
    _ operation: @escaping @Sendable (ComposableArchitecture.Send<Action>) async throws -> Void,
    _ handler: (@Sendable (any Error, ComposableArchitecture.Send<Action>) async -> Void)?
  ) {
    @ComposableArchitecture.Dependency(\.self) var dependencies
    body = { [dependencies] send in
      try await withDependencies {
        $0 = dependencies
      } operation: {
        let send = await MainActor.run {
          defer { ForeignBody.countMainActorHop() }
          return ComposableArchitecture.Send<Action> { action in
            send(action)
            ForeignBody.countMainActorHop()
          }
        }
        do {
          try await operation(send)
        } catch {
          guard !(error is CancellationError), !Task.isCancelled, let handler else { throw error }
          await handler(error, send)
        }
      }
    }
  }

  /// Runs the body on the tape. Its actions pass through the library's effect, which makes the
  /// app's actions of them.
  func performOnTape() async throws {
    guard let body, let deliver = ForeignBody.deliver else {
      return TapeContext.stopBody("has no body here")
    }
    let shared = step.sharedNow?()
    let stopIfChanged = { @Sendable [step] in
      if step.sharedNow?() != shared { TapeContext.stopBody("changes a shared value") }
    }
    defer { stopIfChanged() }
    try await body { [step, number] action in
      stopIfChanged()
      let actions = step.actions(of: number, sending: action)
      if actions.count != 1 { TapeContext.stopBody("sends through a publisher that waits") }
      for action in actions { deliver(action) }
    }
  }
}

extension ObservedEffects: ForeignStep {
  /// The library knows running effects by their cancel ids, for the whole process. Sessions that run again at
  /// the same time would cancel each other's, so one step subscribes at a time.
  static let cancelIDs = Lock()

  var sharesValues: Bool { sharedNow != nil }

  /// The actions that the app gets if a run sends this.
  fileprivate func actions(of run: EffectID, sending action: Any) -> [Any] {
    Self.cancelIDs.withLock { actionsAlone(of: run, sending: action) }
  }

  private func actionsAlone(of run: EffectID, sending action: Any) -> [Any] {
    ended = Set(runs.map(\.number)).subtracting([run])
    (emitted, lastRun) = ([run: action], nil)
    var actions: [Any] = []
    subscribe? { [unowned self] action in
      if lastRun == run { actions.append(action) }
      lastRun = nil
    }.cancel()
    emitted = [:]
    return actions
  }

  /// Subscribes to the effects that run while the work is done, and sees which the library cancels.
  func watch<Result>(_ runs: [any ForeignRun], _ work: () -> Result) -> (Result, Set<Int>?) {
    let running = runs.compactMap { $0 as? RerunRun }
    var cancelled: Set<RerunRun> = []
    var subscriptions: [AnyCancellable] = []
    var steps: [ObservedEffects] = []
    for run in running where run.step !== self && !steps.contains(where: { $0 === run.step }) {
      steps.append(run.step)
    }
    for step in steps + [self] {
      step.noteCancelled = { cancelled.insert(RerunRun(step: step, number: $0)) }
    }
    for step in steps {
      let goingOn = running.filter { $0.step === step }.map(\.number)
      step.ended = Set(step.runs.map(\.number)).subtracting(goingOn)
      if let subscription = step.subscribe?({ _ in }) { subscriptions.append(subscription) }
    }
    // Cancels among them came before, or they started in another order.
    let isClear = cancelled.isEmpty && subscriptions.count == steps.count
    let result = work()
    let found = cancelled
    for step in steps + [self] { step.noteCancelled = { _ in } }
    for subscription in subscriptions { subscription.cancel() }
    guard isClear, running.count == runs.count else { return (result, nil) }
    return (result, Set(running.indices.filter { found.contains(running[$0]) }))
  }

  func cancelled(among runs: [any ForeignRun], goingOn: Set<Int>) -> Set<Int>? {
    Self.cancelIDs.withLock {
      watch(runs) {
        ended = Set(self.runs.map(\.number).filter { !goingOn.contains($0.number) })
        subscribe?({ _ in }).cancel()
      }.1
    }
  }
}
