import HostProtocol
import Replay
import SessionFile
import SessionImports
import SessionWords
import ValueTree

/// Answers requests about sessions of a reducer, one at a time.
package struct HostWorker {
  let setup: any RunSetup
  let greeting: HostGreeting
  let queue: RequestQueue
  let page: StepPage?
  let say: @Sendable (Int, HostMessage.Content) -> Void
  private(set) var replay: SessionReplay?

  /// Writes on the page where it is, for whoever survives this process.
  package init(
    setup: any RunSetup, greeting: HostGreeting, queue: RequestQueue, page: StepPage? = nil,
    say: @escaping @Sendable (Int, HostMessage.Content) -> Void
  ) {
    (self.setup, self.greeting, self.queue) = (setup, greeting, queue)
    (self.page, self.say) = (page, say)
  }

  package mutating func run() {
    while let request = queue.next() {
      page?.set(step: 0)
      page?.set(request: request.id)
      let content: HostMessage.Content
      do {
        content = .answer(try answer(request))
      } catch {
        content = .refusal(HostRefusal(error))
      }
      say(request.id, content)
      page?.set(request: 0)
      useIdleTime()
    }
  }

  /// Prepares the session in idle time, so that its first run is as fast as the second.
  private func useIdleTime() {
    guard let replay else { return }
    while queue.isIdle, (try? replay.decodeAhead()) == true {}
  }

  private mutating func answer(_ request: HostRequest) throws -> HostAnswer {
    let control = control(request.id)
    if let branch = request.ask.branch { replay?.ends = branch.ends }
    switch request.ask {
    case .greet: return .greeting(greeting)
    case .load(let path, let isComputed):
      replay = nil
      var told = 0
      let reader = try SessionOpener.standard.open(path) { share in
        if control.isCancelled() { throw ReplayError.cancelled }
        guard Int(share * 1000) > told else { return }
        told = Int(share * 1000)
        control.progress(told, 1000)
      }
      var start: (any Machine)?
      if case .replay = reader.header.capability { start = try setup.start(of: reader) }
      var report = try LoadCheck(reader, setup, start: start).report(control)
      if report.grade != .impossible {
        replay = try SessionReplay(reader, setup, from: start)
        replay?.isComputed = isComputed
        if page?.comparesNothing == true { replay?.compareNothing() }
        report.remarks = setup.differences(
          fromTape: reader.tape, registered: reader.header.tape)
      }
      (report.notes, report.files, _) = setup.loaded
      return .loaded(report)
    case .run(let run):
      return .ran(
        try loaded().run(
          run.branch.branches.map(\.script), from: run.from, until: run.until, control: control
        ) { [say] in say(request.id, .news(.step($0))) })
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
      return .actions(setup.loaded.actions ?? examples(of: setup.actionType))
    case .whereabouts, .cancel, .quit: return .done
    }
  }

  private func examples<Action: Codable>(of _: Action.Type) -> [Value] {
    DecodingExamples<Action>.all().map { example in
      example.subject.flatMap { try? ValueEncoder().encode($0) } ?? example.value
    }
  }

  private func problem(
    with check: ValueCheck, _ control: RunControl
  ) throws -> ValueProblem? {
    switch check {
    case .action(let action): return ValueProblem(of: action, as: setup.actionType)
    case .part(let pointer, let value, let step, let branch):
      let scripts = branch.branches.map(\.script)
      let state = try loaded().state(of: scripts, after: step, control: control)
      let patch = Patch([.replace(pointer, value)])
      return ValueProblem(of: try patch.applied(to: state), as: setup.stateType)
    }
  }

  private func source(
    of branch: BranchPath, _ steps: ClosedRange<Int>, _ unfinished: Value?, _ control: RunControl
  ) throws -> StepSource {
    guard !setup.isRemote else {
      throw HostRefusal(.unknownRequest, "this host writes no source")
    }
    let replay = try loaded()
    let scripts = branch.branches.map(\.script)
    var writer = try SourceWriter(
      setup,
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

  private func loaded() throws(HostRefusal) -> SessionReplay {
    guard let replay else {
      throw HostRefusal(.noSession, "no session is loaded that can be run again")
    }
    return replay
  }

  private func control(_ id: Int) -> RunControl {
    var control = RunControl()
    control.isCancelled = { [queue] in queue.isCancelled(id) }
    control.progress = { [say] done, total in
      // A fork of a fork may have more steps than the recording.
      say(id, .news(.progress(done: max(0, min(done, total)), of: total)))
    }
    guard let page else { return control }
    control.stepBegins = { page.set(step: $0) }
    control.stepBeginsBeside = { page.set(stepBeside: $0) }
    control.parentBegins = { page.set(parent: $0) }
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
