import HostProtocol
import Recorder
import ReducerHost
import Replay
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// Replaying 100,000 steps with states of 50 KB, compared with the bare reducer.
enum ReplayRows {
  static let hostOption = "--replay-host"
  private static let stepCount = 100_000

  static let topic = Topic(name: "Replay") { folder in
    let path = folder("replay.retcon")
    let actions = actions(stepCount)
    record(actions, to: path)
    let session = try SessionReader(path: path)
    let replay = try SessionReplay(session, ReplaySetup(Stock()))
    let skip = Script(leavesAt: 9, edits: [.skip(step: 10)])
    let bare = Work.timed("the bare reducer") { blackHole(reduceAll(actions)) }
    let host = Self.host()
    try await host.load(path)
    let branch = BranchPath("skip", skip)
    _ = try await host.run(RunRequest(branch: branch, from: nil))
    return [
      Row(
        "run again in process, nothing told", bar: .watched("grows with reads and effects"),
        .timed { blackHole(try replay.run([], from: nil)) }, against: bare, samples: 5),
      Row(
        "run again in process, every step compared and told",
        bar: .watched("states are encoded at the cost of what changed"),
        .timed { blackHole(try replay.run([])) }, against: bare, samples: 3),
      Row(
        "verify through the host", bar: .ratioAtMost(6),
        .timedAsync { blackHole(try await host.verify()) },
        against: .timed("decode and reduce") {
          blackHole(reduceAll(try decode(Stock.Action.self, in: session)))
        }, samples: 3),
      Row(
        "skip step 10 and show the last state, through the host, beyond twice the bare reducer",
        bar: .atMost(0.1),
        .measured { try await secondsToSkip(branch, host) { blackHole(reduceAll(actions)) } },
        samples: 5),
      Row(
        "the same as the first thing that a loaded host is asked", bar: .atMost(0.1),
        .measured {
          let others = Set(KernelFigures.children())
          let host = Self.host()
          try await host.load(path)
          for child in KernelFigures.children() where !others.contains(child) {
            try await KernelFigures.waitUntilIdle(child)
          }
          return try await secondsToSkip(branch, host) { blackHole(reduceAll(actions)) }
        }, samples: 3),
    ] + (try await askingRows(in: folder)) + (try await leftOutRows(session, in: folder))
  }

  static func host(_ app: String = "stock", patience: Duration = .seconds(120)) -> HostConnection {
    HostConnection(
      HostCommand(CommandLine.arguments[0], [hostOption, app]),
      limits: HostLimits(patience: patience))
  }

  /// An app whose steps and effects ask, and that starts pauses.
  private static func askingRows(in folder: BenchFolder) async throws -> [Row] {
    let path = folder("till.retcon")
    let start = Till.State(items: Stock.State().items)
    await Till.record(to: path, actions: 80_000, from: start)
    let session = try SessionReader(path: path)
    let host = Self.host("till")
    try await host.load(path)
    let skip = Script(leavesAt: 2, edits: [.skip(step: 3)])
    let actions = try decode(Till.Action.self, in: session)
    let large = folder("large.retcon")
    await Till.record(
      to: large, actions: 2_000,
      from: Till.State(items: (0..<8_000).map { .init(id: $0, title: "An item") }))
    let replay = try SessionReplay(try SessionReader(path: large), Till.setup)
    return [
      Row(
        "verify steps that ask and wait, through the host", bar: .ratioAtMost(6),
        .timedAsync { try await verify(host, actions.count) },
        against: .timed("decode and reduce") {
          blackHole(reduceAll(try decode(Till.Action.self, in: session), Till(), start))
        }, samples: 3),
      Row(
        "skip a step of those and show the last state, beyond twice the bare reducer",
        bar: .watched("each effect that starts in another state is compared with the recorded one"),
        .measured {
          try await secondsToSkip(BranchPath("skip", skip), host) {
            blackHole(reduceAll(actions, Till(), start))
          }
        }, samples: 3),
      Row(
        "fork a session with states of 800 KB whose effects all start in other states",
        bar: .ratioAtMost(5),
        .timed {
          let doubts = try replay.run([skip]).assumptions
          guard doubts.isEmpty else { throw OptionError(text: doubts[0].sentence) }
        }, against: .timed("run again") { blackHole(try replay.run([])) }, samples: 3),
    ]
  }

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
        "skip", Script(leavesAt: steps / 2, edits: [.skip(step: steps / 2 + 1)])))
    let (all, half, few) = (hosts[0], hosts[1], hosts[2])
    return [("half of the states", half), ("nearly all states", few)].flatMap { words, host in
      [
        Row(
          "verify a session with \(words) left out", bar: .ratioAtMost(2),
          .timedAsync { try await verify(host, steps) },
          against: .timedAsync("with all states") { try await verify(all, steps) }, samples: 3),
        Row(
          "fork a session with \(words) left out", bar: .ratioAtMost(2),
          .timedAsync { blackHole(try await host.run(fork)) },
          against: .timedAsync("with all states") { blackHole(try await all.run(fork)) }, samples: 3
        ),
      ]
    }
  }

  private static func verify(_ host: HostConnection, _ steps: Int) async throws {
    let report = try await host.verify()
    guard report.isEqual, report.steps == steps else {
      throw OptionError(text: "\(report.steps) of \(steps) steps were verified")
    }
  }

  /// The time to skip a step and get the last state, beyond twice the bare reducer.
  private static func secondsToSkip(
    _ branch: BranchPath, _ host: HostConnection, bare: () -> Void
  ) async throws -> Double {
    let watch = Stopwatch()
    let report = try await host.run(RunRequest(branch: branch, from: nil))
    blackHole(try await host.state(of: branch, after: report.lastStep))
    let skipping = watch.seconds
    bare()
    return skipping - 2 * (watch.seconds - skipping)
  }

  static func serve() {
    switch CommandLine.arguments.last {
    case "till": ReducerHost.serve(Till.setup)
    case "mail": ReducerHost.serve(ForkSearchRows.Mail())
    default: ReducerHost.serve(Stock())
    }
  }

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

  static func actions(_ count: Int) -> [Stock.Action] {
    (0..<count).map { .added(item: $0 &* 7 % 450, quantity: $0 % 5) }
  }

  static func record(_ actions: [Stock.Action], to path: String) {
    var options = RecordingOptions()
    options.backPressure = .wait(beyond: 2_000)
    let recorder = StoreRecorder<Stock.State, Stock.Action>(to: path, options: options)
    let store = Store(initialState: Stock.State(), hooks: recorder) { Stock() }
    for action in actions { store.send(action) }
    recorder.finish()
  }

  static func reduceAll(_ actions: [Stock.Action]) -> Stock.State {
    reduceAll(actions, Stock(), Stock.State())
  }

  static func reduceAll<App: Reducer>(
    _ actions: [App.Action], _ app: App, _ start: App.State
  ) -> App.State {
    var state = start
    for action in actions { _ = app.reduce(into: &state, action: action) }
    return state
  }

  private static func decode<Action: Decodable>(
    _: Action.Type, in session: SessionReader
  ) throws -> [Action] {
    let decoder = ValueDecoder()
    return try session.steps.dropFirst().map {
      try decoder.decode(Action.self, from: try session.step($0).action)
    }
  }
}
