import HostProtocol
import Platform
import SessionWords
import ValueTree

/// The process with the user's reducer, as forks need it.
package protocol BranchHost: Sendable {
  var name: String { get }
  /// Runs a branch and reports its own steps in order. Returns when the branch has ended for any
  /// reason; cancelling the task stops it.
  func run(
    _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport
  func state(of branch: BranchPath, after step: Int) async throws -> Value
  func source(
    of branch: BranchPath, _ steps: ClosedRange<Int>, unfinished: Value?
  ) async throws -> StepSource
  func verdict(on check: ValueCheck) async throws -> ValueVerdict
  func exampleActions() async throws -> [Value]
  /// Runs an effect for real, or only its current question.
  func runLive(_ request: LiveRequest) async throws -> LiveRun
  var build: Int { get }
  /// Whether the app may send actions that this host does not.
  var runsReducerAlone: Bool { get }
  /// Ends it, and all that runs in it. The next request starts it again.
  func restart()
  /// Another process with the same reducer and session.
  func another() async -> any BranchHost
  /// Restarts an ended host early, so that nothing waits for it later.
  func revive() async throws
}

extension BranchHost {
  package var runsReducerAlone: Bool { false }

  package func steps(
    of branch: BranchPath, from step: Int
  ) async throws -> (told: [BranchStep], report: BranchReport) {
    let told = Locked<[BranchStep]>([])
    let report = try await run(branch, from: step) { step in told.withLock { $0.append(step) } }
    return (told.withLock { $0 }, report)
  }
}

extension HostConnection: BranchHost {
  package func revive() async throws { try await start() }

  /// Starts with its first question, and ends when it is let go.
  package func another() async -> any BranchHost {
    let other = copy()
    await copySession(to: other)
    return other
  }

  package func run(
    _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport {
    try await run(RunRequest(branch: branch, from: step), onStep: onStep)
  }
}

extension OpenSession {
  package func path(to branch: BranchID) -> BranchPath { table.withLock { $0.path(to: branch) } }

  package func fork(_ id: BranchID, _ script: Script) throws(Trouble) -> AsyncStream<Branch> {
    try runFork(try addFork(id, script).id)
  }

  /// Runs a fork, and reports its growth (newest news only), then the result. To stop the run, stop
  /// listening.
  package func runFork(_ id: BranchID) throws(Trouble) -> AsyncStream<Branch> {
    let host = try host(or: "a fork needs the app's reducer")
    guard let script = branch(id)?.script else { throw noFork(id) }
    // Without them, effects that end on the fork only lack a start.
    let inFlight =
      (try? effects(in: script.leavesAt...script.leavesAt, of: script.parent)) ?? []
    let started = table.withLock { table -> (BranchPath, Int)? in
      table.begin(id, inFlight: inFlight).map { (table.path(to: id), $0) }
    }
    guard let (path, number) = started else { throw noFork(id) }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { news in
      let work = Task(executorPreference: threads) {
        await self.run(id, path, from: script.leavesAt + 1, number, on: host, news)
      }
      news.onTermination = { if case .cancelled = $0 { work.cancel() } }
    }
  }

  /// Runs a fork, after those that it leaves, unless they have run. Reports how they grow.
  package func runWithParents(
    _ id: BranchID, news: @Sendable (Branch) async -> Void = { _ in }
  ) async throws {
    for fork in path(to: id).branches.map(\.id) where branch(fork)?.isNotRun == true {
      for await branch in try runFork(fork) { await news(branch) }
      try Task.checkCancellation()
    }
  }

  private func run(
    _ id: BranchID, _ path: BranchPath, from step: Int, _ number: Int, on host: any BranchHost,
    _ news: AsyncStream<Branch>.Continuation
  ) async {
    do {
      let report = try await host.run(path, from: step) { [table] step in
        let step = self.withRequests(step, of: path.branches.last?.script)
        let branch = table.withLock { table in
          table.append(step, to: id, run: number)
          return table[id]
        }
        if let branch { news.yield(branch) }
      }
      let coming = report.ending == nil ? nil : comingStep(of: id)
      table.withLock { $0.finish(id, report, run: number, build: host.build, in: coming) }
      await findFirstDifference(of: id, run: number)
    } catch {
      let ending: Branch.Progress =
        Task.isCancelled ? .stopped : .ended(Trouble.sentence(for: error))
      table.withLock { $0.update(id, run: number) { $0.progress = ending } }
    }
    if let branch = table.withLock({ $0[id] }) { news.yield(branch) }
    news.finish()
  }

  /// The host of a foreign session tells no effects: its requests begin and end as in the parent.
  private func withRequests(_ step: BranchStep, of script: Script?) -> BranchStep {
    guard summary.isForeign, let script, !step.step.isSkipped, step.effects.isEmpty,
      let from = step.descendsFrom.map({ Position(branch: script.parent, step: $0) }),
      let events = try? events(after: from), !events.isEmpty
    else { return step }
    let label = (try? self.step(at: from))?.step.label
    let isReplaced = script.replaces(from.step)
    var step = step
    step.effects = events.compactMap { event in
      var event = event
      event.step = step.step.number
      event.time = step.step.time
      if case .started(var origin) = event.kind {
        // Another action starts another request, or none.
        guard step.step.label == label else { return nil }
        origin.step = event.step
        event.kind = .started(origin)
      } else if isReplaced {
        event.kind = .finished
      }
      return event
    }
    return step
  }

  private func findFirstDifference(of id: BranchID, run: Int) async {
    guard let parent = branch(id)?.script?.parent,
      let found = try? await firstDifference(of: id, with: parent)
    else { return }
    table.withLock { $0.update(id, run: run) { $0.firstDifferent = found } }
  }
}

extension OpenSession {
  /// The effects in flight after a step, with the recorded answers for them and for similar ones.
  /// The host runs the branch to there.
  package func pendingEffects(at position: Position) async throws -> [PendingEffect] {
    try await host(or: "only a host can find the recorded answers")
      .run(ending(at: position), from: position.step + 1) { _ in }.pending
  }

  /// Asks a real service for the answer that an effect waits for, with all side effects. Only after
  /// the user confirmed.
  package func askLive(
    _ question: Question, of effect: EffectID, at position: Position
  ) async throws -> Reply {
    let run = try await host(or: "only a host can ask \(question.text)").runLive(
      LiveRequest(
        branch: ending(at: position), effect: effect, question: question, limits: .ofServices))
    guard let read = run.reads.first else {
      throw Trouble(
        "\(question.text) gave no answer within \(run.duration.decimalSeconds) s",
        next: "Ask it again, or type an answer")
    }
    return Reply(to: question, read.outcome, took: run.duration)
  }

  private func ending(at position: Position) -> BranchPath {
    var path = table.withLock { $0.path(to: position.branch) }
    let ending = Script(parent: position.branch, leavesAt: position.step, rest: .nothing)
    path.branches.append(NamedScript(id: "pending", script: ending))
    return path
  }

  /// The questions with arguments that an effect asked, in order.
  package func questions(of effect: EffectID) throws -> [Question] {
    try recording.reads(ofEffect: effect).map(\.read).filter { $0.arguments?.isEmpty == false }
      .map { Question($0) }
  }

  /// The recorded answers to questions with the same key, the nearest question first.
  package func replies(to question: Question) throws -> [RecordedReply] {
    let text = Array(question.text.utf8)
    func distance(_ reply: RecordedReply) -> Int {
      let other = Array(reply.question.text.utf8)
      let begin = zip(text, other).prefix { $0 == $1 }.count
      let rest = min(text.count, other.count) - begin
      let end = zip(text.reversed(), other.reversed()).prefix(rest).prefix { $0 == $1 }.count
      return max(text.count, other.count) - begin - end
    }
    // Of answers to equally near questions the last one comes first.
    return try replies(to: question.key).enumerated()
      .map { (distance: distance($1), index: $0, reply: $1) }
      .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }.map { $0.reply }
  }

  private func replies(to key: String) throws -> [RecordedReply] {
    var known: Set<Read.Outcome> = []
    var replies: [RecordedReply] = []
    for effect in try recording.effects(in: summary.steps).suffix(5_000).reversed() {
      for read in try recording.reads(ofEffect: effect.number).map(\.read).reversed()
      where read.key == key && !read.isCancelled && known.insert(read.outcome).inserted {
        replies.append(
          RecordedReply(
            step: effect.origin.step, question: Question(read), outcome: read.outcome))
      }
      if replies.count > 40 { break }
    }
    return replies
  }
}

package struct RecordedReply: Sendable, Hashable {
  package var step: Int
  package var question: Question
  package var outcome: Read.Outcome
}
