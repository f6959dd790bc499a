import ForkSearch
import HostProtocol
import Platform
import ReducerHost
import SessionFile
import StoreCore
import StoreRecording
import TimeTravel

/// Searches over forks through hosts, as a person experiences them.
enum ForkSearchRows {
  static let topic = Topic(name: "Searches over forks") { folder in
    let stock = recordStock(to: folder("stock.retcon"))
    let mail = await recordMail(to: folder("mail.retcon"))
    return [
      Row(
        "minimise 10,000 steps with states of 50 KB to the three that matter, two hosts",
        bar: .atMost(20),
        .measured { try minimising.run([stock])[0] }, samples: 3),
      Row(
        "memory of the debugger's process and both hosts after it", bar: .atMost(256e6),
        .measured(unit: .bytes) { try minimising.run([stock])[1] }, samples: 1),
      Row(
        "explore two reversals among 12 effects, two hosts", bar: .atMost(5),
        .measured { try await explore(mail) }, samples: 3),
    ]
  }

  private static func recordStock(to path: String) -> String {
    var actions = ReplayRows.actions(10_000)
    for (step, item) in [(2_000, 3), (6_000, 4), (9_999, 5)] {
      actions[step] = .added(item: item, quantity: 1_000)
    }
    ReplayRows.record(actions, to: path)
    return path
  }

  private static func recordMail(to path: String) async -> String {
    let recorder = StoreRecorder<Mail.State, Mail.Action>(to: path)
    let store = Store(initialState: Mail.State(), hooks: recorder) { Mail() }
    for number in 0..<12 { store.send(.asked(number)) }
    while store.state.count < 12 { await Task.yield() }
    recorder.finish()
    return path
  }

  /// Minimises in a fresh process: the time, and the memory of it and its hosts.
  static let minimising = Probe(name: "minimising") { arguments in
    let condition = (3...5).map { "state.items[\($0)].quantity >= 1000" }.joined(separator: " && ")
    return try await searching(arguments[0], condition, on: "stock") { search, trials in
      let watch = Stopwatch()
      let minimum = try await Minimizer(search.base, search.goal, trials).minimum(.untried)
      let seconds = watch.seconds
      guard minimum.actions.count == 3 else {
        throw OptionError(text: "\(minimum.actions.count) actions are left")
      }
      let bytes = try KernelFigures.children().reduce(KernelFigures.privateBytes()) {
        try $0 + KernelFigures.proportionalBytes(of: $1)
      }
      return [seconds, bytes]
    }
  }

  private static func explore(_ path: String) async throws -> Double {
    try await searching(path, "state.count > 12", on: "mail") { search, trials in
      let watch = Stopwatch()
      let found = try await Explorer(search.base, search.goal, trials, from: 0)
        .explore(reversals: 2, all: true)
      guard found.reversals == 2 else { throw OptionError(text: found.sentence) }
      return watch.seconds
    }
  }

  private static func searching<Found: Sendable>(
    _ path: String, _ condition: String, on app: String,
    _ work: (HostTrials, Trials) async throws -> Found
  ) async throws -> Found {
    let hosts = [ReplayRows.host(app), ReplayRows.host(app)]
    defer { for host in hosts { host.end() } }
    let goal = try StepQuestion(condition)
    let reader = try SessionReader(path: path)
    for host in hosts { try await host.load(path, as: reader) }
    let recording = SessionRecording(reader)
    try await recording.findEffects()
    let open = OpenSession(recording, host: hosts[0])
    let first = try await open.firstStep(where: goal, in: reader.steps, of: .main)
    let base = try SearchedSession(
      open, upTo: first ?? reader.steps.upperBound, happens: first != nil)
    let search = try HostTrials(base, .holds(goal), on: hosts)
    return try await work(
      search, Trials(lanes: hosts.count) { try await search.tries($0, lane: $1) })
  }

  /// Asks twelve times, and every answer matters.
  struct Mail: Reducer {
    struct State: Codable, Sendable {
      var count = 0
      var last = 0
    }

    enum Action: Codable, Sendable {
      case asked(Int)
      case answered(Int)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .asked(let number):
        return .run(name: "ask") { send in await send(.answered(number)) }
      case .answered(let number):
        state.count += 1
        state.last = number
        return .none
      }
    }
  }
}
