import SessionFile
import SessionWords
import StoreCore
import TimeTravel
import ValueTree

/// The running app that a session comes from.
package struct RunningApp: Sendable {
  package enum Order: Sendable, Hashable {
    /// The recorder takes the later actions as the fork, until the next jump.
    case jump(Value, step: Int, play: SavedBranch? = nil)
    case send([Value])
    case pause
    case resume
    /// The state from before the first jump.
    case back
  }

  var carryOut: @Sendable (Order) async throws -> Void
  /// Writes what the app did in the fork beside the session. Returns whether there was news.
  var keepPlayed: @Sendable () -> Bool

  package init(
    _ carryOut: @escaping @Sendable (Order) async throws -> Void,
    keepPlayed: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.carryOut, self.keepPlayed) = (carryOut, keepPlayed)
  }
}

struct Driving: Sendable {
  var hasApp = false
  /// The command that the user has to type again.
  var asked: Drive?
}

/// A thing that `:app` does to the running app.
enum Drive: Sendable, Hashable {
  case jump(Position)
  case play(BranchID, name: String, behind: Int, upTo: Int)
  case order(RunningApp.Order, question: String, done: String)

  init?(_ words: [String], in state: DebuggerState) {
    switch words.first {
    case "jump": self = .jump(state.here)
    case "send" where words.count > 1:
      let text = words.dropFirst().joined(separator: " ")
      let action = (try? Value(parsing: text)) ?? ["type": .string(text)]
      self = .order(
        .send([action]), question: "The app’s store gets this action, past its middleware.",
        done: "The app’s store has got the action.")
    case "play":
      guard let script = state.branch.script else { return nil }
      self = .play(
        state.branch.id, name: state.branch.name, behind: script.leavesAt,
        upTo: state.branch.steps.upperBound)
    case "pause":
      self = .order(
        .pause, question: "Nothing is recorded until :app resume.", done: "Recording pauses.")
    case "resume":
      self = .order(
        .resume, question: "Recording goes on, with one step for all that changed.",
        done: "Recording goes on.")
    case "back":
      self = .order(
        .back, question: "The app gets the state from before the first jump.",
        done: "The app is back.")
    default: return nil
    }
  }

  func question(in state: DebuggerState) -> String {
    switch self {
    case .jump(let place):
      "The app gets the state after \(state.text(of: place)). What it has asked of others stays done."
    case .play(_, let name, let step, let last):
      "The app gets the state after step \(step), then the \(counted(last - step, "action")) of “\(name)”."
    case .order(_, let question, _): question
    }
  }

  /// Does it, and returns what to say.
  func carryOut(by app: RunningApp, _ session: OpenSession) async throws -> String {
    switch self {
    case .jump(let place):
      try await app.jump(to: place, session)
      return "The app is at \(session.text(of: place)). :app back takes it back."
    case .play(let fork, let name, let first, let last):
      guard last > first, last - first <= 10_000 else {
        throw Trouble("“\(name)” has no actions that can be played", place: name)
      }
      let actions = try (first + 1...last).map {
        try session.step(at: Position(branch: fork, step: $0)).step.action
      }
      guard let script = session.branch(fork)?.script else { return "" }
      let played = SavedBranch(
        name: session.freeID(for: "\(name) in the app").firstName,
        script: Script(parent: BranchID(session.name(of: script.parent)), leavesAt: first))
      try await app.jump(to: Position(branch: fork, step: first), session, play: played)
      try await app.carryOut(.send(actions))
      return "“\(name)” runs in the app. The app’s actions are “\(played.name)”, until :app back."
    case .order(let order, _, let done):
      try await app.carryOut(order)
      return done
    }
  }
}

extension RunningApp {
  fileprivate func jump(
    to place: Position, _ session: OpenSession, play: SavedBranch? = nil
  ) async throws {
    guard let state = try await session.state(at: place) else {
      throw Trouble("no state is known here", place: session.text(of: place))
    }
    try await carryOut(.jump(state, step: place.step, play: play))
  }
}

extension DebuggerUpdate {
  /// Does something to the running app once it is asked for twice.
  mutating func drive(_ words: [String]) {
    guard state.driving.hasApp else {
      return say("No app is attached here: retcon attach does it.", .warning)
    }
    guard let drive = Drive(words, in: state) else {
      return say(
        "Write :app jump, send ACTION, pause, resume or back; on a fork also play.", .warning)
    }
    guard state.driving.asked == drive else {
      state.driving.asked = drive
      return say("\(drive.question(in: state)) The same command again does it.")
    }
    state.driving.asked = nil
    effects.append(.drive(drive))
  }
}

extension Effect<DebuggerAction> {
  static func drive(_ drive: Drive) -> Effect {
    .doing("drive the app", orSend: { .said(Message($0, .failure)) }) { session, send in
      @Dependency(\.background?.app) var app
      if let app { await send(.said(Message(try await drive.carryOut(by: app, session)))) }
    }
  }
}
