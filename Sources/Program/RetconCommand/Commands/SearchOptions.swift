import ForkSearch
import HostProtocol
import Platform
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct SearchOptions: Sendable {
  let wanted: Wanted?
  var jobs = 2
  var runs = 10_000
  var time = Duration.seconds(600)
  var isKnownOnly = false
  /// Whether the time before the search counts, too.
  private var countsAll = false

  static let declarations = declarations(seconds: 600)

  static func declarations(seconds: Int) -> [Option] {
    [
      Option("until", value: "CONDITION", help: "search for a condition that holds after a step"),
      Option("rule", value: "CONDITION", help: "search for a rule that is broken"),
      Option("crash", help: "search for a crash, an error or a reducer that hangs"),
      Option("divergence", help: "search for a step where today's reducer differs"),
      Option("known", help: "accept only results that are certain"),
      Option("runs", value: "N", help: "the most scripts to run (10000)"),
      Option("time", value: "SECONDS", help: "the most seconds to search (\(seconds))"),
      Option("jobs", letter: "j", value: "N", help: "the number of hosts at a time (2)"),
    ]
  }

  init(_ wanted: Wanted, jobs: Int, runs: Int, time: Duration) {
    (self.wanted, self.jobs, self.runs, self.time) = (wanted, jobs, runs, time)
  }

  init(_ given: ParsedArguments, of asking: Asking, seconds: Int = 600) throws {
    var others: [Wanted] = given.has("crash") ? [.crash] : []
    if given.has("divergence") { others.append(.divergence) }
    try self.init(
      until: given.all("until"), rules: given.all("rule"), others: others, of: asking)
    jobs = try given.count("jobs") ?? jobs
    runs = try given.count("runs") ?? runs
    time = .seconds(try given.count("time") ?? seconds)
    isKnownOnly = given.has("known")
    countsAll = true
  }

  init(
    until: [String] = [], rules: [String] = [], others: [Wanted] = [], of asking: Asking? = nil
  ) throws {
    var wanted: [Wanted] = try until.map { .holds(try Self.question($0, asking)) }
    wanted += try rules.map { rule in
      .holds(try StepQuestion("!(\(try Self.question(rule, asking).condition.text))"))
    }
    wanted += others
    guard wanted.count < 2 else {
      throw UsageError(
        what: "a search needs one condition, and there are \(wanted.count)",
        next: "Join conditions with && or ||")
    }
    self.wanted = wanted.first
  }

  private static func question(_ text: String, _ asking: Asking?) throws -> StepQuestion {
    let question = try asking.map { try $0.question(text) } ?? StepQuestion(text)
    guard question.condition.neighbours.allSatisfy({ $0.direction == .before }) else {
      throw UsageError(
        what: "a search stops where the condition holds, so followedBy cannot look further",
        next: "Ask about the later step, with precededBy")
    }
    return question
  }

  func search(_ session: QueriedSession) async throws -> HostTrials {
    guard let wanted else {
      throw UsageError(
        what: "--until, --rule, --crash or --divergence is missing",
        next: "Write --until 'state.total < 0', --rule 'state.total >= 0', --crash or --divergence")
    }
    if case .holds(let question) = wanted {
      try await session.warn(aboutPlacesIn: question.condition)
    }
    let found = try await session.open.goal(
      wanted, in: try session.steps, of: session.branch.id,
      on: try await session.hosts(jobs))
    if let found {
      if try found.step < session.steps.lowerBound {
        session.context.tell("\(session.file): it first holds at step \(found.step)")
      }
      return try await search(session, upTo: found.step, found.goal)
    }
    if case .holds(let question) = wanted {
      throw UsageError(
        what: "\(question.condition.text) holds nowhere in \(session.text(session.here.step))",
        next: "retcon find says where a condition holds")
    }
    throw UsageError(
      what: wanted == .crash
        ? "no step crashes or hangs in the re-run" : "run again, all steps are as recorded",
      next: "Say what happens with --until or --rule")
  }

  func search(
    _ session: QueriedSession, upTo step: Int, _ goal: Goal
  ) async throws -> HostTrials {
    let hosts = try await session.hosts(jobs)
    guard step > session.branch.steps.lowerBound else {
      throw UsageError(
        what: "it holds in the first state already, before any action",
        next:
          "Search for something that actions cause, as in 'state.total < 0 && previous.total >= 0'")
    }
    return try await session.open.search(
      goal, of: session.branch.id, upTo: step, on: hosts,
      place: "\(session.text(step)) of the recording")
  }

  func exploration(_ session: QueriedSession) async throws -> HostTrials {
    guard case .holds(let question)? = wanted else {
      throw UsageError(
        what: "--rule is missing", next: "Write --rule 'state.total >= 0'")
    }
    try await session.warn(aboutPlacesIn: question.condition)
    let last = session.branch.steps.upperBound
    return try await session.open.search(
      .holds(question), of: session.branch.id, upTo: last, happens: false,
      on: try await session.hosts(jobs), place: session.text(last))
  }

  /// Runs a search with its progress: the runs, and what is `left`. Ctrl-C ends it with its
  /// findings so far.
  func searching<Found: SearchResult>(
    _ search: HostTrials, _ session: QueriedSession,
    left: @escaping @Sendable () -> String = { "" },
    _ work: @escaping @Sendable (Trials) async throws -> Found
  ) async throws -> Found {
    if isKnownOnly, !search.base.verdict.isKnown {
      throw UsageError(
        what: "--known starts from what is known, and \(session.file) up to step "
          + "\(search.base.last) is \(search.base.verdict.standingWords)",
        next: "Leave out --known, or name a step before the guess")
    }
    let progress = ProgressLine(output: session.context.output, name: session.file)
    let clock = session.context.output.clock
    let rest = max(.zero, time - (countsAll ? clock() : .zero))
    let found = try await search.found(
      budget: Trials.Budget(runs: runs, time: rest, clock: clock),
      isKnownOnly: isKnownOnly
    ) {
      progress.show(counted($0, "run") + left())
    } _: { trials in
      try await Interrupt.heeding { try await work(trials) }
    }
    progress.clear()
    if let remark = search.base.remark { session.context.tell("\(session.file): \(remark)") }
    return found
  }
}

extension QueriedSession {
  @discardableResult
  func saveFork(_ name: String, _ script: Script, note: String) throws -> BranchID {
    let fork = try open.addFork(BranchID(name), script)
    let remark = open.setNote(note, ofFork: fork.id)
    for words in [fork.remark, remark].compactMap(\.self) + open.notKept { context.tell(words) }
    return fork.id
  }

  func host(for what: String) throws(UsageError) -> HostConnection {
    if let host { return host }
    throw UsageError(
      what: "\(what) needs the app's reducer", next: "Add \(open.summary.hostOption)")
  }

  func hosts(_ count: Int) async throws -> [HostConnection] {
    let host = try host(for: "a search")
    while helpers.withLock({ $0.count }) < count - 1, let helper = try makeHost() {
      helpers.withLock { $0.append(helper) }
      // It starts beside the first trials.
      helper.loadLater(hostedPath, as: reader)
    }
    return [host] + helpers.withLock { $0.prefix(count - 1) }
  }
}
