import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

struct Playing: Reducer {
  struct State: Sendable, Hashable {
    var speed: Double?
  }

  /// `pause` is the recorded wait at the current step.
  enum Action: Sendable, Hashable {
    case started(pause: Duration)
    case turned(faster: Double, pause: Duration)
    case moved(pause: Duration?)
    case stopped
    case stepIsOver
  }

  private enum Job: Hashable, Sendable { case waiting }

  @Dependency(\.continuousClock) private var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started(let pause):
      state.speed = 1
      return wait(pause, state)
    case .turned(let factor, let pause):
      guard let speed = state.speed else { return .none }
      state.speed = min(max(speed * factor, 0.125), 64)
      return wait(pause, state)
    case .moved(let pause?): return wait(pause, state)
    case .moved(nil):
      state.speed = nil
      return .none
    case .stopped:
      state.speed = nil
      return .cancel(id: Job.waiting)
    case .stepIsOver: return .none
    }
  }

  private func wait(_ pause: Duration, _ state: State) -> Effect<Action> {
    guard let speed = state.speed else { return .none }
    let delay = min(max(pause / speed, .milliseconds(16)), .seconds(2))
    return .run(name: "play") { [clock] send in
      try await clock.sleep(for: delay)
      await send(.stepIsOver)
    }.cancellable(id: Job.waiting, cancelInFlight: true)
  }
}

extension DebuggerUpdate {
  mutating func startPlaying() {
    guard let pause else { return say("This is the last step: nothing more to play.") }
    send(.playing(.started(pause: pause)))
  }

  /// Any input stops the playing and does nothing else; false without user input.
  mutating func handlePlaying(_ event: InputEvent) -> Bool {
    if case .mouse(let mouse) = event, [.release, .drag].contains(mouse.action) { return true }
    if case .key(let key) = event, KeyTable.playing.handle(key, &self) { return true }
    if case .key(let key) = event, key.isForScreen { return false }
    send(.playing(.stopped))
    say("Stopped at step \(grouped(state.here.step)); \(state.key("p")) plays on.")
    return true
  }

  mutating func play(faster factor: Double) {
    if let pause { send(.playing(.turned(faster: factor, pause: pause))) }
  }

  mutating func playOn() {
    guard state.playing.speed != nil else { return }
    state.move(by: 1)
    send(.playing(.moved(pause: pause)))
  }

  private var pause: Duration? {
    let here = state.here
    guard here.step < state.branch.steps.upperBound else { return nil }
    let times = [here.step, here.step + 1].map { state.reading.pages[here.branch, $0]?.time }
    guard let now = times[0], let next = times[1] else { return .milliseconds(250) }
    return next - now
  }
}
