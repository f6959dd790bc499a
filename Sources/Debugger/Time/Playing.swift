import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

extension Reaction {
  /// Plays the session from here as it was recorded.
  mutating func startPlaying() {
    guard state.here.step < state.branch.steps.upperBound else {
      return say("This is the last step: nothing is left to play.")
    }
    state.playingSpeed = 1
    work.append(.play(after: delay()))
  }

  /// What is done while the session is played stops it and does nothing else, whatever it means
  /// otherwise; false when nothing was done by hand.
  mutating func handlePlaying(_ event: InputEvent) -> Bool {
    if case .mouse(let mouse) = event, [.release, .drag].contains(mouse.action) { return true }
    if case .key(let key) = event, KeyTable.playing.handle(key, &self) { return true }
    if event == .key(.control("z")) { return false }
    stopPlaying()
    say("Stopped at step \(grouped(state.here.step)); \(state.key("p")) plays on.")
    return true
  }

  mutating func stopPlaying() {
    state.playingSpeed = nil
    work.append(.stopPlaying)
  }

  mutating func play(faster factor: Double) {
    state.playingSpeed = state.playingSpeed.map { min(max($0 * factor, 0.125), 64) }
    work.append(.play(after: delay()))
  }

  mutating func playOn() {
    guard state.playingSpeed != nil else { return }
    state.move(by: 1)
    if state.here.step < state.branch.steps.upperBound {
      work.append(.play(after: delay()))
    } else {
      state.playingSpeed = nil
    }
  }

  /// As long as the recording waited here, but no longer than anybody wants to wait.
  private func delay() -> Duration {
    let here = state.here
    let now = state.pages[here.branch, here.step]?.time
    let next = state.pages[here.branch, here.step + 1]?.time
    var delay = Duration.milliseconds(250)
    if let now, let next { delay = next - now }
    return min(max(delay / (state.playingSpeed ?? 1), .milliseconds(16)), .seconds(2))
  }
}

extension Background {
  func play(after delay: Duration) -> Effect<DebuggerAction> {
    doing("play") { send in
      @Dependency(\.continuousClock) var clock
      try await clock.sleep(for: delay)
      await send(.playOn)
    }.cancellable(id: Job.playing, cancelInFlight: true)
  }
}
