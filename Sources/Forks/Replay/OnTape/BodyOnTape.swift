import Recorder
import SessionWords
import StoreCore
import ValueTree

/// An effect's event by the branch's clock, from running its body on the tape.
struct TapedEvent: Sendable {
  enum What: Sendable {
    case emits(Value, label: String)
    case ends(EffectEvent.Kind)
    case stops(String, Question?)
    /// Behind the end of the recording, where it may wait for an answer.
    case goesOn(Question?)
  }

  var time: Duration
  /// The start of its wait: of two simultaneous events the longer wait comes first. Nil if unknown.
  var since: Duration?
  var what: What
  var isDeed: Bool {
    switch what {
    case .emits, .ends: true
    case .stops, .goesOn: false
    }
  }

  /// The question that its effect waits for.
  var question: Question? {
    switch what {
    case .emits, .ends: nil
    case .stops(_, let question), .goesOn(let question): question
    }
  }

  var replacement: Value?
  var twin: Int?
  /// The reads of the effect since its event before.
  var asked: [OutsideRead] = []
}

/// Runs an effect's body on the tape alone: step by step, on the caller's thread, on a
/// simulated clock. So the result is deterministic.
///
/// `@unchecked Sendable`: only the body touches the events, on the caller's thread.
final class BodyOnTape: @unchecked Sendable {
  private let body: any EffectBody
  private let execution: TapeExecution
  private let executor: StageExecutor
  private let horizon: Duration
  private var events: [TapedEvent] = []
  private var isDone = false
  /// Its time is over, so its end says nothing.
  private var isClosed = false

  /// The work between two waits before an endless body is abandoned.
  private static var workLimit: Int { 100_000 }
  private static var emissionLimit: Int { 10_000 }

  /// An answer of the user counts from now on, even where it would have come earlier.
  init(
    _ body: any EffectBody, _ answers: TapeAnswers, from start: Duration, now: Duration,
    to horizon: Duration, asking question: Question? = nil
  ) {
    self.body = body
    executor = StageExecutor(waitsForMainActor: body.foreign != nil)
    self.horizon = horizon
    execution = TapeExecution(answers, at: start, now: now, on: executor, asking: question)
  }

  func perform() -> (events: [TapedEvent], liveCalls: [String]) {
    perform { drive(&$0) }
    return (events, execution.liveCalls)
  }

  /// What an effect did that was not over at the horizon.
  struct Waiting {
    var sent: [Value] = []
    var reads: [OutsideRead]
    /// The time of the last thing that it sent or read.
    var last: Duration
    var silences: [TapeAnswers.Silence]
  }

  /// Runs the body of such an effect. Nil if the tape does not tell what it did.
  func wait() -> (waiting: Waiting?, liveCalls: [String]) {
    perform {
      drive(&$0)
      guard case .goesOn? = events.last?.what else { return (nil, execution.liveCalls) }
      var waiting = Waiting(
        reads: events.flatMap(\.asked) + execution.takeReads(), last: .zero,
        silences: execution.silences(until: horizon))
      waiting.last = waiting.reads.compactMap(\.time).max() ?? .zero
      for event in events {
        guard case .emits(let action, _) = event.what else { continue }
        waiting.sent.append(action)
        waiting.last = max(waiting.last, event.time)
      }
      return (waiting, execution.liveCalls)
    }
  }

  /// Runs it up to its question, asks that for real, and waits for the answer; nil after a timeout.
  /// Ignores what the body does with the answer.
  func ask(
    atMost time: Duration, isCancelled: () -> Bool
  ) throws(TapeExecution.Obstacle) -> (outcome: Read.Outcome, took: Duration)? {
    let clock = body.dependencies.continuousClock.stopwatch()
    let deadline = ContinuousClock.now + time
    var begun: Duration?
    return try perform { (limit) throws(TapeExecution.Obstacle) in
      while true {
        guard executor.run(limit: &limit) else {
          throw TapeExecution.Obstacle(words: "does not come to an end")
        }
        let (isAsking, heard) = execution.question
        if let heard { return (heard, max(.zero, clock() - (begun ?? clock()))) }
        if isAsking {
          begun = begun ?? clock()
          if isCancelled() || ContinuousClock.now > deadline { return nil }
          executor.wait(.milliseconds(20))
        } else if let obstacle = execution.known {
          throw obstacle
        } else if execution.nextDue == nil || isDone {
          throw TapeExecution.Obstacle(words: "does not ask it")
        } else {
          execution.wakeNext()
        }
      }
    }
  }

  private func perform<Result, Failure: Error>(
    _ drive: (inout Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var changed = body
    changed.dependencies.issueReporter = IssueReporter { [execution] in
      execution.stop("says: \($0.message)")
    }
    let body = changed
    let task = Task(executorPreference: executor) { [execution] in
      let end = await TapeContext.with(execution) {
        await body.perform { self.recordEmission($0) }
      }
      self.finish(end)
    }
    var limit = Self.workLimit
    defer {
      isClosed = true
      execution.close()
      task.cancel()
      _ = executor.run(limit: &limit)
      if !isDone { _ = Unmanaged.passRetained(executor) }
    }
    return try drive(&limit)
  }

  private func drive(_ limit: inout Int) {
    while true {
      guard executor.run(limit: &limit) else { return stop("does not come to an end") }
      if executor.isLeft { return stop("does something that is not on tape") }
      if let obstacle = execution.known { return stop(obstacle.words, obstacle.question) }
      if isDone { return }
      guard let due = execution.nextDue else {
        return stop("waits for something that is not on tape")
      }
      guard due <= horizon else { return goOn() }
      guard events.count < Self.emissionLimit else { return stop("sends too much") }
      execution.wakeNext()
    }
  }

  private func stop(_ words: String, _ question: Question? = nil) {
    events.removeAll { if case .ends = $0.what { true } else { false } }
    record(.stops(words, question))
    isDone = false
  }

  private func goOn() {
    let behind = horizon + .nanoseconds(1)
    let question = execution.silences(until: horizon).first?.question
    events.append(TapedEvent(time: behind, since: execution.since, what: .goesOn(question)))
  }

  private func record(_ what: TapedEvent.What) {
    events.append(
      TapedEvent(
        time: execution.now, since: execution.since, what: what, asked: execution.takeReads()))
  }

  private func recordEmission(_ action: any MachineAction) {
    guard execution.known == nil, !executor.isLeft, !isDone else { return }
    do {
      record(.emits(try action.value(), label: action.label))
    } catch {
      execution.stop("sends what cannot be encoded: \(error)")
    }
  }

  private func finish(_ end: LiveRun.End) {
    guard execution.known == nil, !executor.isLeft else { return }
    isDone = true
    guard !isClosed else { return }
    switch end {
    case .finished, .stopped: record(.ends(.finished))
    case .failed(let message): record(.ends(.failed(message)))
    }
  }
}
