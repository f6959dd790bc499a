import ValueTree

/// What an effect of a branch did when it ran live, once: what to add to the branch's script, so that
/// the branch does the same whenever it runs again.
public struct LiveRun: Sendable, Hashable {
  /// Its number in the branch.
  public var effect: Int
  /// What it sent, in order.
  public var emissions: [Emission]
  /// How it ended, or why it was stopped.
  public var end: End
  /// How long after its start it ended, or was stopped.
  public var duration: Duration
  /// What it read, in order.
  public var reads: [Read]

  /// An action that it sent.
  public struct Emission: Sendable, Hashable {
    /// How long after the start of the effect.
    public var delay: Duration
    /// The action, encoded.
    public var action: Value
    /// How many reads came before it.
    public var readCount: Int

    package init(delay: Duration, action: Value, readCount: Int = 0) {
      self.delay = delay
      self.action = action
      self.readCount = readCount
    }
  }

  /// How a live run can end.
  public enum End: Sendable, Hashable {
    /// It came to its end.
    case finished
    /// It threw an error.
    case failed(message: String)
    /// It was stopped after as long, or as many emissions, as it was allowed: how it goes on is not
    /// known, so it stays in flight.
    case stopped(Limit)
  }

  /// Which of the two limits stopped it.
  public enum Limit: String, Sendable, Hashable, CaseIterable {
    /// It ran for as long as it may.
    case time
    /// It sent as much as it may.
    case emissions
  }

  package init(
    effect: Int, emissions: [Emission], end: End, duration: Duration, reads: [Read] = []
  ) {
    self.effect = effect
    self.emissions = emissions
    self.end = end
    self.duration = duration
    self.reads = reads
  }

  /// The answers for the branch's script. None comes before the branch has passed this step of its
  /// parent.
  public func edits(after step: Int) -> [Edit] {
    var told = 0
    func edit(_ outcome: EffectAnswer.Outcome, _ delay: Duration, _ readCount: Int) -> Edit {
      let count = min(max(readCount, told), reads.count)
      defer { told = count }
      return .answer(
        EffectAnswer(
          effect: effect, after: step, outcome: outcome,
          live: EffectAnswer.Live(delay: delay, reads: Array(reads[told..<count]))))
    }
    var edits = emissions.map { edit(.emit(action: $0.action), $0.delay, $0.readCount) }
    switch end {
    case .finished: edits.append(edit(.finish, duration, reads.count))
    case .failed(let message):
      edits.append(edit(.fail(message: message), duration, reads.count))
    case .stopped: break
    }
    return edits
  }
}

/// How far an effect may go that runs live.
public struct LiveLimits: Sendable, Hashable {
  /// How long it may run.
  public var time: Duration
  /// How many actions it may send.
  public var emissions: Int

  /// Ten seconds and a hundred actions, unless said otherwise.
  public init(time: Duration = .seconds(10), emissions: Int = 100) {
    self.time = time
    self.emissions = emissions
  }
}
