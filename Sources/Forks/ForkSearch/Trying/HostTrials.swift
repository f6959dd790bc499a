import HostProtocol
import Platform
import SessionWords
import TimeTravel
import ValueTree

/// Runs scripts on hosts that hold the same session, and checks the goal. The deciding step ends a
/// run.
package struct HostTrials: Sendable {
  package internal(set) var base: SearchedSession
  package let goal: Goal
  let hosts: [any BranchHost]
  private let path: BranchPath
  /// Leaves out all steps after the last: a step that ends the process is never reported.
  private var tail: [Edit]
  /// By question about earlier steps, the steps of the base where it holds.
  private let earlier = Locked<[[Int]]?>(nil)
  /// Whether today's reducer makes of the session what was recorded.
  private let isAsRecorded = Locked(true)

  package init(_ base: SearchedSession, _ goal: Goal, on hosts: [any BranchHost]) throws {
    self.base = base
    self.goal = goal
    self.hosts = hosts
    path = base.open.path(to: base.branch)
    if case .crash = goal { tail = try base.tail() } else { tail = [] }
  }

  package func baseVerdict() async throws -> Verdict {
    let host = hosts[0]
    let leaves = path.branches.map(\.script.leavesAt)
    let stretches = zip([base.first] + leaves, leaves + [base.last])
    let state = try await base.open.state(at: Position(step: base.first))
    let classifier = try await classifier(from: base.first, state)
    var report: BranchReport?
    for (depth, (from, upTo)) in stretches.enumerated()
    where !classifier.withLock({ $0.isDecided }) {
      let way = BranchPath(Array(path.branches.prefix(depth)))
      report = try await Self.run(way, from: from, on: host) { told in
        guard told.step.number <= upTo else { return true }
        if told.standing.outcome == .different { isAsRecorded.withLock { $0 = false } }
        return classifier.withLock { classifier in
          var told = told
          // A fork's own step numbers count, not its parent's.
          told.descendsFrom = told.step.number
          return classifier.hear(told)
        }
      }
    }
    if report?.rejoining != nil { return base.verdict }
    return try classifier.withLock { try verdict($0, report) }
  }

  /// Searches, and runs the session and what was found again: a reducer may remember the runs of a
  /// search. Throws where something else happens then. With a `memory`, goes on from an earlier
  /// search.
  package func found<Found: SearchResult>(
    budget: Trials.Budget = Trials.Budget(), isKnownOnly: Bool = false,
    memory: TrialMemory? = nil,
    told: @escaping @Sendable (_ runs: Int) async -> Void = { _ in },
    _ search: (Trials) async throws -> Found
  ) async throws -> Found {
    let topic = TrialMemory.Topic(
      goal: goal, build: hosts[0].build, branch: base.branch, last: base.last,
      end: base.open.branch(base.branch)?.steps.upperBound ?? base.last)
    let trials = Trials(
      lanes: hosts.count, budget: budget, isKnownOnly: isKnownOnly, told: told,
      triesWhole: whole?.tries, memory: memory,
      known: memory?.verdicts(about: topic) ?? TrialMemory.Verdicts()
    ) {
      try await tries($0, lane: $1)
    }
    var found = try await search(trials)
    do {
      return try await trials.inTime { [found] in try await checked(found) }
    } catch Trials.Stopped.time {
      found.isRunAgain = false
      return found
    }
  }

  private func checked<Found: SearchResult>(_ found: Found) async throws -> Found {
    guard try await baseVerdict().happens == base.verdict.happens else {
      throw Self.changing(
        "\(base.verdict.happens ? "it happens" : "the rule holds") in the session, but not")
    }
    var found = found
    try await found.runAgain(on: self)
    return found
  }

  /// The same for the session with the steps after the goal; nil if no goal can come there.
  package var whole: HostTrials? {
    switch goal {
    case .ends, .differs: return nil
    case .holds, .crash:
      guard let base = base.whole else { return nil }
      var whole = self
      (whole.base, whole.tail) = (base, [])
      return whole
    }
  }

  package func tries(_ script: Script, lane: Int) async throws -> Verdict {
    guard !isUnchanged(script) else { return base.verdict }
    var script = script
    script.edits += tail
    return try await verdict(on: script, lane: lane)
  }

  /// The verdict on a session of a search in a new process.
  func again(
    _ script: Script, as name: String, happens: Bool = true
  ) async throws -> (verdict: Verdict, isSame: Bool) {
    let used = try await verdict(on: script, lane: 0)
    hosts[0].restart()
    let verdict = try await verdict(on: script, lane: 0)
    // The next run finds no trace of the search.
    hosts[0].restart()
    guard verdict.happens == happens else {
      throw Self.changing("\(name) was found, but it \(happens ? "does not happen" : "happens")")
    }
    return (verdict, used.step == verdict.step && isSame(used.state, verdict.state))
  }

  private static func changing(_ what: String) -> Trouble {
    Trouble(
      "\(what) when that runs again",
      next: "Its reducer gives another result each time; retcon verify shows where")
  }

  func isUnchanged(_ script: Script) -> Bool {
    script.edits.isEmpty && script.leavesAt >= base.last
  }

  private func verdict(on script: Script, lane: Int) async throws -> Verdict {
    let leaves = Position(branch: base.branch, step: script.leavesAt)
    let state = try await base.open.state(at: leaves)
    let classifier = try await classifier(from: script.leavesAt, state)
    var scripts = path
    scripts.branches.append(NamedScript(id: "search", script: script))
    let shift = Locked<Int?>(nil)
    let lastEdit = script.edits.map(\.lastStep).max() ?? 0
    let report = try await Self.run(scripts, from: script.leavesAt, on: hosts[lane]) { told in
      if classifier.withLock({ $0.hear(told) }) { return true }
      guard let from = told.descendsFrom, from >= lastEdit, isRest(told, from) else { return false }
      shift.withLock { $0 = told.step.number - from }
      return true
    }
    if let shift = shift.withLock({ $0 }) {
      var verdict = base.verdict
      verdict.step += shift
      return verdict
    }
    if case .differs(let different) = goal, let meeting = report?.rejoining,
      meeting.parentStep < different.step
    {
      // The step is unchanged, so today's reducer takes it as before.
      var verdict = base.verdict
      verdict.step = different.step + meeting.step - meeting.parentStep
      return verdict
    }
    if let meeting = report?.rejoining, !classifier.withLock({ $0.isDecided }) {
      try await classifyRest(meeting, classifier)
    }
    return try classifier.withLock { try verdict($0, report) }
  }

  /// Whether the fork goes on as its parent, which ran as recorded: only the reducer runs, from the
  /// same state.
  private func isRest(_ told: BranchStep, _ from: Int) -> Bool {
    guard base.runsReducerAlone, isAsRecorded.withLock({ $0 }), base.verdict.happens,
      told.standing.outcome == .equal, from < base.verdict.step
    else { return false }
    return switch goal {
    case .holds(let question): question.isStateAlone
    case .ends, .differs: true
    case .crash: false
    }
  }

  /// The value of a place after a step of the parent, in a fork that runs no further.
  func value(of place: Pointer, after step: Int, in script: Script) async throws -> Value? {
    var scripts = path
    scripts.branches.append(NamedScript(id: "search", script: script))
    let first = try await base.open.state(
      at: Position(branch: base.branch, step: script.leavesAt))
    let state = Locked(first)
    _ = try await Self.run(scripts, from: script.leavesAt, on: hosts[0]) { told in
      state.withLock { state in
        guard let before = state, let patch = told.patch else { return }
        state = try? Patch(patch).applied(to: before)
      }
      return told.descendsFrom == step
    }
    return state.withLock { $0 }?[place]
  }

  private func classifier(
    from step: Int, _ state: Value?
  ) async throws -> Locked<StepClassifier> {
    var earlier = self.earlier.withLock { $0 } ?? []
    if earlier.isEmpty, case .holds(let question) = goal {
      for neighbour in question.condition.neighbours {
        var steps: [Int] = []
        try await base.open.find(
          StepQuestion(neighbour.condition), in: base.first...base.last, of: base.branch
        ) {
          steps.append($0)
          return true
        }
        earlier.append(steps)
      }
      self.earlier.withLock { [earlier] in $0 = earlier }
    }
    var (code, named): (CodeRun?, NamedRun?)
    if case .holds(let question) = goal {
      let origins = base.origins.mapValues(\.step)
      code = try await base.open.codeRun(question, after: step, of: base.branch, origins)
      named = try await base.open.namedRun(question, after: step, of: base.branch, origins)
    }
    return Locked(
      StepClassifier(
        goal, of: base, from: step, state: state,
        earlier: earlier.map { $0.filter { $0 <= step } }, code: code, named: named))
  }

  /// Maps steps of the base to their numbers in a fork.
  package func numbers(in script: Script) async throws -> [Int: Int] {
    let shared = stride(from: base.first, through: script.leavesAt, by: 1)
    var numbers = Dictionary(uniqueKeysWithValues: shared.map { ($0, $0) })
    var scripts = path
    scripts.branches.append(NamedScript(id: "search", script: script))
    let told = Locked<[Int: Int]>([:])
    let report = try await hosts[0].run(scripts, from: script.leavesAt + 1) { step in
      guard let from = step.descendsFrom else { return }
      told.withLock { $0[from] = step.step.number }
    }
    numbers.merge(told.withLock { $0 }) { $1 }
    if let meeting = report.rejoining {
      for step in stride(from: meeting.parentStep + 1, through: base.last, by: 1) {
        numbers[step] = step + meeting.step - meeting.parentStep
      }
    }
    return numbers
  }

  /// Follows a fork that has rejoined its parent, which continues like it.
  private func classifyRest(_ meeting: Rejoining, _ classifier: Locked<StepClassifier>) async throws
  {
    for number in stride(from: meeting.parentStep + 1, through: base.last, by: 1) {
      let position = Position(branch: base.branch, step: number)
      var told = try base.open.step(at: position)
      told.step.number += meeting.step - meeting.parentStep
      told.descendsFrom = number
      told.standing.assumptions = []
      if let before = try await base.open.state(
        at: Position(branch: base.branch, step: number - 1)),
        let after = try await base.open.state(at: position)
      {
        told.patch = Patch(from: before, to: after).value
      }
      let known = told
      if classifier.withLock({ $0.hear(known) }) { return }
    }
  }

  private func verdict(_ classifier: StepClassifier, _ report: BranchReport?) throws -> Verdict {
    var classifier = classifier
    _ = classifier.finish()
    if let failure = classifier.failure { throw failure }
    return base.checked(classifier.verdict(report))
  }

  static func run(
    _ path: BranchPath, from step: Int, on host: any BranchHost,
    until isEnough: @escaping @Sendable (BranchStep) -> Bool
  ) async throws -> BranchReport? {
    let state = Locked<(isOver: Bool, work: Task<BranchReport, any Error>?)>((false, nil))
    let work = Task {
      try await host.run(path, from: step + 1) { told in
        guard isEnough(told) else { return }
        state.withLock { state in
          state.isOver = true
          return state.work
        }?.cancel()
      }
    }
    let isOver = { state.withLock { $0.isOver } }
    state.withLock { $0.work = work }
    if isOver() { work.cancel() }
    do {
      let report = try await withTaskCancellationHandler {
        try await work.value
      } onCancel: {
        work.cancel()
      }
      return isOver() ? nil : report
    } catch {
      if isOver() { return nil }
      try Task.checkCancellation()
      // Today's types cannot read the payload, or an effect is missing: the goal is not reached.
      if case .refused(let refusal) = error as? HostFailure, refusal.kind != .noSession {
        return BranchReport(
          lastStep: step, ending: .init(step + 1, .undecodable, refusal.message))
      }
      throw error
    }
  }
}

extension Edit {
  /// The last step of the parent that it is about.
  fileprivate var lastStep: Int {
    let steps = [step, place].compactMap(\.self)
    return steps.max() ?? .max
  }
}
