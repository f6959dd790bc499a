import HostProtocol
import Recorder
import ReducerHost
import Replay
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// Running a recording of 100,000 steps with states of 50 KB again, against the bare reducer.
enum ReplayRows {
  static let hostOption = "--replay-host"
  private static let stepCount = 100_000

  static let topic = Topic(name: "Replay") {
    let folder = try BenchFolder()
    let path = folder("replay.retcon")
    let actions = record(to: path, steps: stepCount)
    let session = try SessionReader(path: path)
    let replay = try SessionReplay(session, ReplaySetup(Stock()))
    let skip = Script(leavesAt: 9, edits: [.skip(step: 10)])
    let bare = Work.timed("the bare reducer") { keep(reduceAll(actions)) }
    let host = Self.host()
    try await host.load(path)
    let branch = BranchPath(name: "skip", skip)
    _ = try await host.run(RunRequest(branch: branch, tells: .report))
    return [
      Row(
        "run again in process, nothing told", bar: .watched("grows with reads and effects"),
        .timed("replay") { keep(try replay.run([], tells: .report)) }, against: bare, samples: 5),
      Row(
        "run again in process, every step compared and told",
        bar: .watched("states are encoded at the cost of what changed"),
        .timed("replay") { keep(try replay.run([])) }, against: bare, samples: 3),
      Row(
        "verify through the host", bar: .ratioAtMost(6),
        .timedAsync("verify") { keep(try await host.verify()) },
        against: .timed("decode and reduce") { keep(try decodeAndReduce(session)) }, samples: 3),
      Row(
        "skip step 10 and show the last state, through the host, beyond twice the bare reducer",
        bar: .atMost(0.1),
        .measured("skip − 2 × bare", unit: .seconds) {
          try await secondsToSkip(branch, host, actions)
        }, samples: 5),
      Row(
        "the same as the first thing that a loaded host is asked", bar: .atMost(0.1),
        .measured("skip − 2 × bare", unit: .seconds) {
          keep(folder)
          let others = Set(KernelFigures.children())
          let host = Self.host()
          try await host.load(path)
          for child in KernelFigures.children() where !others.contains(child) {
            try await KernelFigures.waitUntilIdle(child)
          }
          return try await secondsToSkip(branch, host, actions)
        }, samples: 3),
    ] + (try await leftOutRows(session, in: folder))
  }

  /// This program as the host of ``Stock``.
  static func host(patience: Duration = .seconds(120)) -> HostConnection {
    HostConnection(
      HostCommand(CommandLine.arguments[0], [hostOption]), limits: HostLimits(patience: patience))
  }

  /// Sessions whose states the recorder left out under load, against the same with all of them.
  private static func leftOutRows(
    _ whole: SessionReader, in folder: BenchFolder
  ) async throws -> [Row] {
    let steps = 20_000
    var hosts: [HostConnection] = []
    for (name, distance) in [("all", 1), ("half", 2), ("few", 100)] {
      let path = folder("left-out-\(name).retcon")
      var state = Stock.State()
      let writer = try SessionWriter(path: path, header: whole.header)
      let encoder = IncrementalEncoder()
      for step in 1...steps {
        let recorded = try whole.step(step)
        let action = try ValueDecoder().decode(Stock.Action.self, from: recorded.action)
        _ = Stock().reduce(into: &state, action: action)
        // Not a ternary: there `nil` would be the value null.
        var told: Value?
        if step.isMultiple(of: distance) { told = try encoder.encode(state) }
        try writer.append(recorded, state: told, isStateDropped: told == nil)
      }
      try writer.finish()
      let host = Self.host()
      try await host.load(path)
      hosts.append(host)
    }
    let fork = RunRequest(
      branch: BranchPath(
        name: "skip", Script(leavesAt: steps / 2, edits: [.skip(step: steps / 2 + 1)])))
    let (all, half, few) = (hosts[0], hosts[1], hosts[2])
    return [("half of the states", half), ("nearly all states", few)].flatMap { words, host in
      [
        Row(
          "verify a session with \(words) left out", bar: .ratioAtMost(2),
          .timedAsync("verify") { try await verify(host, steps) },
          against: .timedAsync("with all states") { try await verify(all, steps) }, samples: 3),
        Row(
          "fork a session with \(words) left out", bar: .ratioAtMost(2),
          .timedAsync("fork") { keep(try await host.run(fork)) },
          against: .timedAsync("with all states") { keep(try await all.run(fork)) }, samples: 3),
      ]
    }
  }

  /// A session that is not verified to its end would be verified in no time.
  private static func verify(_ host: HostConnection, _ steps: Int) async throws {
    let report = try await host.verify()
    guard report.isEqual, report.steps == steps else {
      throw OptionError(text: "\(report.steps) of \(steps) steps were verified")
    }
  }

  /// What skipping a step takes, and having the last state, beyond twice the bare reducer.
  private static func secondsToSkip(
    _ branch: BranchPath, _ host: HostConnection, _ actions: [Stock.Action]
  ) async throws -> Double {
    let watch = Stopwatch()
    let report = try await host.run(RunRequest(branch: branch, tells: .report))
    keep(try await host.state(of: branch, after: report.lastStep))
    let skipping = watch.seconds
    keep(reduceAll(actions))
    return skipping - 2 * (watch.seconds - skipping)
  }

  /// What the bench program is when it is started as a host.
  static func serve() { ReducerHost.serve(Stock()) }

  /// A stock of 450 items, of which each action changes one.
  struct Stock: Reducer {
    struct Item: Codable, Sendable {
      var id: Int
      var title: String
      var quantity = 0
      var tags = ["new", "on sale", "heavy"]
      var price = 9.99
    }

    struct State: Codable, Sendable {
      var items = (0..<450).map { Item(id: $0, title: "An item with the number \($0)") }
      var changes = 0
    }

    enum Action: Codable, Sendable {
      case added(item: Int, quantity: Int)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .added(let item, let quantity):
        state.items[item].quantity += quantity
        state.changes += 1
        return .none
      }
    }
  }

  static func record(to path: String, steps: Int) -> [Stock.Action] {
    record(
      (0..<steps).map { Stock.Action.added(item: $0 &* 7 % 450, quantity: $0 % 5) }, to: path)
  }

  @discardableResult
  static func record(_ actions: [Stock.Action], to path: String) -> [Stock.Action] {
    var options = RecordingOptions()
    options.backPressure = .wait(beyond: 2_000)
    let recorder = StoreRecorder<Stock.State, Stock.Action>(to: path, options: options)
    let store = Store(initialState: Stock.State(), hooks: recorder) { Stock() }
    for action in actions { store.send(action) }
    recorder.finish()
    return actions
  }

  static func reduceAll(_ actions: [Stock.Action]) -> Stock.State {
    var state = Stock.State()
    let reducer = Stock()
    for action in actions { _ = reducer.reduce(into: &state, action: action) }
    return state
  }

  static func decodeAndReduce(_ session: SessionReader) throws -> Stock.State {
    var state = Stock.State()
    let reducer = Stock()
    let decoder = ValueDecoder()
    for number in session.steps.dropFirst() {
      let action = try decoder.decode(Stock.Action.self, from: try session.step(number).action)
      _ = reducer.reduce(into: &state, action: action)
    }
    return state
  }
}
