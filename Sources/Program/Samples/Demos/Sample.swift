import SessionLog
import StoreCore
import StoreRecording
import ValueTree

/// A small app in Retcon, to record, demonstrate and host.
package protocol Sample: Sendable {
  associatedtype App: Reducer where App.State: Codable & Equatable, App.Action: Codable & Equatable

  static var name: String { get }
  static var title: String { get }

  static func app() -> App
  static func initialState() -> App.State

  /// A person's actions in the demo, with the time before each.
  static func demo() -> [DemoMove<App.Action>]

  static var show: DemoShow? { get }

  /// Records the app's own dependencies; the built-in ones are recorded already.
  static func putDependenciesOnTape(_ dependencies: inout DependencyValues, _ tape: Tape)
}

package struct DemoMove<Action: Sendable>: Sendable {
  package var pause: Duration
  package var action: Action

  package init(after pause: Duration, _ action: Action) {
    self.pause = pause
    self.action = action
  }
}

/// A step with an error, and a fork without it.
package struct DemoShow: Sendable {
  package var step: Int
  package var fork: SavedBranch
  package var words: String

  init(at step: Int, _ words: String, fork name: String, action: Value) {
    self.step = step
    self.words = words
    fork = SavedBranch(
      name: name,
      script: Script(leavesAt: step - 1, edits: [.replace(step: step, action: action)]))
  }
}

package enum Samples {
  package static let all: [any Sample.Type] = [
    CounterSample.self, PrimesSample.self, WishesSample.self,
  ]

  package static func named(_ name: String) -> (any Sample.Type)? {
    all.first { $0.name == name }
  }
}

/// The same fixed time for all demos.
private let demoStart = "2026-01-05T09:30:00.000Z"

extension Sample {
  package static var show: DemoShow? { nil }

  private static var demoApp: SessionHeader.App { SessionHeader.App(title, version: "1.0") }

  /// Whether a header belongs to one of this sample's demos.
  package static func recorded(_ app: SessionHeader.App, started: String?) -> Bool {
    app == demoApp && started == demoStart
  }

  /// Plays the demo through the real app with a recorder, on a test clock: a session of minutes
  /// takes no time, and is always the same.
  @discardableResult
  package static func recordDemo(to path: String) async -> RecordingStatistics {
    await record(demo(), to: path)
  }

  @discardableResult
  package static func record(
    _ moves: [DemoMove<App.Action>], to path: String, seed: UInt64 = 7
  ) async -> RecordingStatistics {
    let clock = TestClock()
    let start = clock.now
    var options = RecordingOptions(app: demoApp)
    options.seed = seed
    options.backPressure = .wait(beyond: 1_000)
    options.started = demoStart
    options.clock = { start.duration(to: clock.now) }
    let recording = StoreRecorder<App.State, App.Action>(to: path, options: options)
    let store = Store(initialState: initialState(), hooks: recording) {
      app()
    } withDependencies: {
      $0.continuousClock = clock
      $0.effectExecutor = SerialEffectExecutor()
      $0.withRandomNumberGenerator = .init(SeededRandomNumberGenerator(seed: seed))
      $0.uuid = .incrementing
      putDependenciesOnTape(&$0, recording.tape)
    }
    for move in moves {
      await clock.advance(by: move.pause)
      store.send(move.action)
    }
    await clock.advance()
    return recording.finish()
  }
}
