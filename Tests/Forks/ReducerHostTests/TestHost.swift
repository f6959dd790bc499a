import HostProtocol
import Platform
import Replay
import StoreCore
import StoreRecording
import TestSupport
import Testing
import ValueTree

@testable import ReducerHost

/// An app whose reducer can do everything that a process should not.
struct Trouble: Reducer {
  struct State: Codable, Hashable, Sendable {
    var total = 0
    var note = ""
  }

  enum Action: Codable, Hashable, Sendable {
    case add(Int)
    /// Another number in each process.
    case hash
    case printAloud(String)
    /// Traps when the total is more than the list is long.
    case pick
    case exit
    case hang
    case recurse
    case kill
    /// Starts effects: one that answers, one that never ends, one that ends the process.
    case call
    case wait
    case blowUp
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number): state.total += number
    case .hash: state.total = "tea".hashValue
    case .printAloud(let text):
      print(text)
      state.note = text
    case .pick: state.note = ["none", "one", "two"][state.total]
    case .exit where state.total > 2:
      _ = write(2, "leaving\n", 8)
      Platform.exit(3)
    case .hang where state.total > 2: while true { pause() }
    case .recurse where state.total > 2: state.total = deepen(state.total)
    case .kill where state.total > 2: _ = Platform.kill(getpid(), SIGKILL)
    case .exit, .hang, .recurse, .kill: break
    case .call: return .run(name: "call") { send in await send(.add(7)) }
    case .wait:
      return .run(name: "wait") { _ in
        let (stream, end) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        end.finish()
        try Task.checkCancellation()
      }
    case .blowUp:
      return .run(name: "blowUp") { _ in
        if TestHost.isHost { fatalError("the body of an effect") }
      }
    }
    return .none
  }

  @inline(never) private func deepen(_ number: Int) -> Int {
    number == .max ? 0 : deepen(number + 1) + 1
  }
}

/// Not a test of its own: the tests start this program once more, and it becomes a host here. The
/// talk goes over two other streams, because the test runner prints to standard output.
@Suite struct TestHost {
  static let isHost = getenv("RETCON_TEST_HOST") != nil

  @Test(.enabled(if: isHost)) func testHostEntry() {
    guard Self.isHost else { return }
    let setup = ReplaySetup(Trouble())
    var greeting = HostGreeting(of: setup, name: "TestHost")
    greeting.seesEffects = environmentVariable("RETCON_TEST_HOST") != "blind"
    greeting.runsLive = greeting.seesEffects
    ReducerHost.serve(setup, greeting, over: (input: 3, output: 4))
    exit(0)
  }

  /// A blind one says that it sees no effects and runs none live. One that tells places writes a
  /// backtrace when it crashes: eight seconds of work in a program as large as this one.
  static func connection(
    patience: Duration = .seconds(60), isBlind: Bool = false, tellsPlaces: Bool = !Trap.saysWhy
  ) -> HostConnection {
    var environment = ["RETCON_TEST_HOST": isBlind ? "blind" : "1"]
    if !tellsPlaces { environment["SWIFT_BACKTRACE"] = "enable=no" }
    let program = CommandLine.arguments[0]
    let command =
      "exec 3<&0 4>&1 </dev/null >/dev/null; exec \"$0\" --testing-library swift-testing "
      + "--filter testHostEntry"
    return HostConnection(
      HostCommand(
        "/bin/sh", ["-c", command, program],
        environment: environment),
      limits: HostLimits(patience: patience))
  }
}

/// A session of ``Trouble``, and a host that has loaded it.
struct TroubleSession {
  let path: String
  let host: HostConnection

  /// `name` tells the files of tests apart.
  init(
    _ name: String, _ actions: [Trouble.Action],
    recordedBy reducer: some Reducer<Trouble.State, Trouble.Action> = Trouble(),
    patience: Duration = .seconds(60), tellsPlaces: Bool = !Trap.saysWhy
  ) async throws {
    path = "/tmp/reducer-host-\(getpid())-\(name).retcon"
    let recorder = StoreRecorder<Trouble.State, Trouble.Action>(to: path)
    do {
      let store = Store(initialState: Trouble.State(), hooks: recorder) { reducer }
      for action in actions { store.send(action) }
    }
    recorder.finish()
    host = TestHost.connection(patience: patience, tellsPlaces: tellsPlaces)
    let report = try await host.load(path)
    #expect(report == LoadReport(steps: actions.count, grade: .fine))
  }

  /// Makes the file that of an app which stopped inside the reducer of a step.
  func endInside(_ begin: String) throws {
    var lines = TemporaryFolder.bytes(of: path).split(separator: 10)
    lines[lines.count - 1] = Array(begin.utf8)[...]
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    let bytes = Array(lines.joined(separator: [10])) + [10]
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  func end() {
    host.close()
    unlink(path)
  }
}
