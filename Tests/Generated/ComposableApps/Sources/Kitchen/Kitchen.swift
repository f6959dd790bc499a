import ComposableArchitecture
import ComposableRecording
import Foundation

/// Timers over a stack of screens, with an initialiser that the tests do not see.
struct Kitchen: ComposableArchitecture.Reducer {
  struct State: Codable, Equatable, Sendable {
    @Shared var total: Int
    var first: Pan
    var second: Pan
    var path = StackState<Screen>()
    var log: [String] = []
    private var taps = 0

    init() {
      let total = Shared(value: 0)
      _total = total
      (first, second) = (Pan(total: total), Pan(total: total))
    }

    mutating func tap() { taps += 1 }
  }

  struct Pan: Codable, Equatable, Sendable {
    var seconds = 0
    var isOn = false
    @Shared var total: Int
  }

  struct Screen: Codable, Equatable, Sendable {
    var title: String
    var visits = 0
  }

  enum Place: String, Codable, Equatable, Sendable { case first, second }

  enum ScreenAction: Codable, Equatable, Sendable { case visited, deeper }

  enum Action: Codable, Equatable, Sendable {
    case toggled(Place)
    case ticked(Place)
    case resetTapped
    case reset
    case pushed(String)
    case path(StackAction<Screen, ScreenAction>)
    case done
  }

  @Dependency(\.continuousClock) private var clock

  func _reduce(into state: inout State, action: Action) -> ComposableArchitecture.Effect<Action> {
    state.tap()
    switch action {
    case .toggled(let place):
      let pan: WritableKeyPath<State, Pan> = place == .first ? \.first : \.second
      state[keyPath: pan].isOn.toggle()
      guard state[keyPath: pan].isOn else { return .cancel(id: place) }
      return .run(name: "tick \(place)") { [clock] send in
        for _ in 1...3 {
          try await clock.sleep(for: .milliseconds(4))
          await send(.ticked(place))
        }
      }
      .cancellable(id: place, cancelInFlight: true)
    case .ticked(let place):
      let pan: WritableKeyPath<State, Pan> = place == .first ? \.first : \.second
      state[keyPath: pan].seconds += Mistake.now == 20 ? 2 : 1
      state[keyPath: pan].$total.withLock { $0 += Mistake.now == 19 ? 0 : 1 }
      if state.total == 4 { return .concatenate(.send(.done), .send(.reset)) }
    case .resetTapped:
      return .merge(.run(name: "nothing") { _ in }, .send(.reset), .cancel(id: Place.first))
    case .reset: state.$total.withLock { $0 = 0 }
    case .pushed(let title): state.path.append(Screen(title: title))
    case .path(.element(let id, .visited)):
      state.path[id: id]?.visits += 1
      if Mistake.now == 21 { state.log.append("visited") }
    case .path(.element(_, .deeper)):
      state.path.append(Screen(title: Mistake.now == 22 ? "deep" : "deeper"))
    case .path(.popFrom(let id)): state.path[id: id] = nil
    case .path: break
    case .done: state.log.append("done at \(state.first.seconds)")
    }
    return .none
  }
}

/// The planted mistake of this run; 0 without one.
enum Mistake {
  static let now = Int(ProcessInfo.processInfo.environment["RETCON_CHANGE"] ?? "") ?? 0
}
