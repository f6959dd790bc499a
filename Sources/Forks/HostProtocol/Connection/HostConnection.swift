import Platform
import SessionFile
import SessionWords
import ValueTree

/// The debugger's side of the protocol: starts a host, asks it, and survives its end. The next
/// request starts an ended host again, with the same session.
///
/// ```swift
/// let host = HostConnection(HostCommand("./AppHost"))
/// try await host.load("cart.retcon")
/// let script = Script(leavesAt: 812, edits: [.skip(step: 813)])
/// let report = try await host.run(RunRequest(branch: BranchPath("no coupon", script))) {
///   print($0.step.label, $0.standing)
/// }
/// ```
package final class HostConnection: Sendable {
  package let command: HostCommand
  package let limits: HostLimits
  let redaction: Redaction
  let engine: Engine?
  let state: Locked<State>

  /// Makes what runs sessions with a host that only reduces.
  package typealias Engine =
    @Sendable (HostPipes, HostGreeting, @escaping HostPipes.Report) -> any HostEngine

  struct State: Sendable {
    var channel: HostChannel?
    /// Another process of the host, for results that two must share.
    var other: HostConnection?
    var opening: Task<HostFailure?, Never>?
    var greeting: HostGreeting?
    var loading: Task<Result<LoadReport, HostFailure>, Never>?
    var path: String?
    /// The file of a session that it loads before the next question about it.
    var unloaded: String?
    var session: SessionReader?
    var lastSteps: [BranchPath: Int] = [:]
    var stepsOfHost = Int.max
    var growth: Task<HostFailure?, Never>?
    var ends: [BranchPath: Int] = [:]
    var life = HostPhase.unused
    var files: HostBuild?
    var loaded: [String] = []
    var notes: [String] = []
    var build = 0
    /// The file of the session whose states this build has computed.
    var computed: (path: String, build: Int)?
    var lookedAt: HostBuild?
    var told: HostBuild?
    var trouble: HostTrouble?
    var onChange: (@Sendable () -> Void)?
    var changes = 0

    mutating func use(_ session: SessionReader?) {
      (path, unloaded, self.session) = (nil, nil, session)
      stepsOfHost = session?.steps.upperBound ?? .max
      (lastSteps, ends) = ([:], [:])
    }
  }

  /// A `redaction` hides parts of the host's messages from everyone.
  package init(
    _ command: HostCommand, limits: HostLimits = HostLimits(), redaction: Redaction = Redaction(),
    engine: Engine? = nil
  ) {
    (self.command, self.limits, self.redaction) = (command, limits, redaction)
    (self.engine, state) = (engine, Locked(State()))
  }

  /// Another process of the same host, which starts with its first question.
  package func copy() -> HostConnection {
    HostConnection(command, limits: limits, redaction: redaction, engine: engine)
  }

  deinit { state.withLock { $0.channel }?.send(.quit) }

  /// The host's greeting; nil before the first request and after its end.
  package var greeting: HostGreeting? {
    state.withLock { state in
      if case .ready(let greeting) = state.life, state.channel?.isOver == false {
        greeting
      } else {
        nil
      }
    }
  }

  package var name: String {
    state.withLock { $0.greeting?.name }
      ?? command.program.split(separator: "/").last.map(String.init) ?? command.program
  }

  package var report: [String] {
    let (life, greeting, trouble, notes) = state.withLock {
      ($0.life, $0.greeting, $0.trouble, $0.notes)
    }
    var lines = ["Started by: \(command.text)"]
    switch life {
    case .unused: lines.append("It has not been asked anything yet.")
    case .starting: lines.append("It is starting.")
    case .ready: lines.append("It is running.")
    case .ended: lines.append("It has ended; the next fork starts it again.")
    }
    if let greeting {
      lines.append("\(greeting.name) speaks version \(greeting.version) of the protocol.")
      let types = [("State", greeting.stateType), ("Actions", greeting.actionType)]
      lines += types.filter { !$0.1.isEmpty }.map { "\($0): \($1)" }
      if !greeting.seesEffects { lines.append("It does not track effects.") }
    }
    lines += notes
    if let trouble {
      lines += ["", "The last failure:"] + trouble.lines
    }
    return lines
  }

  /// A number for each build of the host. Answers of different builds must not be mixed.
  package var build: Int { state.withLock { $0.build } }

  /// Whether the host's files have changed since its start, and are complete. Call it now and then;
  /// true once for each build.
  package func isNewlyRebuilt() -> Bool {
    let now = HostBuild(command, state.withLock { $0.loaded })
    return state.withLock { state in
      defer { state.lookedAt = now }
      guard let files = state.files, now != files, now.isWhole(as: files), state.lookedAt == now,
        state.told != now
      else { return false }
      state.told = now
      return true
    }
  }

  package var life: HostPhase { state.withLock { $0.life } }

  package var trouble: HostTrouble? { state.withLock { $0.trouble } }

  /// Whether the app's middleware may send actions in a fork that this host does not.
  package var runsReducerAlone: Bool {
    state.withLock { state in
      state.greeting?.seesEffects == false && state.session?.header.mayHaveMiddleware != false
    }
  }

  /// Calls back on each change of ``life`` or ``trouble``, on any thread.
  package func onChange(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.onChange = work }
  }

  /// How often ``life`` or ``trouble`` may have changed.
  package var changes: Int { state.withLock { $0.changes } }

  func change(_ work: (inout State) -> Void) {
    state.withLock { state in
      state.changes += 1
      work(&state)
      return state.onChange
    }?()
  }

  package func start() async throws(HostFailure) { _ = try await living() }

  /// Runs a branch and reports its steps in order. Calls `onStep` on a thread of the connection, so
  /// it should return soon.
  package func run(
    _ request: RunRequest, onStep: @escaping @Sendable (BranchStep) -> Void = { _ in }
  ) async throws(HostFailure) -> BranchReport {
    let first = state.withLock { $0.session?.steps.lowerBound } ?? 0
    let lastStep = Locked<Int>(max(0, (request.firstTold(first) ?? 1) - 1))
    let unseen = Locked<UnseenEffects?>(nil)
    do throws(HostFailure) {
      let channel = try await loaded()
      let (greeting, header) = state.withLock { ($0.greeting, $0.session?.header) }
      unseen.withLock {
        $0 = UnseenEffects(
          request, seesEffects: greeting?.seesEffects ?? true,
          knowsCauses: header?.knowsCauses ?? true, mayMiss: header?.mayHaveMiddleware ?? true)
      }
      let answer = try await ask(.run(request), channel) { news in
        // A host that was started again tells it once more.
        guard case .step(var step) = news,
          lastStep.withLock({ exchange(&$0, with: max($0, step.step.number)) < step.step.number })
        else { return }
        if greeting?.version.hasSetLabels == true { step.step.readSetFromLabel() }
        onStep(unseen.withLock { $0?.judged(step) } ?? step)
      }
      guard case .ran(let report) = answer else { throw unexpected(answer) }
      let judged = unseen.withLock { $0?.judged(report) } ?? report
      remember(judged, of: request)
      return judged
    } catch {
      let last = lastStep.withLock { $0 }
      guard let ending = error.ending(after: last) else { throw error }
      return BranchReport(lastStep: last, ending: ending)
    }
  }

  package func state(of branch: BranchPath, after step: Int) async throws(HostFailure) -> Value {
    let isToBlame = Locked(false)
    // A fork has run on the steps that the host has.
    let isOfMain = branch.branches.isEmpty
    let question: @Sendable () async throws(HostFailure) -> HostAnswer = {
      () throws(HostFailure) in
      let channel = try await self.loaded(grown: isOfMain)
      return try await self.ask(.state(branch: branch, step: step), channel) { news in
        if case .dying = news { isToBlame.withLock { $0 = true } }
      }
    }
    let answer: HostAnswer
    do throws(HostFailure) {
      answer = try await question()
    } catch {
      // A request that waited behind a crashing one is repeated.
      guard case .died = error, !isToBlame.withLock({ $0 }) else { throw error }
      answer = try await question()
    }
    guard case .state(let state) = answer else { throw unexpected(answer) }
    return state
  }

  /// Runs one effect of a branch live, once, with its real side effects. Only at the user's
  /// request; ``LiveRun/edits(after:)`` makes the answer permanent.
  package func runLive(_ request: LiveRequest) async throws(HostFailure) -> LiveRun {
    let answer = try await ask(.live(request), loaded())
    guard case .live(let run) = answer else { throw unexpected(answer) }
    return run
  }

  /// Kills the host. The next request starts it again.
  package func restart() { letGo()?.kill() }

  /// Asks the host to quit, and kills it after half a second. A host also ends when the debugger is
  /// gone.
  package func close() {
    state.withLock { $0.other.take() }?.close()
    letGo()?.send(.quit)
  }

  /// The same; returns when the process and its group are gone.
  package func end() {
    let channel = letGo()
    channel?.send(.quit)
    state.withLock { $0.other.take() }?.end()
    channel?.waitForEnd()
  }

  private func letGo() -> HostChannel? {
    state.withLock { state in
      if case .ended = state.life {} else { state.life = .unused }
      return state.channel.take()
    }
  }

  // MARK: Asking

  func ask(
    _ ask: HostRequest.Ask, _ channel: HostChannel,
    listener: @escaping HostChannel.Listener = { _ in }
  ) async throws(HostFailure) -> HostAnswer {
    do throws(HostFailure) {
      return try await channel.ask(
        ask, ends: ends(of: ask), facts: facts(for: ask), listener: listener)
    } catch {
      if case .refused = error { change { $0.trouble = HostTrouble(failure: error) } }
      guard runsLess(than: channel, ask) else { throw error }
      return try await self.ask(ask, loaded(), listener: listener)
    }
  }

  private func facts(for ask: HostRequest.Ask) -> SessionFacts {
    let (session, lastSteps) = state.withLock { ($0.session, $0.lastSteps) }
    var facts = SessionFacts()
    guard let session else { return facts }
    let steps = session.steps
    facts.steps = steps
    if session.isFinished { facts.count = session.stepCount }
    facts.state = { try? session.state(after: $0) }
    guard case .run(let run) = ask else { return facts }
    let parent = BranchPath(Array(run.branch.branches.dropLast()))
    let last = parent.branches.isEmpty ? steps.upperBound : lastSteps[parent]
    facts.parentSteps =
      steps.lowerBound...max(steps.lowerBound, last ?? steps.upperBound + HostLimits.ownSteps)
    return facts
  }

  private func remember(_ report: BranchReport, of request: RunRequest) {
    guard request.until == nil else { return }
    state.withLock { state in
      var last = report.lastStep
      if let rejoining = report.rejoining {
        let parent = BranchPath(Array(request.branch.branches.dropLast()))
        let parentLast =
          parent.branches.isEmpty ? state.session?.steps.upperBound : state.lastSteps[parent]
        // Then only the limits bound the steps of its forks.
        guard let parentLast else { return }
        last += max(0, parentLast - rejoining.parentStep)
      }
      state.lastSteps[request.branch] = last
    }
  }

  func loaded(grown: Bool = true) async throws(HostFailure) -> HostChannel {
    let loading = state.withLock { state in
      if let path = state.unloaded.take() { state.loading = Task { await self.loading(path) } }
      return state.loading
    }
    if let loading { _ = await loading.value }
    guard !Task.isCancelled else { throw .cancelled }
    let channel = try await living()
    return grown ? try await takingGrowth(channel) : channel
  }

  func living() async throws(HostFailure) -> HostChannel {
    let started: (channel: HostChannel, opening: Task<HostFailure?, Never>)
    do throws(HostFailure) {
      started = try state.withLock {
        state throws(HostFailure) -> (HostChannel, Task<HostFailure?, Never>) in
        if let channel = state.channel, !channel.isOver, let opening = state.opening {
          return (channel, opening)
        }
        let files = HostBuild(command, state.loaded)
        if let old = state.files, old != files {
          (state.build, state.ends) = (state.build + 1, [:])
        }
        let hasCrashed = state.ends[.main] != nil
        let channel = try HostChannel(
          command, limits: limits, redaction: redaction, comparesNothing: hasCrashed, engine: engine
        ) { [weak self] in self?.ended($0) }
        state.files = files
        let path = state.path
        let opening = Task { await self.open(channel, path: path) }
        state.channel = channel
        state.opening = opening
        return (channel, opening)
      }
    } catch {
      ended(HostTrouble(failure: error))
      throw error
    }
    if let failure = await started.opening.value { throw failure }
    return started.channel
  }

  /// Greets the host and gives it the session.
  private func open(_ channel: HostChannel, path: String?) async -> HostFailure? {
    change { $0.life = .starting }
    do throws(HostFailure) {
      let answer = try await channel.ask(.greet(debugger: "retcon"))
      guard case .greeting(let greeting) = answer else { throw unexpected(answer) }
      guard greeting.version.major == ProtocolVersion.current.major else {
        channel.kill()
        throw .incompatible(greeting.version)
      }
      state.withLock { $0.greeting = greeting }
      if let path { _ = try await ask(.load(path: path), channel) }
      change { state in
        // Until it has the session, it is not ready.
        guard state.channel === channel, !channel.isOver, path != nil || state.loading == nil else {
          return
        }
        state.life = .ready(greeting)
      }
      return nil
    } catch {
      change { state in
        guard state.channel === channel else { return }
        state.life = .ended(error)
        if state.trouble?.failure != error { state.trouble = HostTrouble(failure: error) }
      }
      return error
    }
  }

  private func ended(_ trouble: HostTrouble) {
    change { state in
      // A requested end does not count as a failure.
      guard trouble.failure != .cancelled else { return }
      // An engine goes on after a step that ended its host.
      if state.channel?.isOver != false { state.life = .ended(trouble.failure) }
      state.trouble = trouble
    }
  }

  func unexpected(_ answer: HostAnswer) -> HostFailure {
    .misspoke("an answer to another question (\(HostMessage(id: 0, .answer(answer)).value.text()))")
  }
}
