import SessionFile
import SessionWords
import StoreCore
import TimeTravel
import ValueTree

/// The running app that a session comes from.
package struct RunningApp: Sendable {
  package enum Order: Sendable, Hashable {
    /// Takes a state; `step` is that of `main` with this state. The recorder takes the later
    /// actions as the fork, until the next jump.
    case jump(Value, step: Int?, play: SavedBranch? = nil)
    case send([Value])
    case pause
    case resume
    /// The state from before the first jump.
    case back
    /// Shows a state, and changes nothing. Without one it is a sign of life: two seconds without it
    /// end the showing. An order with a lower number than the last one came too late.
    case show(Value?, words: String, number: Int)
    case own(number: Int)
    case lock, unlock
    case commit, revert
  }

  var carryOut: @Sendable (Order) async throws -> Void
  /// Writes what the app did in the fork beside the session. Returns whether there was news.
  var savePlayed: @Sendable () -> Bool
  /// Gives the app its own state back, without waiting for it.
  package var leave: @Sendable () -> Void

  package init(
    _ carryOut: @escaping @Sendable (Order) async throws -> Void,
    savePlayed: @escaping @Sendable () -> Bool = { false },
    leave: @escaping @Sendable () -> Void = {}
  ) {
    (self.carryOut, self.savePlayed, self.leave) = (carryOut, savePlayed, leave)
  }
}

struct Driving: Sendable {
  var hasApp = false
  /// The command that the user has to type again.
  var asked: Drive?
  /// Whether the app shows the step at the cursor.
  var shows = false
  var shown: Shown?
  var orders = 0
  /// All sessions of the app, and the name of the open one.
  var sessions: [AppSession] = []
  var session: String?
  /// The session beside the open one.
  var beside: Branch?
  /// The newest session to which the user was sent.
  var newest: String?
  /// `:app send` offers these: actions of the app's action creators, then recorded ones. Nil until
  /// the user types it.
  var sendable: [ActionTemplate]?

  var openSession: AppSession? { sessions.first { $0.id == session } }

  /// The step that the app shows. A fork that ran again has other states.
  struct Shown: Sendable, Hashable {
    var place: Position
    var run: Int
    /// Behind the newest step, the app shows its own state.
    var isNewest: Bool
  }
}

/// A thing that `:app` does to the running app.
enum Drive: Sendable, Hashable {
  case jump(Position)
  case play(BranchID, name: String, behind: Int, upTo: Int)
  case order(RunningApp.Order, question: String, done: String)
  case follow

  init?(_ words: [String], in state: DebuggerState) {
    switch words.first {
    case "jump": self = .jump(state.here)
    case "send" where words.count > 1:
      let action = state.driving.action(words.dropFirst().joined(separator: " "))
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
    case "lock":
      self = .order(
        .lock, question: "Actions do nothing until :app unlock.", done: "The app is locked.")
    case "unlock":
      self = .order(
        .unlock, question: "Actions change the state again.", done: "The app is unlocked.")
    case "commit":
      self = .order(
        .commit, question: "The app’s state of now becomes the one to which :app revert returns.",
        done: "The app’s state is the one to which :app revert returns. The file keeps everything.")
    case "revert":
      self = .order(
        .revert, question: "The app gets the state of the last :app commit, or its first one.",
        done: "The app has the state of the last :app commit, or its first one.")
    case "follow" where words.last == "on": self = .follow
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
    case .follow:
      "The app shows each step that you go to. Its own state stays, and no step is recorded for it."
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
    case .follow: return ""
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
    let isOfMain = place.branch == .main || play?.script.parent == .main
    try await carryOut(.jump(state, step: isOfMain ? place.step : nil, play: play))
  }
}

extension Driving {
  /// A typed action: JSON, or a label with what it carries.
  fileprivate func action(_ text: String) -> Value {
    let typed = try? TypedAction(text)
    if case .json(let action)? = typed { return action }
    guard case .label(let label, let content)? = typed else { return ["type": .string(text)] }
    let known = sendable?.first { $0.label == label }?.action ?? ["type": .string(label)]
    return content.flatMap { known.carrying($0, label: label) } ?? known
  }

  /// The actions that a typed text begins.
  func sendable(_ typed: String) -> [String] {
    var known: Set<String> = [typed]
    return (sendable ?? []).map { template in
      let like = sendable?.first { $0.label == template.label }?.action
      return TypedAction.text(template.action, label: template.label, like: like)
    }.filter { $0.hasPrefix(typed) && known.insert($0).inserted }
  }
}

extension DebuggerUpdate {
  /// Looks for what `:app send` can offer, once it is typed.
  mutating func findSendable() {
    guard state.driving.hasApp, state.driving.sendable == nil else { return }
    state.driving.sendable = []
    effects.append(.findSendable(near: state.here))
  }

  mutating func receiveSendable(_ found: [ActionTemplate]) {
    state.driving.sendable? += found
    lineChanged()
  }
}

extension Effect<DebuggerAction> {
  fileprivate static func findSendable(near place: Position) -> Effect {
    .doing("find actions") { session, send in
      await send(.sendableFound((try? await session.exampleActions()) ?? []))
      try? await session.templates(near: place) { await send(.sendableFound($0)) }
    }
  }
}

extension DebuggerState {
  fileprivate var wantedInApp: Driving.Shown {
    let isNewest = here == Position(step: session.steps.upperBound) && !session.isFinished
    return Driving.Shown(place: here, run: branch.run, isNewest: isNewest)
  }
}

extension DebuggerUpdate {
  /// Does something to the running app once it is asked for twice.
  mutating func drive(_ words: [String]) {
    guard state.driving.hasApp else {
      return say("No app is attached here: retcon attach does it.", .warning)
    }
    if words == ["follow", "off"] { return stopShowing() }
    guard let drive = Drive(words, in: state) else {
      return say(
        "Write :app follow on or off, jump, back, send ACTION, pause, resume, lock, unlock, commit or "
          + "revert; on a fork also play.", .warning)
    }
    guard state.driving.asked == drive else {
      state.driving.asked = drive
      return say("\(drive.question(in: state)) The same command again does it.")
    }
    state.driving.asked = nil
    guard drive == .follow else { return effects.append(.drive(drive)) }
    state.driving.shows = true
    say("The app shows each step that you go to. :app follow off ends it.")
  }

  /// Shows in the app what the cursor is at.
  mutating func renewShown() {
    let wanted = state.wantedInApp
    guard state.driving.shows, state.driving.shown != wanted else { return }
    state.driving.shown = wanted
    state.driving.orders += 1
    effects.append(
      .show(wanted, words: state.text(of: wanted.place), number: state.driving.orders))
  }

  private mutating func stopShowing() {
    (state.driving.shows, state.driving.shown) = (false, nil)
    state.driving.orders += 1
    let own = RunningApp.Order.own(number: state.driving.orders)
    effects += [
      .cancel(id: Background.Job.showing),
      .drive(.order(own, question: "", done: "The app shows its own state.")),
    ]
  }

  mutating func stopShowing(_ words: String) {
    (state.driving.shows, state.driving.shown) = (false, nil)
    say("The app follows no longer: \(words)", .failure)
  }
}

extension Effect<DebuggerAction> {
  static func drive(_ drive: Drive) -> Effect {
    .doing("drive the app", orSend: { .said(Message($0, .failure)) }) { session, send in
      @Dependency(\.background?.app) var app
      if let app { await send(.said(Message(try await drive.carryOut(by: app, session)))) }
    }
  }
  /// Shows a state as long as the effect runs. The short wait is for a user who moves on.
  static func show(_ wanted: Driving.Shown, words: String, number: Int) -> Effect {
    .doing("show in the app", orSend: { .showingFailed($0) }) { session, _ in
      @Dependency(\.continuousClock) var clock
      @Dependency(\.background?.app) var app
      guard let app else { return }
      guard !wanted.isNewest else { return try await app.carryOut(.own(number: number)) }
      try await clock.sleep(for: .milliseconds(40))
      var state = try await session.state(at: wanted.place)
      guard state != nil else { return try await app.carryOut(.own(number: number)) }
      while true {
        let words = "Retcon shows step \(words), not the app’s own state"
        try await app.carryOut(.show(state, words: words, number: number))
        state = nil
        try await clock.sleep(for: .milliseconds(500))
      }
    }.cancellable(id: Background.Job.showing, cancelInFlight: true)
  }
}
