import SessionLog
import StoreCore
import StoreRecording
import ValueTree

/// A small app that comes with Retcon: it can be recorded, demonstrated and hosted.
package protocol Sample: Sendable {
  associatedtype App: Reducer where App.State: Codable & Equatable, App.Action: Codable & Equatable

  /// As it is written on a command line.
  static var name: String { get }
  static var title: String { get }

  static func app() -> App
  static func initialState() -> App.State

  /// What a person does in the demo, and how long each thing takes to come to mind.
  static func demo() -> [DemoMove<App.Action>]

  /// What the demo shows first, if there is something.
  static var show: DemoShow? { get }

  /// Puts the app's own dependencies on tape; the built-in ones are there already.
  static func putDependenciesOnTape(_ dependencies: inout DependencyValues, _ tape: Tape)
}

/// One thing that a person does after a while.
package struct DemoMove<Action: Sendable>: Sendable {
  package var pause: Duration
  package var action: Action

  package init(after pause: Duration, _ action: Action) {
    self.pause = pause
    self.action = action
  }
}

/// A step at which something went wrong, and a fork in which it did not.
package struct DemoShow: Sendable {
  package var step: Int
  package var fork: SavedBranch
  package var words: String

  /// The fork has another action at the step.
  init(at step: Int, _ words: String, fork name: String, action: Value) {
    self.step = step
    self.words = words
    fork = SavedBranch(
      name: name,
      script: Script(leavesAt: step - 1, edits: [.replace(step: step, action: action)]))
  }
}

/// The samples by name.
package enum Samples {
  package static let all: [any Sample.Type] = [
    CounterSample.self, PrimesSample.self, WishesSample.self,
  ]

  package static func named(_ name: String) -> (any Sample.Type)? {
    all.first { $0.name == name }
  }
}

/// Long ago, and to the millisecond the same for all demos.
private let demoStart = "2026-01-05T09:30:00.000Z"

extension Sample {
  package static var show: DemoShow? { nil }

  private static var demoApp: SessionHeader.App { SessionHeader.App(title, version: "1.0") }

  /// Whether a session with such a header is one of this sample's demos.
  package static func recorded(_ app: SessionHeader.App, started: String?) -> Bool {
    app == demoApp && started == demoStart
  }

  /// Plays the demo through the real app with a recorder around it. Time is a test clock's, so a
  /// session of minutes is there at once, and is the same every time.
  @discardableResult
  package static func recordDemo(to path: String) async -> RecordingStatistics {
    await record(demo(), to: path)
  }

  /// Plays moves through the app and records them.
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
