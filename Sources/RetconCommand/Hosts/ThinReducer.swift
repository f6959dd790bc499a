import HostProtocol
import Platform
import Recorder
import ReducerHost
import Replay
import StoreCore
import ValueTree

/// A state of a reducer in another process.
struct ThinState: ValueForm, Sendable {
  /// The first member, because it is what the state encodes to.
  let json: Value
  /// Its number in the other process; nil if not sent yet.
  var number: StateNumber?
  /// The reducer has thrown, and no step has run since.
  var isBroken = false

  init(_ json: Value, _ number: StateNumber? = nil) {
    self.json = json
    self.number = number
  }

  init(from decoder: any Decoder) throws { json = try Value(from: decoder) }
  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// The number of a state, which the other process may forget when nobody holds it here any more.
struct StateNumber: CopiedOnWrite, Sendable {
  static var heldTypes: [Any.Type] { [] }

  final class Held: Sendable {
    let number: Int
    /// Which of the processes, one after another, knows it.
    let process: Int
    private let forget: @Sendable (Held) -> Void

    init(_ number: Int, in process: Int, forget: @escaping @Sendable (Held) -> Void) {
      self.number = number
      self.process = process
      self.forget = forget
    }

    deinit { forget(self) }
  }

  let held: Held
}

struct ThinAction: ValueForm, Sendable, LabelledAction {
  let json: Value

  init(from decoder: any Decoder) throws { json = try Value(from: decoder) }
  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  var actionLabel: String {
    switch json["type"] ?? json["label"] {
    case .string(let text): text
    case .number(let number): number.text
    default: "(no type)"
    }
  }
}

struct ThinReducer: Reducer {
  let host: ThinHost

  func reduce(into state: inout ThinState, action: ThinAction) -> Effect<ThinAction> {
    host.reduce(&state, action.json)
    return .none
  }
}

/// The engine between a debugger and a host that only reduces: started by ``HostConnection``.
struct ServeReducerCommand: Command {
  static let declaration = CommandDeclaration(
    name: "serve-reducer", usage: "SECONDS BYTES PROGRAM [ARGUMENT…]",
    summary: "serve a reducer that another program holds", isHidden: true)

  static func engine(_ program: String) -> [String] { [program, declaration.name, "--"] }

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    guard given.positionals.count > 2, let seconds = Double(given.positionals[0]),
      let longestLine = Int(given.positionals[1])
    else {
      throw UsageError(what: "serve-reducer needs seconds, bytes and a program")
    }
    let command = HostCommand(given.positionals[2], Array(given.positionals.dropFirst(3)))
    let streams = HostStreams.moved()
    let host = ThinHost(command, batch: .seconds(seconds), longestLine: longestLine)
    var greeting = HostGreeting(name: try host.greet(), seesEffects: false)
    greeting.runsLive = false
    var setup = ReplaySetup(ThinReducer(host: host))
    setup.remote = host.remote
    setup.makeStart = { try host.start(of: $0) }
    ReducerHost.serve(setup, greeting, over: streams)
    host.end()
    return .yes
  }
}
