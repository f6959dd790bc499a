import Platform
import SessionLog
import ValueTree

/// The debugger's half of the talk: starts a host, asks it, and survives its end.
///
/// A host that ended is started again by the next request, and is given the same session again.
///
/// ```swift
/// let host = HostConnection(HostCommand("./AppHost"))
/// try await host.load("cart.retcon")
/// let script = Script(leavesAt: 812, edits: [.skip(step: 813)])
/// let report = try await host.run(RunRequest(branch: BranchPath(name: "no coupon", script))) {
///   print($0.step.label, $0.standing)
/// }
/// ```
public final class HostConnection: Sendable {
  public let command: HostCommand
  /// How long a reducer may stay in one step, and a host may say nothing.
  public let patience: Duration
  private let lineLimit: Int
  private let state = Locked(State())

  private struct State: Sendable {
    var talk: HostTalk?
    /// Greets the host and gives it the session; nil when that went well.
    var opening: Task<HostFailure?, Never>?
    var greeting: HostGreeting?
    /// The session that is being given to the host, or was last.
    var loading: Task<Result<LoadReport, HostFailure>, Never>?
    var path: String?
    var lastEnd: HostFailure?
    var isClosed = false
  }

  public init(
    _ command: HostCommand, patience: Duration = .seconds(10), lineLimit: Int = 1 << 30
  ) {
    self.command = command
    self.patience = patience
    self.lineLimit = lineLimit
  }

  deinit { state.withLock { $0.talk }?.tell(.quit) }

  /// What the host said of itself, nil before the first request and after its end.
  public var greeting: HostGreeting? {
    state.withLock { state in state.talk?.isOver == false ? state.greeting : nil }
  }

  /// How the host ended the last time, nil while it lives.
  public var lastEnd: HostFailure? {
    state.withLock { state in state.talk?.end ?? state.lastEnd }
  }

  /// Starts the host, unless it runs.
  @discardableResult
  public func start() async throws(HostFailure) -> HostGreeting {
    _ = try await living()
    return state.withLock { $0.greeting } ?? HostGreeting(name: command.program)
  }

  @discardableResult
  public func load(
    _ path: String, progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws(HostFailure) -> LoadReport {
    let loading = state.withLock { state in
      state.path = nil
      let loading = Task { await self.loading(path, progress) }
      state.loading = loading
      return loading
    }
    return try await withTaskCancellationHandler {
      await loading.value
    } onCancel: {
      loading.cancel()
    }.get()
  }

  private func loading(
    _ path: String, _ progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void
  ) async -> Result<LoadReport, HostFailure> {
    do throws(HostFailure) {
      let talk = try await living()
      let answer = try await talk.ask(.load(path: path)) { news in
        if case .progress(let done, let total) = news { progress(done, total) }
      }
      guard case .loaded(let report) = answer else { throw unexpected(answer) }
      state.withLock { $0.path = path }
      return .success(report)
    } catch {
      return .failure(error)
    }
  }

  /// Runs a branch and tells its steps in order. `onStep` is called on a thread of the
  /// connection and should return soon.
  public func run(
    _ request: RunRequest, onStep: @escaping @Sendable (BranchStep) -> Void = { _ in }
  ) async throws(HostFailure) -> BranchReport {
    let lastStep = Locked<Int>(0)
    let dying = Locked<(step: Int, words: String)?>(nil)
    let unseen = Locked<UnseenEffects?>(nil)
    do throws(HostFailure) {
      let talk = try await loaded()
      if greeting?.seesEffects == false { unseen.withLock { $0 = UnseenEffects(request) } }
      let answer = try await talk.ask(.run(request)) { news in
        switch news {
        case .step(let step):
          lastStep.withLock { $0 = step.step.number }
          onStep(unseen.withLock { $0?.judged(step) } ?? step)
        case .dying(let step, let words): dying.withLock { $0 = (step, words) }
        case .progress, .divergence: break
        }
      }
      guard case .ran(let report) = answer else { throw unexpected(answer) }
      return unseen.withLock { $0?.judged(report) } ?? report
    } catch {
      let last = lastStep.withLock { $0 }
      let known = dying.withLock { $0 }
      switch error {
      case .died(let death):
        let words = death.lastWords.isEmpty ? death.exit.text : death.lastWords
        return BranchReport(
          lastStep: last,
          ending: .crashed(step: known?.step ?? death.step ?? last + 1, lastWords: words))
      case .timedOut(let step?):
        return BranchReport(lastStep: last, ending: .timedOut(step: step))
      default: throw error
      }
    }
  }

  /// The state of a branch after a step.
  public func state(
    of branch: BranchPath, after step: Int
  ) async throws(HostFailure) -> Value {
    let isToBlame = Locked(false)
    let ask: @Sendable () async throws(HostFailure) -> HostAnswer = { () throws(HostFailure) in
      try await self.loaded().ask(.state(branch: branch, step: step)) { news in
        if case .dying = news { isToBlame.withLock { $0 = true } }
      }
    }
    let answer: HostAnswer
    do throws(HostFailure) {
      answer = try await ask()
    } catch {
      // A question that waited behind a reducer that ended the process is asked again.
      guard case .died = error, !isToBlame.withLock({ $0 }) else { throw error }
      answer = try await ask()
    }
    guard case .state(let state) = answer else { throw unexpected(answer) }
    return state
  }

  /// Runs one effect of a branch live, once, with all that its dependencies do in the world. Only
  /// when the user asks for it; see ``LiveRun/edits(after:)`` for what to do with the answer.
  public func runLive(_ request: LiveRequest) async throws(HostFailure) -> LiveRun {
    let answer = try await loaded().ask(.live(request))
    guard case .live(let run) = answer else { throw unexpected(answer) }
    return run
  }

  /// Re-runs the recording and compares. A reducer that ends the process, or does not return, is a
  /// divergence of its own class.
  public func verify(
    _ options: VerifyOptions = VerifyOptions(),
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws(HostFailure) -> VerifyReport {
    let dying = Locked<Int?>(nil)
    do throws(HostFailure) {
      let answer = try await loaded().ask(.verify(options)) { news in
        switch news {
        case .progress(let done, let total): progress(done, total)
        case .dying(let step, _): dying.withLock { $0 = step }
        case .step, .divergence: break
        }
      }
      guard case .verified(let report) = answer else { throw unexpected(answer) }
      return try await tried(report, options)
    } catch {
      switch error {
      case .died(let death):
        guard let step = dying.withLock({ $0 }) else { throw error }
        let words = death.lastWords.isEmpty ? death.exit.text : death.lastWords
        return crashReport(step, words)
      case .timedOut(let step?): return crashReport(step, "the reducer did not return in time")
      default: throw error
      }
    }
  }

  /// The step that the app stopped in is run last: whoever runs it may not come back.
  private func tried(
    _ report: VerifyReport, _ options: VerifyOptions
  ) async throws(HostFailure) -> VerifyReport {
    guard var step = report.unfinished, report.divergences.count < options.limit else {
      return report
    }
    var report = report
    let words: String? =
      switch try await run(RunRequest(branch: .main, tells: .report, until: step.step)).ending {
      case .crashed(_, let words): words
      case .timedOut: "the reducer did not return in time"
      case .complete, .undecodable: nil
      }
    step.endsNow = words == nil
    report.unfinished = step
    if let words {
      report.divergences.append(
        Divergence(
          step: step.step, label: step.label, kind: .crash,
          hint: words))
    }
    return report
  }

  private func crashReport(_ step: Int, _ words: String) -> VerifyReport {
    let crash = Divergence(step: step, label: "", kind: .crash, hint: words)
    return VerifyReport(steps: step - 1, divergences: [crash], isPartial: true)
  }

  /// Ends the host, now. The next request starts it again.
  public func restart() {
    let talk = state.withLock { state in
      defer { state.talk = nil }
      return state.talk
    }
    talk?.kill()
  }

  /// Asks the host to end. It ends by itself, too, when the debugger is gone.
  public func close() {
    let talk = state.withLock { state in
      defer { state.talk = nil }
      return state.talk
    }
    talk?.tell(.quit)
  }

  /// The talk with a host that has the session: who asks while it is being loaded, waits for it.
  private func loaded() async throws(HostFailure) -> HostTalk {
    if let loading = state.withLock({ $0.loading }) { _ = await loading.value }
    guard !Task.isCancelled else { throw .cancelled }
    return try await living()
  }

  /// The talk with a running host that was greeted and has loaded the session.
  private func living() async throws(HostFailure) -> HostTalk {
    let (command, patience, lineLimit) = (command, patience, lineLimit)
    let (talk, opening) = try state.withLock {
      state throws(HostFailure) -> (HostTalk, Task<HostFailure?, Never>) in
      if let talk = state.talk, !talk.isOver, let opening = state.opening {
        return (talk, opening)
      }
      state.lastEnd = state.talk?.end
      let talk = try HostTalk(command, patience: patience, lineLimit: lineLimit)
      let path = state.path
      let opening = Task { await self.open(talk, path: path) }
      state.talk = talk
      state.opening = opening
      state.greeting = nil
      return (talk, opening)
    }
    if let failure = await opening.value { throw failure }
    return talk
  }

  private func open(_ talk: HostTalk, path: String?) async -> HostFailure? {
    do throws(HostFailure) {
      let answer = try await talk.ask(.greet(debugger: "retcon"))
      guard case .greeting(let greeting) = answer else { throw unexpected(answer) }
      guard greeting.version.major == ProtocolVersion.current.major else {
        talk.kill()
        throw .incompatible(greeting.version)
      }
      state.withLock { $0.greeting = greeting }
      if let path { _ = try await talk.ask(.load(path: path)) }
      return nil
    } catch {
      return error
    }
  }

  private func unexpected(_ answer: HostAnswer) -> HostFailure {
    .misspoke("an answer to another question (\(HostMessage(id: 0, .answer(answer)).value.text()))")
  }
}
