import HostProtocol
import Replay
import SessionFile
import SessionImports
import SessionWords
import ValueTree

struct HostWorker<State: Codable & Sendable, Action: Codable & Sendable> {
  let setup: ReplaySetup<State, Action>
  let greeting: HostGreeting
  let writer: HostWriter
  let queue: RequestQueue
  private(set) var replay: SessionReplay<State, Action>?
  private(set) var reader: SessionReader?

  mutating func run() {
    while let request = queue.next() {
      CrashReporter.page.set(step: 0)
      CrashReporter.page.set(request: request.id)
      let content: HostMessage.Content
      do {
        content = .answer(try answerAnew(request))
      } catch {
        content = .refusal(HostRefusal(error))
      }
      writer.say(request.id, content)
      CrashReporter.page.set(request: 0)
      useIdleTime()
    }
  }

  /// Prepares the session in idle time, so that its first run is as fast as the second.
  private func useIdleTime() {
    guard let replay else { return }
    while queue.isIdle, (try? replay.decodeAhead()) == true {}
  }

  /// Where the process of the reducer was started anew, all that is kept of the session is of no use: it is
  /// run from its beginning, and told from where it was told.
  private mutating func answerAnew(_ request: HostRequest) throws -> HostAnswer {
    var told = Int.min
    while true {
      do {
        if setup.remote?.hasLostStates == true, let reader {
          replay = try SessionReplay(reader, setup, from: start(of: reader))
        }
        return try answer(request, &told)
      } catch is RunRestart {}
    }
  }

  /// Nil where it is the recorded one.
  private func start(of reader: SessionReader) throws -> State? {
    guard case .replay = reader.header.capability else { return nil }
    setup.remote?.hasLostStates = false
    return try setup.makeStart?(reader)
  }

  private mutating func answer(_ request: HostRequest, _ told: inout Int) throws -> HostAnswer {
    let control = control(request.id)
    if let branch = request.ask.branch { replay?.ends = branch.ends }
    switch request.ask {
    case .greet: return .greeting(greeting)
    case .load(let path):
      (replay, reader) = (nil, nil)
      var told = 0
      let reader = try SessionOpener.standard.open(path) { share in
        if control.isCancelled() { throw ReplayError.cancelled }
        guard Int(share * 1000) > told else { return }
        told = Int(share * 1000)
        control.progress(told, 1000)
      }
      let start = try start(of: reader)
      var report = try LoadCheck<State, Action>(reader, setup.upgrade, start: start).report(control)
      if report.grade != .impossible {
        let replay = try SessionReplay(reader, setup, from: start)
        if CrashReporter.page.comparesNothing { replay.compareNothing() }
        (self.replay, self.reader) = (replay, reader)
        report.remarks = setup.differences(
          fromTape: reader.tape, registered: reader.header.tape)
      }
      (report.notes, report.files) = (setup.remote?.notes ?? [], setup.remote?.files ?? [])
      return .loaded(report)
    case .run(let run):
      let before = told
      var newest = told
      defer { told = newest }
      return .ran(
        try loaded().run(
          run.branch.branches.map(\.script), from: run.from, until: run.until, control: control
        ) { [writer] step in
          guard step.step.number > before else { return }
          newest = step.step.number
          writer.say(request.id, .news(.step(step)))
        })
    case .state(let branch, let step):
      return .state(
        try loaded().state(of: branch.branches.map(\.script), after: step, control: control))
    case .verify(let options):
      return .verified(try loaded().verify(options, control: control))
    case .source(let branch, let steps, let unfinished):
      return .source(try source(of: branch, steps, unfinished, control))
    case .live(let live):
      guard greeting.runsLive else {
        throw HostRefusal(.unknownRequest, "this host does not run effects live")
      }
      let scripts = live.branch.branches.map(\.script)
      if let question = live.question {
        return .live(
          try loaded().askLive(
            question, of: live.effect, in: scripts, limits: live.limits, control: control))
      }
      return .live(
        try loaded().runLive(
          effect: live.effect, of: scripts, limits: live.limits, control: control))
    case .check(let check): return .checked(try problem(with: check, control))
    case .actions:
      return .actions(
        DecodingExamples<Action>.all().map { example in
          example.subject.flatMap { try? ValueEncoder().encode($0) } ?? example.value
        })
    case .whereabouts, .cancel, .quit: return .done
    }
  }

  private func problem(
    with check: ValueCheck, _ control: RunControl
  ) throws -> ValueProblem? {
    switch check {
    case .action(let action): return ValueProblem(of: action, as: Action.self)
    case .part(let pointer, let value, let step, let branch):
      let scripts = branch.branches.map(\.script)
      let state = try loaded().state(of: scripts, after: step, control: control)
      let patch = Patch([.replace(pointer, value)])
      return ValueProblem(of: try patch.applied(to: state), as: State.self)
    }
  }

  private func source(
    of branch: BranchPath, _ steps: ClosedRange<Int>, _ unfinished: Value?, _ control: RunControl
  ) throws -> StepSource {
    guard setup.remote == nil else {
      throw HostRefusal(.unknownRequest, "this host writes no source")
    }
    let replay = try loaded()
    let scripts = branch.branches.map(\.script)
    var writer = try SourceWriter<State, Action>(
      setup.reducerType,
      before: replay.state(
        of: scripts, after: steps.lowerBound - 1, control: control))
    let last = steps.upperBound - (unfinished == nil ? 0 : 1)
    if last >= steps.lowerBound {
      for step in try replay.told(
        steps.lowerBound...last, of: scripts, isWhole: unfinished == nil, control)
      { try writer.add(step) }
    }
    if let action = unfinished {
      let step = Step(number: steps.upperBound, label: "", action: action)
      try writer.add(BranchStep(step: step, standing: Standing(.recorded, .crashed)))
    }
    return writer.source
  }

  private func loaded() throws(HostRefusal) -> SessionReplay<State, Action> {
    guard let replay else {
      throw HostRefusal(.noSession, "no session is loaded that can be run again")
    }
    return replay
  }

  private func control(_ id: Int) -> RunControl {
    var control = RunControl()
    control.isCancelled = { [queue] in queue.isCancelled(id) }
    control.progress = { [writer] done, total in
      // A fork of a fork may have more steps than the recording.
      writer.say(id, .news(.progress(done: max(0, min(done, total)), of: total)))
    }
    control.stepBegins = { CrashReporter.page.set(step: $0) }
    control.stepBeginsBeside = { CrashReporter.page.set(stepBeside: $0) }
    control.parentBegins = { CrashReporter.page.set(parent: $0) }
    return control
  }
}

extension BranchPath {
  fileprivate var ends: [[Script]: Int] {
    var ends: [[Script]: Int] = [:]
    for (index, branch) in branches.enumerated() {
      if let end = branch.endsAt { ends[branches[...index].map(\.script)] = end }
    }
    return ends
  }
}

extension HostRefusal {
  init(_ error: any Error) {
    switch error {
    case let error as HostRefusal: self = error
    case let error as ReplayError:
      switch error {
      case .cancelled: self.init(.cancelled, error.sentence)
      case .noSuchStep, .editOutside, .effectDoesNotRun:
        self.init(.noSuchStep, error.sentence)
      case .stateDoesNotDecode, .actionDoesNotDecode, .stateUnknown:
        self.init(.undecodable, error.sentence)
      case .browseOnly: self.init(.noSession, error.sentence)
      default: self.init(.other, error.sentence)
      }
    case let error as BranchReport.Ending:
      self.init(.other, "the branch ends before step \(error.step): \(error.reason)")
    case let error as SessionError: self.init(.unreadable, error.sentence)
    default: self.init(.other, "\(error)")
    }
  }
}
