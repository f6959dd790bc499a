import HostProtocol
import Platform
import Recorder
import Replay
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import TestSupport
import Testing
import ValueTree

@testable import ReducerHost

/// How a host grades a log that another version of the app recorded.
@Suite(.enabled(if: !TestHost.isHost)) struct LoadCheckTests {
  /// Yesterday's app.
  private struct Old: Reducer {
    struct State: Codable, Sendable {
      var total = 0
      var names: [String] = []
    }
    enum Action: Codable, Sendable {
      case add(Int)
      case name(String)
      case gone
    }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .add(let number): state.total += number
      case .name(let name): state.names.append(name)
      case .gone: break
      }
      return .none
    }
  }

  /// Today's: a name has a length now, a total a currency, and one action is gone.
  private struct New: Reducer {
    struct Name: Codable, Sendable { var text: String, length: Int }
    struct State: Codable, Sendable {
      var sum = 0
      var names: [Name] = []
    }
    enum Action: Codable, Sendable {
      case add(Int)
      case name(Name)
    }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .add(let number): state.sum += number
      case .name(let name): state.names.append(name)
      }
      return .none
    }
  }

  private static func name(_ text: Value) -> Value {
    guard case .string(let string) = text else { return text }
    return ["text": text, "length": .number(Number(string.count))]
  }

  private static let upgrade = SessionUpgrade(
    state: { state, _ in
      guard let total = state["total"], case .array(let names)? = state["names"] else {
        return state
      }
      return ["sum": total, "names": .array(ValueArray(names.map(Self.name)))]
    },
    action: { action, version in
      #expect(version == "1.0")
      guard let text = action["name"]?["_0"] else { return action }
      return ["name": ["_0": Self.name(text)]]
    })

  private func session(
    _ name: String, _ actions: [Old.Action], _ body: (SessionReader) async throws -> Void
  ) async throws {
    let path = "/tmp/load-check-\(getpid())-\(name).retcon"
    defer { unlink(path) }
    let recorder = StoreRecorder<Old.State, Old.Action>(
      to: path, options: RecordingOptions(app: .init("Names", version: "1.0")))
    do {
      let store = Store(initialState: Old.State(), hooks: recorder) { Old() }
      for action in actions { store.send(action) }
    }
    recorder.finish()
    try await body(try SessionReader(path: path))
  }

  @Test("what today's types read as it was recorded is fine")
  func fine() async throws {
    try await session("fine", [.add(1), .name("a"), .gone]) { session in
      let report = try LoadCheck(session, ReplaySetup(Old())).report(RunControl())
      #expect(report == LoadReport(steps: 3, grade: .fine))
      #expect(report.sentence == nil)
    }
  }

  @Test("a part of the state that was set is no action, and nothing is wrong with it")
  func set() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"retcon":"1.1","state":{"total":0,"names":[]}}
      {"step":1,"label":"state set by hand","action":{"pointer":"/total","value":5},"set":{"pointer":"/total","value":5},"patch":[{"op":"replace","path":"/total","value":5}]}

      """
    let reader = try SessionReader(path: folder.write(text, to: "set.retcon"))
    let report = try LoadCheck(reader, ReplaySetup(Old())).report(RunControl())
    #expect(report == LoadReport(steps: 1, grade: .fine))
  }

  @Test("a state that does not decode can only be browsed, and what changed is named")
  func impossible() async throws {
    try await session("impossible", [.add(1)]) { session in
      let report = try LoadCheck(session, ReplaySetup(New())).report(RunControl())
      #expect(report.grade == .impossible)
      let words = "it can be browsed but cannot run again: step 0: there is no “sum”"
      #expect(report.sentence?.hasPrefix(words) == true)
    }
  }

  @Test("each type and path that changed is named with its first step, of states, too")
  func risky() async throws {
    struct Today: Reducer {
      struct State: Codable, Sendable {
        var total = 0
        /// The list is empty at first, so only a later state shows the change.
        var names: [New.Name] = []
      }
      typealias Action = New.Action
      func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
    }
    try await session("risky", [.add(1), .name("a"), .name("b"), .gone, .add(2)]) { session in
      let report = try LoadCheck(session, ReplaySetup(Today())).report(RunControl())
      #expect(report.grade == .risky)
      #expect(
        report.findings.map { "\($0.step) \($0.path)" } == ["2 /name/_0", "2 /names/0", "4 "])
    }
  }

  @Test("recordings/upgraded: the function runs before decoding, and the report counts")
  func upgraded() async throws {
    try await session("upgraded", [.add(1), .name("ab"), .add(2), .gone]) { session in
      let setup = ReplaySetup(New(), upgrade: Self.upgrade)
      let report = try LoadCheck(session, setup).report(RunControl())
      #expect(report.grade == .risky)
      #expect(report.findings.map(\.step) == [4])
      // One action and five states.
      #expect(report.upgraded == 6)
      #expect(report.sentence?.hasSuffix("; 6 old values were upgraded") == true)
      let verified = try await setup.verify(session)
      #expect(verified.divergences == [])
      #expect(verified.undecodable.map { "\($0.step) \($0.label)" } == ["4 gone"])
      var last: Value = .null
      _ = try SessionReplay(session, setup).run([]) { last = $0.patch ?? .null }
      #expect(
        try SessionReplay(session, setup).state(of: [], after: 3)
          == ["sum": 3, "names": [["text": "ab", "length": 2]]])
      #expect(last == [])
    }
  }

  @Test("a branch of an upgraded session is run, compared and told in today's values")
  func branch() async throws {
    try await session("branch", [.add(1), .name("ab"), .add(2)]) { session in
      let setup = ReplaySetup(New(), upgrade: Self.upgrade)
      let lines = Locked<[String]>([])
      _ = try await setup.run(
        [Script(leavesAt: 1, edits: [.insert(after: 1, action: ["add": ["_0": 5]])])], of: session
      ) { step in
        lines.withLock {
          $0.append(
            "\(step.step.action.text()) \(step.standing.outcome.rawValue) "
              + (step.patch?.text() ?? ""))
        }
      }
      #expect(
        lines.withLock { $0 } == [
          #"{"add":{"_0":5}} new [{"op":"replace","path":"/sum","value":6}]"#,
          #"{"name":{"_0":{"text":"ab","length":2}}} different "#
            + #"[{"op":"add","path":"/names/0","value":{"text":"ab","length":2}}]"#,
          #"{"add":{"_0":2}} different [{"op":"replace","path":"/sum","value":8}]"#,
        ])
    }
  }

  @Test("recordings/upgraded: an upgrade function that throws is a finding with its words")
  func throwing() async throws {
    struct Unknown: Error, CustomStringConvertible { var description: String { "what is gone?" } }
    let upgrade = SessionUpgrade(action: { action, _ in
      if action["gone"] != nil { throw Unknown() }
      return action
    })
    try await session("throwing", [.add(1), .gone]) { session in
      let report = try LoadCheck(session, ReplaySetup(Old(), upgrade: upgrade)).report(RunControl())
      #expect(report.grade == .risky)
      #expect(
        report.findings.map { "\($0.step) \($0.problem)" }
          == ["2 the upgrade function failed: what is gone?"])
      let verified = try await ReplaySetup(Old(), upgrade: upgrade).verify(session)
      #expect(verified.undecodable.map(\.step) == [2])
      let states = SessionUpgrade(state: { _, _ in throw Unknown() })
      let none = try LoadCheck(session, ReplaySetup(Old(), upgrade: states)).report(RunControl())
      #expect(none.grade == .impossible)
    }
  }

  @Test(
    "of a long session actions are looked at evenly, what was left out is said, and the first is found"
  )
  func long() async throws {
    let actions = (1...100).map {
      $0 >= 40 && $0.isMultiple(of: 2) ? Old.Action.name("x") : .add(1)
    }
    try await session("long", actions) { session in
      let fine = try LoadCheck(session, ReplaySetup(Old()), actionLimit: 10)
        .report(RunControl())
      #expect(fine.grade == .fine)
      #expect(fine.unchecked == 90)
      #expect(fine.sentence == "it can run again; 10 of 100 actions were decoded before the run")
      struct Today: Reducer {
        typealias State = Old.State
        typealias Action = New.Action
        func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
      }
      // Every third is looked at, so 40 was first found at 52.
      let risky = try LoadCheck(session, ReplaySetup(Today()), actionLimit: 34)
        .report(RunControl())
      #expect(risky.findings.map(\.step) == [40])
      #expect(risky.unchecked == 66)
      #expect(
        risky.sentence?.hasSuffix("; 34 of 100 actions were decoded before the run") == true)
    }
  }

  @Test("a grade travels with what it rests on")
  func coding() throws {
    var report = LoadReport(steps: 9, grade: .fine)
    report.unchecked = 4
    report.upgraded = 1
    #expect(
      report.sentence
        == "it can run again; 1 old value was upgraded, 5 of 9 actions were decoded before the run")
    let message = HostMessage(id: 1, .answer(.loaded(report)))
    #expect(
      message.value.text()
        == #"{"id":1,"answer":"loaded","steps":9,"grade":"fine","unchecked":4,"upgraded":1}"#)
    #expect(try HostMessage(message.value) == message)
  }
}
