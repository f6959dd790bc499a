import ValueTree

/// The result of a branch's effect that ran live once: edits that make the branch repeat it.
public struct LiveRun: Sendable, Hashable {
  /// The effect's number in the branch.
  public var effect: EffectID
  /// The actions it sent, in order.
  public var emissions: [Emission]
  /// Its end, or the limit that stopped it.
  public var end: End
  /// The time from its start to its end.
  public var duration: Duration
  /// Its reads, in order.
  public var reads: [Read]

  /// An action that it sent.
  public struct Emission: Sendable, Hashable {
    /// The time since the effect's start.
    public var delay: Duration
    /// The encoded action.
    public var action: Value
    /// The number of reads before it.
    public var readCount: Int

    package init(delay: Duration, action: Value, readCount: Int = 0) {
      self.delay = delay
      self.action = action
      self.readCount = readCount
    }
  }

  /// The end of a live run.
  public enum End: Sendable, Hashable {
    /// The effect finished.
    case finished
    /// The effect threw an error.
    case failed(message: String)
    /// A limit stopped it: its further actions are unknown, so it stays in flight.
    case stopped(Limit)
  }

  /// The limit that stopped it.
  public enum Limit: String, Sendable, Hashable, CaseIterable {
    /// The time.
    case time
    /// The number of actions.
    case emissions
  }

  package init(
    effect: EffectID, emissions: [Emission], end: End, duration: Duration, reads: [Read] = []
  ) {
    self.effect = effect
    self.emissions = emissions
    self.end = end
    self.duration = duration
    self.reads = reads
  }

  /// The answers for the branch's script, after this step of its parent.
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

/// The limits of an effect that runs live.
public struct LiveLimits: Sendable, Hashable {
  /// The longest time.
  public var time: Duration
  /// The most actions.
  public var emissions: Int

  /// Creates limits, by default ten seconds and a hundred actions.
  public init(time: Duration = .seconds(10), emissions: Int = 100) {
    self.time = time
    self.emissions = emissions
  }

  /// For the answer to one question. Models take their time.
  package static let ofServices = LiveLimits(time: .seconds(60))
}
