import HostProtocol
import Platform
import Recorder
import SessionFile
import SessionWords
import StoreCore
import TestSupport
import Testing
import ValueTree

@testable import ReducerHost

#if canImport(FoundationEssentials)
  import struct FoundationEssentials.UUID
#else
  import struct Foundation.UUID
#endif

@Suite(.enabled(if: !TestHost.isHost)) struct ReducerHostTests {
  /// Of a reducer that trapped.
  private static let lastWords = Trap.saysWhy ? "Index out of range" : "Trouble.reduce"

  @Test("a host greets with its name and types")
  func greeting() async throws {
    let host = TestHost.connection()
    try await host.start()
    let greeting = try #require(host.greeting)
    #expect(greeting.name == "TestHost")
    #expect(greeting.stateType == "ReducerHostTests.Trouble.State")
    #expect(greeting.actionType == "ReducerHostTests.Trouble.Action")
    #expect(greeting.seesEffects)
    host.close()
  }

  @Test("what somebody types is decoded, and nothing runs: it says what is wrong, and where")
  func checking() async throws {
    let session = try await TroubleSession("checking", [.add(1), .add(2)])
    let host = session.host
    #expect(try await host.verdict(on: .action(["add": ["_0": 2]])) == .fine)
    #expect(
      try await host.verdict(on: .action(["add": ["_0": "two"]]))
        == .problem(
          ValueProblem(
            path: ["add", "_0"], sentence: "expected an integer at /add/_0, found a string"))
    )
    #expect(
      try await host.verdict(on: .action(["add": ["number": 2]]))
        == .problem(ValueProblem(path: ["add"], sentence: "there is no “_0”")))
    // The crash of a step is not run into.
    #expect(try await host.verdict(on: .action(["exit": [:]])) == .fine)
    #expect(try await host.verdict(on: .part(["total"], 9, step: 2, of: .main)) == .fine)
    #expect(
      try await host.verdict(on: .part(["total"], "9", step: 2, of: .main))
        == .problem(
          ValueProblem(path: ["total"], sentence: "expected an integer at /total, found a string")))
    session.end()
  }

  @Test("it tells an action of each case that there is, recorded or not")
  func examples() async throws {
    let session = try await TroubleSession("examples", [.add(1)])
    #expect(
      try await session.host.exampleActions().map { $0.text() } == [
        #"{"hash":{}}"#, #"{"pick":{}}"#, #"{"exit":{}}"#, #"{"hang":{}}"#, #"{"recurse":{}}"#,
        #"{"kill":{}}"#, #"{"call":{}}"#, #"{"wait":{}}"#, #"{"blowUp":{}}"#,
        #"{"add":{"_0":0}}"#, #"{"printAloud":{"_0":""}}"#,
      ])
    session.end()
  }

  @Test("an example is completed as far as its type says what it misses")
  func nestedExamples() {
    #expect(
      DecodingExamples<Order>.all().map { $0.value.text() } == [
        #"{"clear":{}}"#, #"{"row":{"id":0,"action":{"up":{}}}}"#,
        #"{"row":{"id":0,"action":{"named":{"_0":""}}}}"#,
        #"{"saved":{"_0":{"failure":{"_0":""}}}}"#,
        #"{"saved":{"_0":{"success":{"_0":{"id":"00000000-0000-0000-0000-000000000000","#
          + #""tags":[],"size":{"small":{}}}}}}}"#,
      ])
  }

  private enum Order: Codable {
    case clear
    case row(id: Int, action: Row)
    case saved(Answer)
  }
  private enum Row: Codable {
    case named(String)
    case up
  }
  private enum Answer: Codable {
    case failure(String)
    case success(Wish)
  }
  private struct Wish: Codable {
    var id: UUID
    var note: String?
    var tags: [String]
    var size: Size
  }
  private enum Size: Codable { case tall(Int), small }

  @Test("a branch runs in the host, and its steps come one after another")
  func branch() async throws {
    let session = try await TroubleSession("branch", [.add(1), .add(2), .add(3)])
    let branch = BranchPath(
      "fork",
      Script(leavesAt: 1, edits: [.replace(step: 2, action: ["add": ["_0": 20]])]))
    let lines = Locked<[String]>([])
    let report = try await session.host.run(RunRequest(branch: branch)) { step in
      let line =
        "\(step.step.number) \(step.step.action.text()) \(step.standing.values.rawValue) "
        + "\(step.standing.outcome.rawValue) \(step.patch?.text() ?? "")"
      lines.withLock { $0.append(line) }
    }
    #expect(
      lines.withLock { $0 } == [
        #"2 {"add":{"_0":20}} edited different [{"op":"replace","path":"/total","value":21}]"#,
        #"3 {"add":{"_0":3}} recorded different [{"op":"replace","path":"/total","value":24}]"#,
      ])
    #expect(report == BranchReport(lastStep: 3))
    #expect(try await session.host.state(of: branch, after: 2) == ["total": 21, "note": ""])
    #expect(try await session.host.state(of: .main, after: 2) == ["total": 3, "note": ""])
    #expect(try await session.host.verify() == VerifyReport(steps: 3))
    session.end()
  }

  @Test("what the reducer prints does not garble the talk")
  func printing() async throws {
    let session = try await TroubleSession("printing", [.add(1)])
    let script = Script(
      leavesAt: 1, rest: .nothing,
      edits: [.insert(after: 1, action: ["printAloud": ["_0": "{\"id\":1,\"answer\":\"done\"}\n"]])]
    )
    let branch = BranchPath("loud", script)
    #expect(try await session.host.run(RunRequest(branch: branch)) == BranchReport(lastStep: 2))
    session.end()
  }

  /// A script that makes the total 3 and then does what goes wrong only then.
  private func run(
    _ name: String, _ action: String, patience: Duration = .seconds(60),
    tellsPlaces: Bool = !Trap.saysWhy
  ) async throws -> (report: BranchReport, session: TroubleSession) {
    let session = try await TroubleSession(
      name, [.add(1), .add(1), .add(-1)], patience: patience, tellsPlaces: tellsPlaces)
    let script = Script(
      leavesAt: 2,
      edits: [
        .replace(step: 3, action: ["add": ["_0": 1]]), .insert(after: 3, action: [action: [:]]),
      ])
    let steps = Locked<[Int]>([])
    let branch = BranchPath("trouble", script)
    let report = try await session.host.run(RunRequest(branch: branch)) { step in
      steps.withLock { $0.append(step.step.number) }
    }
    #expect(steps.withLock { $0 } == [3])
    return (report, session)
  }

  /// The session, and every other branch, live on.
  private func expectAlive(_ session: TroubleSession) async throws {
    let branch = BranchPath("other", Script(leavesAt: 1, edits: [.skip(step: 2)]))
    #expect(
      try await session.host.run(RunRequest(branch: branch))
        == BranchReport(
          lastStep: 2,
          leftOut: [LeftOutStep(recordedStep: 2, label: "add", reason: .skipped)]))
    session.end()
  }

  @Test("runs/crash: a reducer that traps ends its branch at that step, with its last words")
  func trap() async throws {
    let (report, session) = try await run("trap", "pick", tellsPlaces: true)
    let ending = try #require(report.ending)
    #expect((ending.step, ending.outcome) == (4, .crashed))
    let reason = Trap.saysWhy ? "Fatal error: Index out of range, " : ""
    #expect(ending.reason.hasPrefix("\(reason)in Trouble.reduce, TestHost.swift:"))
    #expect(report.lastStep == 3)
    try await expectAlive(session)
  }

  @Test("runs/crash: a reducer that exits ends its branch at that step")
  func exit() async throws {
    let (report, session) = try await run("exit", "exit")
    #expect(report.ending == .init(4, .crashed, "leaving"))
    try await expectAlive(session)
  }

  @Test(
    "runs/verified, runs/crash: a reducer that ends the process is a divergence of the class crash")
  func crashInVerification() async throws {
    /// Yesterday's reducer, which did not trap.
    struct Tame: Reducer {
      func reduce(
        into state: inout Trouble.State, action: Trouble.Action
      ) -> Effect<Trouble.Action> {
        if case .add(let number) = action { state.total += number }
        return .none
      }
    }
    let session = try await TroubleSession(
      "verification", [.add(2), .add(3), .pick, .add(1)], recordedBy: Tame())
    let report = try await session.host.verify()
    #expect(report.divergences.map(\.kind) == [.crash])
    #expect(report.divergences.first?.step == 3)
    #expect(report.divergences.first?.hint?.contains(Self.lastWords) == true)
    #expect(report.steps == 2 && report.isPartial)
    #expect(try await session.host.state(of: .main, after: 1) == ["total": 2, "note": ""])
    session.end()
  }

  @Test("recordings/unfinished-step: the session of a crashed app loads, forks, verifies")
  func crashedSession() async throws {
    let session = try await TroubleSession("crashed", [.add(1), .add(2), .add(3)])
    defer { session.end() }
    try session.endInside(
      #"{"begin":4,"time":1,"label":"pick","action":{"pick":{}},"cause":"user"}"#)
    let report = try await session.host.load(session.path)
    #expect(report == LoadReport(steps: 4, grade: .fine))

    let before = BranchPath("before", Script(leavesAt: 2, edits: [.skip(step: 3)]))
    let again = try await session.host.run(RunRequest(branch: before))
    let ending = try #require(again.ending)
    #expect((ending.step, ending.outcome) == (3, .crashed))
    let tame = BranchPath(
      "tame", Script(leavesAt: 1, edits: [.skip(step: 2), .skip(step: 3)]))
    #expect(try await session.host.run(RunRequest(branch: tame)).ending == nil)

    let verified = try await session.host.verify(.all)
    #expect(
      verified.text(title: "trouble").hasPrefix(
        """
        trouble: 3 steps were run again, all as recorded; step 4 stops the app again.

        step 4  pick: crash
          (
        """))
    #expect(verified.divergences.first?.hint?.contains(Self.lastWords) == true)
  }

  @Test(
    "recordings/unfinished-step: an unfinished step that ends today is said, and is no divergence")
  func crashedSessionMended() async throws {
    let session = try await TroubleSession("mended", [.add(1)])
    defer { session.end() }
    try session.endInside(
      #"{"begin":2,"time":1,"label":"pick","action":{"pick":{}},"cause":"user"}"#)
    try await session.host.load(session.path)
    #expect(
      try await session.host.verify().text(title: "trouble") == """
        trouble: 2 steps were run again, all as recorded.

        Step 2 (pick) began and never ended when it was recorded; run again, it ends.
        """)
  }

  @Test("runs/nondeterministic: what is another thing in each process is told by its name")
  func hashValues() async throws {
    let session = try await TroubleSession("hashes", [.add(1), .hash, .add(2)])
    defer { session.end() }
    let reader = try SessionReader(path: session.path)
    let report = try await session.host.verify(reader, VerifyOptions())
    #expect(report.divergences.map(\.step) == [2])
    #expect(report.divergences.map(\.kind) == [.nondeterministic])
    #expect(report.divergences.first?.hint?.contains("another process") == true)
    #expect(report.divergences.first?.recorded != report.divergences.first?.rerun)
  }

  @Test(
    "runs/verified, runs/crash: crash and hang are told apart, and what comes behind them is looked at"
  )
  func beyondCrashes() async throws {
    /// Yesterday's reducer: it neither trapped nor hung, and counted otherwise from ten on.
    struct Tame: Reducer {
      func reduce(
        into state: inout Trouble.State, action: Trouble.Action
      ) -> Effect<Trouble.Action> {
        if case .add(let number) = action { state.total += number == 10 ? 11 : number }
        return .none
      }
    }
    let session = try await TroubleSession(
      "beyond", [.add(10), .pick, .add(10), .hang, .add(1), .add(10)], recordedBy: Tame(),
      patience: .seconds(6))
    let recorded = try SessionReader(path: session.path)
    let all = try await session.host.verify(recorded, .all)
    #expect(
      all.divergences.map { "\($0.step) \($0.label): \($0.kind.rawValue)" } == [
        "1 add: different state", "2 pick: crash", "3 add: different state",
        "4 hang: did not return", "6 add: different state",
      ])
    #expect(all.divergences.allSatisfy { $0.cause == .user })
    let first = try await session.host.verify(recorded, VerifyOptions())
    #expect(first.divergences.map(\.step) == [1])
    session.end()
  }

  @Test("runs/crash: a reducer that hangs ends its branch at that step")
  func hang() async throws {
    let (report, session) = try await run("hang", "hang", patience: .seconds(6))
    #expect(report.ending == .init(4, .timedOut))
    try await expectAlive(session)
  }

  @Test("runs/crash: a reducer that uses up its stack ends its branch at that step")
  func recursion() async throws {
    let (report, session) = try await run(
      "recursion", "recurse", patience: .seconds(600), tellsPlaces: true)
    let ending = try #require(report.ending)
    #expect((ending.step, ending.outcome) == (4, .crashed))
    let words = ending.reason
    #expect(words.hasPrefix("the stack overflowed: a function calls itself endlessly"))
    #expect(words.contains(", in Trouble.deepen, TestHost.swift:"), "\(words)")
    try await expectAlive(session)
  }

  @Test("runs/crash: a host that is killed while it reduces is known to have died in that step")
  func killed() async throws {
    let session = try await TroubleSession("killed", [.add(1), .add(2), .add(-1)])
    let script = Script(leavesAt: 2, edits: [.insert(after: 2, action: ["kill": [:]])])
    let report = try await session.host.run(RunRequest(branch: BranchPath("k", script)))
    #expect(
      report.ending
        == .init(
          3, .crashed,
          "signal 9 (SIGKILL): it was killed, perhaps by the system when memory ran out"))
    try await expectAlive(session)
  }

  @Test("recordings/unseen-effects: without causes all after an edit is assumed")
  func unknownCauses() async throws {
    let session = try await TroubleSession("foreign", [.add(1)])
    defer { session.end() }
    for knowsCauses in [true, false] {
      let path = session.path + ".\(knowsCauses).retcon"
      defer { unlink(path) }
      var options = RecordingOptions()
      options.writing.keyframes = .every(1)
      let recorder = SessionRecorder<Trouble.State, Trouble.Action>(
        to: path, knowsCauses: knowsCauses, options: options)
      var state = Trouble.State()
      recorder.start(with: state)
      for action in [Trouble.Action.printAloud("a"), .add(7), .printAloud("b"), .add(1)] {
        recorder.step(action) {
          _ = Trouble().reduce(into: &state, action: action)
          return state
        }
      }
      recorder.finish()
      _ = try await session.host.load(path, as: SessionReader(path: path))
      #expect(session.host.greeting?.seesEffects == true)
      let told = Locked<[String]>([])
      let script = Script(leavesAt: 0, edits: [.skip(step: 1)])
      let report = try await session.host.run(
        RunRequest(branch: BranchPath("fork", script))
      ) { step in
        told.withLock { $0.append("\(step.step.label) \(step.standing.values.rawValue)") }
      }
      let values = knowsCauses ? "recorded" : "assumed"
      if knowsCauses {
        #expect(report.rejoining == Rejoining(step: 2, parentStep: 3))
      } else {
        #expect(report.rejoining == nil)
        #expect(
          report.remarks.last
            == "after step 2 the state is the parent's again, but later steps may differ: "
            + "the session does not say what sent its actions")
      }
      #expect(told.withLock { $0 }.prefix(2) == ["add \(values)", "printAloud \(values)"])
    }
  }
}
