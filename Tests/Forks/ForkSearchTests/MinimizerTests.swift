import Platform
import Recorder
import Samples
import SessionFile
import SessionWords
import StoreCore
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import ForkSearch
@testable import Replay

@Suite("The smallest session")
struct MinimizerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let isLong = getenv("RETCON_LONG") != nil
  private static let count = isLong ? 60 : 8

  private func bugs(_ count: Int) async throws -> [(bug: PlantedBug, search: HostTrials)] {
    try await PlantedBug.all(count, in: folder)
  }

  @Test("is 1-minimal by brute force, and on these bugs no other one or two actions are fewer")
  func isMinimal() async throws {
    for (bug, search) in try await bugs(Self.count) {
      let trials = Trials { try await search.tries($0, lane: $1) }
      let minimum = try await Minimizer(search.base, search.goal, trials).minimum(.untried)
      #expect(minimum.isMinimal && minimum.stopped == nil, "\(bug.name)")
      let kept = minimum.actions.map(\.step)
      #expect(try await happens(kept, search), "\(bug.name)")
      for step in kept {
        #expect(try await !happens(kept.filter { $0 != step }, search), "\(bug.name)")
      }
      for size in 0..<min(kept.count, Self.isLong ? 3 : 2) {
        for set in subsets(of: search.base.userSteps, size) {
          #expect(try await !happens(set, search), "\(bug.name): \(set) is enough, not \(kept)")
        }
      }
    }
  }

  @Test(
    "takes fewer runs than ddmin and than counter-based reduction, and on these bugs is never larger"
  )
  func isCheaper() async throws {
    var table = "runs, size, milliseconds: ours, ddmin, counter-based\n"
    var ours: [Int] = []
    var ddmins: [Int] = []
    var counters: [Int] = []
    for (bug, search) in try await bugs(Self.count) {
      let trials = Trials { try await search.tries($0, lane: $1) }
      let minimum = try await Minimizer(search.base, search.goal, trials).minimum(.untried)
      let (ddmin, ddminRuns, ddminTime) = try await rival(search, Rivals.ddmin)
      let (counter, counterRuns, counterTime) = try await rival(search, Rivals.counterBased)
      let size = minimum.actions.count
      #expect(size <= ddmin && size <= counter, "\(bug.name): \(size), \(ddmin), \(counter)")
      ours.append(minimum.runs)
      ddmins.append(ddminRuns)
      counters.append(counterRuns)
      table += "\(minimum.runs)/\(size)/\(minimum.time.milliseconds)  "
      table += "\(ddminRuns)/\(ddmin)/\(ddminTime)  \(counterRuns)/\(counter)/\(counterTime)  "
      table += "of \(minimum.userSteps)  \(bug.name)\n"
    }
    if Self.isLong { print(table) }
    func median(_ numbers: [Int]) -> Int { numbers.sorted()[numbers.count / 2] }
    // Of a few sessions two can be alike in the middle.
    let slack = Self.isLong ? 0 : 1
    #expect(median(ours) < median(ddmins) + slack, "\(table)")
    #expect(median(ours) < median(counters) + slack, "\(table)")
  }

  @Test("comes again with its number of hosts, and each script is tried once")
  func isDeterministic() async throws {
    for (bug, search) in try await bugs(4) {
      var minima: [[Int]] = []
      for lanes in [1, 1, 3, 3] {
        let tried = Locked<[Script]>([])
        let trials = Trials(lanes: lanes) { script, _ in
          tried.withLock { $0.append(script) }
          return try await search.tries(script, lane: 0)
        }
        let minimum = try await Minimizer(search.base, search.goal, trials).minimum()
        minima.append(minimum.actions.map(\.step) + [minimum.runs])
        let scripts = tried.withLock { $0 }
        #expect(Set(scripts).count == scripts.count, "\(bug.name)")
      }
      #expect(minima[0] == minima[1] && minima[2] == minima[3], "\(bug.name)")
    }
  }

  @Test("is the best so far when the runs are used up, or when somebody stops it")
  func keepsTheBest() async throws {
    let (_, search) = try #require(try await bugs(1).first)
    let whole = Trials { try await search.tries($0, lane: $1) }
    let runs = try await Minimizer(search.base, search.goal, whole).minimum().runs
    for limit in 0..<runs {
      let trials = Trials(budget: Trials.Budget(runs: limit)) {
        try await search.tries($0, lane: $1)
      }
      let minimum = try await Minimizer(search.base, search.goal, trials).minimum()
      #expect(minimum.stopped == .runs)
      #expect(try await happens(minimum.actions.map(\.step), search))
    }
    let now = Locked(Duration.zero)
    let brief = Trials.Budget(
      time: .seconds(1),
      clock: {
        now.withLock {
          $0 += .milliseconds(600)
          return $0
        }
      })
    let late = Trials(budget: brief) { try await search.tries($0, lane: $1) }
    #expect(try await Minimizer(search.base, search.goal, late).minimum().stopped == .time)
    let task = Task {
      let trials = Trials { script, lane in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await search.tries(script, lane: lane)
      }
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Minimizer(search.base, search.goal, trials).minimum()
    }
    let minimum = try await task.value
    #expect(minimum.stopped == .cancelled)
    #expect(minimum.actions.count == search.base.userSteps.count)
  }

  @Test("when the time is over, the fork in flight is stopped, and what was found so far is given")
  func inFlight() async throws {
    let search = try await NotesSample.search(
      [(100, .typed("a")), (100, .look), (100, .typed("b"))], for: "state.text == 'b'", in: folder)
    let (isStopped, now) = (Locked(false), Locked(Duration.zero))
    let budget = Trials.Budget(time: .milliseconds(1), clock: { now.withLock { $0 } })
    let trials = Trials(budget: budget) { _, _ in
      now.withLock { $0 = .seconds(1) }
      let (never, end) = AsyncStream<Never>.makeStream()
      await withTaskCancellationHandler {
        for await _ in never {}
      } onCancel: {
        isStopped.withLock { $0 = true }
        end.finish()
      }
      throw CancellationError()
    }
    let minimum = try await Minimizer(search.base, search.goal, trials).minimum()
    #expect(minimum.stopped == .time)
    #expect(minimum.actions.count == search.base.userSteps.count)
    #expect(isStopped.withLock { $0 })
  }

  @Test("the same search again goes on from what a stopped one tried, for the same reducer alone")
  func goesOn() async throws {
    let (_, search) = try #require(try await bugs(1).first)
    let runs = Locked(0)
    func minimum(_ limit: Int, _ memory: TrialMemory?) async throws -> Minimum {
      let budget = Trials.Budget(runs: limit)
      return try await search.found(budget: budget, memory: memory) { trials in
        let minimum = try await Minimizer(search.base, search.goal, trials).minimum()
        runs.withLock { $0 = minimum.runs }
        return minimum
      }
    }
    let whole = try await minimum(10_000, nil)
    let all = runs.withLock { $0 }
    let memory = TrialMemory()
    #expect(try await minimum(all / 2, memory).stopped == .runs)
    let rest = try await minimum(10_000, memory)
    #expect(rest.stopped == nil && rest.script == whole.script)
    #expect(runs.withLock { $0 } <= all - all / 2 + 1, "\(runs.withLock { $0 }) of \(all)")
    // Another build of the reducer may answer otherwise.
    let topic = TrialMemory.Topic(
      goal: search.goal, build: 1, branch: search.base.branch, last: search.base.last,
      end: search.base.last)
    #expect(memory.count > 0 && memory.verdicts(about: topic).ofSearch.isEmpty)
    #expect(memory.count == 0)
  }

  @Test("the kept fork shows it, and is as certain as the search says")
  func keptFork() async throws {
    var searches = try await bugs(Self.isLong ? 40 : 2).map { ($0.bug.name, $0.search) }
    for condition in ["state.message", "state.fact"] {
      let search = try await PlantedBug.demo(CounterSample.self, condition, in: folder)
      searches.append((condition, search))
    }
    let wishes = "state.destination.alert"
    searches.append((wishes, try await PlantedBug.demo(WishesSample.self, wishes, in: folder)))
    for (name, search) in searches {
      guard case .holds(let question) = search.goal else { continue }
      let minimum = try await search.found {
        try await Minimizer(search.base, search.goal, $0).minimum()
      }
      let open = search.base.open
      let fork = try open.addFork("kept", minimum.script).id
      for await _ in try open.runFork(fork) {}
      let steps = try #require(open.branch(fork)).steps
      let shown = try await open.firstStep(where: question, in: steps, of: fork)
      let step = try #require(shown, "\(name): \(minimum.sentence)")
      #expect(step == minimum.verdict.step, "\(name)")
      let standing = try open.step(at: Position(branch: fork, step: step)).standing
      #expect(standing.values.areKnown || !minimum.verdict.isKnown, "\(name)")
    }
  }

  @Test("a step that does not return is a goal as a crash is")
  func hang() async throws {
    let path = folder("hang.retcon")
    await Quiet<CounterSample>.recordDemo(to: path)
    let reader = try SessionReader(path: path)
    let setup = ReplaySetup(CounterSample.app()) {
      Quiet<CounterSample>.putDependenciesOnTape(&$0, Tape())
    }
    let words = Standing.Outcome.timedOut.meaning
    let host = try MemoryHost(reader, setup, endsBy: .timedOut) { told in
      told.step.label == "factTapped" ? words : nil
    }
    let open = OpenSession(SessionRecording(reader), host: host)
    let wanted = try await open.goal(.crash, in: reader.steps, of: .main, on: [host])
    let found = try #require(wanted)
    #expect(found.goal == .crash(words: words))
    let search = try HostTrials(SearchedSession(open, upTo: found.step), found.goal, on: [host])
    let minimum = try await search.found {
      try await Minimizer(search.base, search.goal, $0).minimum()
    }
    #expect(minimum.actions.map(\.label) == ["factTapped"])
  }

  @Test("a simpler value that is enough as a guess is no proof that the value matters")
  func guess() async throws {
    let trials = Trials(isKnownOnly: true) { _, _ in Verdict(.happens, values: .assumed) }
    #expect(try await trials.attempt(Script(leavesAt: 0)) == .guess)
    func words(_ whole: Value, _ guesses: Set<Value>) async throws -> [String] {
      var simplifier = ValueSimplifier(keepsSimpler: true) { value, _ in
        value == whole ? .works : guesses.contains(value) ? .guess : .fails
      }
      _ = try await simplifier.simplify(whole)
      return simplifier.notes.map { $0.words(of: "") }
    }
    let id: Value = 1
    #expect(
      try await words(id, [0])
        == ["its payload may matter: with 1 it happens, with 0 only as a guess"])
    #expect(try await words(id, []) == ["its payload matters: with 1 it happens, with 0 not"])
    #expect(
      try await words("ab", [""])
        == ["its payload may matter: a simpler value than \"ab\" works as a guess"])
  }

  @Test("a question about earlier steps finds those that the fork shares")
  func earlier() async throws {
    for (condition, isNeeded) in [
      ("label == 'timerTicked' && precededBy(label == 'factReceived')", false),
      // Without the steps between, it is near.
      ("label == 'timerTapped' && !precededBy(label == 'factReceived', 3)", true),
    ] {
      let search = try await PlantedBug.demo(CounterSample.self, condition, in: folder)
      let without = search.base.script(keeping: [1, 2, 3, 4, 9])
      #expect(try await search.tries(without, lane: 0).happens == !isNeeded, "\(condition)")
    }
  }

  @Test("what runs differently at last is no smallest session")
  func changing() async throws {
    let search = try await PlantedBug.demo(CounterSample.self, "state.message", in: folder)
    let trials = Trials { try await search.tries($0, lane: $1) }
    var minimum = try await Minimizer(search.base, search.goal, trials).minimum(.untried)
    let few = minimum.actions.dropLast().map(\.step)
    minimum.script = search.base.script(keeping: Set(few))
    await #expect(throws: Trouble.self) { try await minimum.runAgain(on: search) }
  }

  @Test(
    "payloads with one hash are two scripts: large numbers, and what is deep",
    arguments: [
      (184_467_440_737_095_520, 184_467_440_737_095_505),
      (MinimizerTests.nested(1), MinimizerTests.nested(2)), ("\u{e9}", "e\u{301}"),
    ] as [(Value, Value)])
  func almostEqual(one: Value, other: Value) async throws {
    func script(_ value: Value) -> Script {
      Script(
        leavesAt: 0,
        edits: [.read(step: 1, key: "random", index: 0, outcome: .value(value))])
    }
    let trials = Trials { tried, _ in
      guard case .read(_, _, _, .value(let value))? = tried.edits.first else {
        return Verdict(.doesNot)
      }
      return Verdict(value.isExactlyEqual(to: one) ? .happens : .doesNot)
    }
    #expect(try await trials.happens(script(one)))
    #expect(try await !trials.happens(script(other)))
    #expect(await trials.runs == 2)
  }

  private static func nested(_ number: Int) -> Value {
    (0..<80).reduce(.number(Number(number))) { value, _ in [value] }
  }

  @Test("what the reducer of then would do is known where the state before is the recorded one")
  func knownDivergence() async throws {
    for (bug, search) in try await PlantedBug.all(2, .divergence, in: folder) {
      let tries: Trials.Tries = { try await search.tries($0, lane: $1) }
      let few = try await Minimizer(search.base, search.goal, Trials(tries)).minimum()
      let known = Trials(isKnownOnly: true, tries)
      let sure = try await Minimizer(search.base, search.goal, known).minimum()
      #expect(sure.verdict.isKnown && sure.actions.count >= few.actions.count, "\(bug.name)")
      let rests = few.verdict.assumptions.contains { $0.sentence.contains("Retcon assumes") }
      #expect(few.verdict.isKnown || rests, "\(bug.name)")
    }
  }

  @Test("what is kept of what was tried stays within its bytes, and the result is the same")
  func memory() async throws {
    let (_, search) = try #require(try await bugs(3).last)
    let free = Trials { try await search.tries($0, lane: $1) }
    let minimum = try await Minimizer(search.base, search.goal, free).minimum()
    let limit = await free.bytes / 3
    let tight = Trials(budget: Trials.Budget(bytes: limit)) {
      try await search.tries($0, lane: $1)
    }
    let again = try await Minimizer(search.base, search.goal, tight).minimum()
    #expect(again.actions.map(\.step) == minimum.actions.map(\.step))
    #expect(again.verdict.answer == minimum.verdict.answer)
    #expect(again.verdict.assumptions == minimum.verdict.assumptions)
    #expect(await tight.bytes <= limit)
    #expect(again.runs >= minimum.runs && minimum.runs > 3)
  }

  // MARK: Helping

  private func happens(_ steps: [Int], _ search: HostTrials) async throws -> Bool {
    try await search.tries(search.base.script(keeping: Set(steps)), lane: 0).happens
  }

  /// The size that another algorithm reaches, and how many different scripts it ran.
  private func rival(
    _ search: HostTrials, _ reduce: ([Int], Rivals.Happens) async throws -> [Int]
  ) async throws -> (size: Int, runs: Int, milliseconds: Int) {
    let trials = Trials { try await search.tries($0, lane: $1) }
    let kept = try await reduce(search.base.userSteps) { steps in
      try await trials.happens(search.base.script(keeping: Set(steps)))
    }
    return (kept.count, await trials.runs, await trials.time.milliseconds)
  }

  private func subsets(of elements: [Int], _ size: Int) -> [[Int]] {
    guard size > 0 else { return [[]] }
    return elements.indices.flatMap { index in
      subsets(of: Array(elements[(index + 1)...]), size - 1).map { [elements[index]] + $0 }
    }
  }
}

extension Duration {
  fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
