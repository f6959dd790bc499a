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
  static let hostOption = "--mail-host"

  static let topic = Topic(name: "Searches over forks") {
    let folder = try BenchFolder()
    return [
      Row(
        "minimise 10,000 steps with states of 50 KB to the three that matter, two hosts",
        bar: .atMost(20),
        .measured("minimise", unit: .seconds) { try minimising.run([stock(in: folder)])[0] },
        samples: 3),
      Row(
        "memory of the debugger's process and both hosts after it", bar: .atMost(256e6),
        .measured("memory", unit: .bytes) { try minimising.run([stock(in: folder)])[1] },
        samples: 1),
      Row(
        "explore two reversals among 12 effects, two hosts", bar: .atMost(5),
        .measured("explore", unit: .seconds) { try await explore(in: folder) }, samples: 3),
    ]
  }

  private static func stock(in folder: BenchFolder) -> String {
    let path = folder("stock.retcon")
    if access(path, R_OK) != 0 {
      var actions = (0..<10_000).map {
        ReplayRows.Stock.Action.added(item: $0 &* 7 % 450, quantity: $0 % 5)
      }
      for (step, item) in [(2_000, 3), (6_000, 4), (9_999, 5)] {
        actions[step] = .added(item: item, quantity: 1_000)
      }
      ReplayRows.record(actions, to: path)
    }
    return path
  }

  /// Minimises in a fresh process: the time, and the memory of it and its hosts.
  static let minimising = Probe(name: "minimising") { arguments in
    let goal = try StepQuestion(
      "state.items[3].quantity >= 1000 && state.items[4].quantity >= 1000 && state.items[5].quantity >= 1000"
    )
    let hosts = connections(ReplayRows.hostOption)
    defer { for host in hosts { host.end() } }
    let search = try await search(arguments[0], goal, hosts)
    let watch = Stopwatch()
    let trials = Trials(lanes: 2) { try await search.tries($0, lane: $1) }
    let minimum = try await Minimizer(search.base, search.goal, trials).minimum(simplifies: false)
    let seconds = watch.seconds
    guard minimum.actions.count == 3 else {
      throw OptionError(text: "\(minimum.actions.count) actions are left")
    }
    var bytes = try KernelFigures.privateBytes()
    for child in KernelFigures.children() {
      bytes += try KernelFigures.proportionalBytes(of: child)
    }
    return [seconds, bytes]
  }

  private static func explore(in folder: BenchFolder) async throws -> Double {
    let path = folder("mail.retcon")
    if access(path, R_OK) != 0 {
      let recorder = StoreRecorder<Mail.State, Mail.Action>(to: path)
      let store = Store(initialState: Mail.State(), hooks: recorder) { Mail() }
      for number in 0..<12 { store.send(.asked(number)) }
      while store.state.count < 12 { await Task.yield() }
      recorder.finish()
    }
    let hosts = connections(hostOption)
    defer { for host in hosts { host.end() } }
    let search = try await search(path, try StepQuestion("state.count > 12"), hosts)
    let watch = Stopwatch()
    let trials = Trials(lanes: 2) { try await search.tries($0, lane: $1) }
    let found = try await Explorer(search.base, search.goal, trials, from: 0)
      .explore(reversals: 2, all: true)
    guard found.reversals == 2 else { throw OptionError(text: found.sentence) }
    return watch.seconds
  }

  private static func connections(_ option: String) -> [HostConnection] {
    (0..<2).map { _ in HostConnection(HostCommand(CommandLine.arguments[0], [option])) }
  }

  private static func search(
    _ path: String, _ goal: StepQuestion, _ hosts: [HostConnection]
  ) async throws -> HostTrials {
    let reader = try SessionReader(path: path)
    for host in hosts { try await host.load(path, as: reader) }
    let recording = SessionRecording(reader)
    try await recording.findEffects()
    let open = OpenSession(recording, host: hosts[0])
    let first = try await open.firstStep(where: goal, in: reader.steps, of: Branch.main)
    let base = try SearchedSession(open, upTo: first ?? reader.steps.upperBound)
    return try HostTrials(base, .holds(goal), on: hosts)
  }

  static func serve() { ReducerHost.serve(Mail()) }

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
