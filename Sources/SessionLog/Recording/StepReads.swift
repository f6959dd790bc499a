/// Collects what the reducer reads in one step.
final class StepReads: TapeSource {
  private let recorder: any ReadKeeper
  private let step: Int
  private let isWriteAhead: Bool
  /// Nil when the step is over: a task that the reducer left behind reads for nobody.
  private let reads = Locked<[PendingRead]?>([])

  init(recorder: any ReadKeeper, step: Int, isWriteAhead: Bool) {
    self.recorder = recorder
    self.step = step
    self.isWriteAhead = isWriteAhead
  }

  func answer(to key: String) -> TapeAnswer { .live }

  func keep(_ key: String, _ outcome: @escaping @Sendable () -> Read.Outcome) {
    let read = PendingRead(key: key, outcome: outcome)
    let belongsToStep = reads.withLock { reads in
      reads?.append(read)
      return reads != nil
    }
    if !belongsToStep {
      recorder.keep(read, effect: nil)
    } else if isWriteAhead {
      recorder.keepBegun(read, step: step)
    }
  }

  /// Ends the step and gives what was read in it.
  func close() -> [PendingRead] {
    reads.withLock { reads in
      defer { reads = nil }
      return reads ?? []
    }
  }
}

/// Hands on what the body of an effect reads.
final class EffectReads: TapeSource {
  private let recorder: any ReadKeeper
  private let effect: Int

  init(recorder: any ReadKeeper, effect: Int) {
    self.recorder = recorder
    self.effect = effect
  }

  func answer(to key: String) -> TapeAnswer { .live }

  func keep(_ key: String, _ outcome: @escaping @Sendable () -> Read.Outcome) {
    recorder.keep(PendingRead(key: key, outcome: outcome), effect: effect)
  }
}
