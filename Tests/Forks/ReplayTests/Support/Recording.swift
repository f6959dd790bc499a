import Platform
import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import Synchronization
import Testing
import ValueTree

@testable import Replay

/// A file that only this test knows, gone when the test is over.
final class TemporaryFile: Sendable {
  private static let count = Atomic<Int>(0)
  let path: String

  init(_ suffix: String = "retcon") {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    path = "/tmp/replay-tests-\(getpid())-\(number).\(suffix)"
  }

  deinit { unlink(path) }
}

/// An act of a test with a live app while it is recorded.
enum Doing<Action: Sendable>: Sendable {
  case send(Action)
  case wait(Duration)
  /// Cancels the task of the n-th `send`.
  case cancel(Int)
}

/// The unusual options of a recording.
struct RecordingWays {
  var states = SessionHeader.StatePolicy.everyStep
  var tapesBuiltIns = true
  /// The app is let go, and its effects with it, while it is still recorded.
  var isLetGo = true
}

/// Runs an app live on a controlled clock and records it.
func record<State: Codable & Sendable, Action: Codable & Sendable>(
  _ reducer: some Reducer<State, Action>, from state: State, _ doing: [Doing<Action>],
  _ ways: RecordingWays = RecordingWays(),
  withDependencies change: @escaping @Sendable (inout DependencyValues, Tape) -> Void = { _, _ in }
) async throws -> (session: SessionReader, states: [State], file: TemporaryFile) {
  let file = TemporaryFile()
  let clock = TestClock()
  var options = RecordingOptions(app: .init("Test"))
  options.clock = { clock.now.offset }
  options.started = "2026-11-20T10:56:00Z"
  options.snapshots = .copied
  options.states = ways.states
  options.backPressure = .wait(beyond: 1000)
  let recorder = StoreRecorder<State, Action>(
    to: file.path, options: options, tapesBuiltIns: ways.tapesBuiltIns)
  let hooks = StateHooks(recorder)
  var tasks: [StoreTask] = []
  do {
    let store = Store(initialState: state, hooks: hooks) {
      reducer
    } withDependencies: {
      $0.continuousClock = clock
      change(&$0, recorder.tape)
    }
    await clock.advance()
    for doing in doing {
      switch doing {
      case .send(let action): tasks.append(store.send(action))
      case .wait(let duration): await clock.advance(by: duration)
      case .cancel(let index): tasks[index].cancel()
      }
      await clock.advance()
    }
    if !ways.isLetGo { recorder.finish() }
    withExtendedLifetime(store) {}
  }
  recorder.finish()
  return (try SessionReader(path: file.path), hooks.states.withLock { $0 }, file)
}

/// Notes every state beside the recorder.
private final class StateHooks<State: Codable & Sendable, Action: Codable & Sendable>: StoreHooks {
  let recorder: StoreRecorder<State, Action>?
  let states = ReplayTestLock<[State]>([])

  init(_ recorder: StoreRecorder<State, Action>?) { self.recorder = recorder }

  func prepare(_ dependencies: inout DependencyValues) { recorder?.prepare(&dependencies) }
  func started(with state: State) {
    states.withLock { $0.append(state) }
    recorder?.started(with: state)
  }
  func aroundReduce(
    _ action: Action, in step: StoreStep, before: State, reduce: () -> State
  ) {
    func noting() -> State {
      let state = reduce()
      states.withLock { $0.append(state) }
      return state
    }
    guard let recorder else {
      _ = noting()
      return
    }
    recorder.aroundReduce(action, in: step, before: before, reduce: noting)
  }
  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
    guard let recorder else { return await body() }
    await recorder.aroundEffect(effect, body: body)
  }
  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {
    recorder?.effectChanged(effect, change)
  }
  func namesCancelID(_ effect: StoreEffect, _ id: String) {
    recorder?.namesCancelID(effect, id)
  }
}

/// `@unchecked Sendable`: the value is touched only while the lock is held.
final class ReplayTestLock<Guarded>: @unchecked Sendable {
  private var guarded: Guarded
  private let lock = Lock()

  init(_ guarded: Guarded) { self.guarded = guarded }

  func withLock<Result>(_ work: (inout Guarded) throws -> Result) rethrows -> Result {
    try lock.withLock { try work(&guarded) }
  }
}

/// A recorded shop, ready to be run again.
struct RecordedShop {
  let session: SessionReader
  let states: [Shop.State]
  let replay: SessionReplay
  let file: TemporaryFile

  static func tapes(_ dependencies: inout DependencyValues, _ tape: Tape) {
    dependencies.shop.answer = tape.closure("answer", dependencies.shop.answer)
    dependencies.shop.rate = tape.closure("rate", dependencies.shop.rate)
  }

  static let setup = ReplaySetup(Shop()) { tapes(&$0, Tape()) }

  init(
    _ doing: [Doing<Shop.Action>], _ ways: RecordingWays = RecordingWays(),
    from state: Shop.State = Shop.State(),
    setup: ReplaySetup<Shop.State, Shop.Action> = Self.setup
  ) async throws {
    (session, states, file) = try await record(
      Shop(), from: state, doing, ways
    ) {
      Self.tapes(&$0, $1)
    }
    replay = try SessionReplay(session, setup)
  }

  /// A branch as text: one line a step.
  func run(
    leavesAt: Int, rest: Script.Rest = .rerun, _ edits: Edit...
  ) throws -> (lines: [String], report: BranchReport, states: [Shop.State]) {
    try run([Script(leavesAt: leavesAt, rest: rest, edits: edits)])
  }

  func run(
    _ scripts: [Script]
  ) throws -> (lines: [String], report: BranchReport, states: [Shop.State]) {
    var lines: [String] = []
    var states: [Shop.State] = []
    var state = try replay.state(
      of: Array(scripts.dropLast()), after: scripts.last?.leavesAt ?? 0)
    let report = try replay.run(scripts) { step in
      lines.append(step.line)
      if let patch = step.patch, let next = try? Patch(patch).applied(to: state) { state = next }
      if let typed = try? ValueDecoder().decode(Shop.State.self, from: state) {
        states.append(typed)
      }
    }
    return (lines, report, states)
  }
}

extension RecordedShop {
  /// A branch of the recording as a session of its own.
  func exported(_ script: Script) throws -> (session: SessionReader, file: TemporaryFile) {
    let file = TemporaryFile()
    let writer = try SessionWriter(path: file.path, header: session.header)
    for number in session.steps.dropFirst().prefix(script.leavesAt) {
      try writer.append(try session.step(number), state: try session.state(after: number))
      for event in try session.effectEvents(in: number...number) { try writer.append(event) }
    }
    var state = try replay.state(of: [], after: script.leavesAt)
    var steps: [BranchStep] = []
    _ = try replay.run([script]) { steps.append($0) }
    for step in steps {
      state = try Patch(step.patch ?? []).applied(to: state)
      var told = step.step
      told.standing = step.standing
      try writer.append(told, state: state)
      for event in step.effects { try writer.append(event) }
    }
    try writer.finish()
    return (try SessionReader(path: file.path), file)
  }
}

extension BranchStep {
  /// `5 add ←6 recorded/equal`, with the cause where it is not the user.
  var line: String {
    let cause =
      switch step.cause {
      case .user, .outside, .unknown: ""
      case .effect(let number): " ⚡\(number)"
      case .output(let step): " of \(step)"
      }
    let source = descendsFrom.map { " ←\($0)" } ?? " new"
    return "\(step.number) \(step.label)\(cause)\(source) "
      + "\(standing.values.rawValue)/\(standing.outcome.rawValue)"
  }
}

extension Value {
  static func encoding(_ value: some Encodable) throws -> Value { try ValueEncoder().encode(value) }
}
