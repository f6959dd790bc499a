import SessionLog
import StoreCore
import StoreRecording

/// A small app that comes with Retcon: it can be recorded, demonstrated and hosted.
public protocol Sample: Sendable {
  associatedtype App: Reducer where App.State: Codable & Equatable, App.Action: Codable & Equatable

  /// As it is written on a command line.
  static var name: String { get }
  static var title: String { get }

  static func app() -> App
  static func initialState() -> App.State

  /// What a person does in the demo, and how long each thing takes to come to mind.
  static func demo() -> [DemoMove<App.Action>]

  /// Puts the app's own dependencies on tape; the built-in ones are there already.
  static func putDependenciesOnTape(_ dependencies: inout DependencyValues, _ tape: Tape)
}

/// One thing that a person does after a while.
public struct DemoMove<Action: Sendable>: Sendable {
  public var pause: Duration
  public var action: Action

  public init(after pause: Duration, _ action: Action) {
    self.pause = pause
    self.action = action
  }
}

/// The samples by name.
public enum Samples {
  public static let all: [any Sample.Type] = [
    CounterSample.self, PrimesSample.self, WishesSample.self,
  ]

  public static func named(_ name: String) -> (any Sample.Type)? {
    all.first { $0.name == name }
  }
}
