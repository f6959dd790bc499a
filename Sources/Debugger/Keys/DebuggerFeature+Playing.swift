import TextCanvas
import TimeTravel

extension DebuggerFeature {
  /// Plays the session from here as it was recorded.
  static func startPlaying(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard state.here.step < state.branch.steps.upperBound else {
      state.message = Message("This is the last step: nothing is left to play.")
      return
    }
    state.playingSpeed = 1
    work.append(.play(after: delay(state)))
  }

  /// A key or a click while the session is played; false when it means what it always means.
  static func handlePlaying(
    _ event: InputEvent, _ state: inout DebuggerState, _ work: inout [Work]
  ) -> Bool {
    switch event {
    case .key(.character(">")), .key(.character("<")):
      let factor = event == .key(.character(">")) ? 2.0 : 0.5
      state.playingSpeed = state.playingSpeed.map { min(max($0 * factor, 0.125), 64) }
      work.append(.play(after: delay(state)))
      return true
    case .mouse(let mouse) where mouse.action == .release: return true
    default:
      state.playingSpeed = nil
      work.append(.stopPlaying)
      // What only stops the playing does nothing else.
      let stops: [Key] = [
        .character("p"), .character(" "), .escape, .control("c"), .character("q"),
      ]
      if case .key(let key) = event { return stops.contains(key) }
      return false
    }
  }

  static func playOn(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard state.playingSpeed != nil else { return }
    state.move(by: 1)
    if state.here.step < state.branch.steps.upperBound {
      work.append(.play(after: delay(state)))
    } else {
      state.playingSpeed = nil
    }
  }

  /// As long as the recording waited here, but no longer than anybody wants to wait.
  private static func delay(_ state: DebuggerState) -> Duration {
    let here = state.here
    let now = state.pages[here.branch, here.step]?.time
    let next = state.pages[here.branch, here.step + 1]?.time
    var delay = Duration.milliseconds(250)
    if let now, let next { delay = next - now }
    return min(max(delay / (state.playingSpeed ?? 1), .milliseconds(16)), .seconds(2))
  }

  /// `1×`, `4×`, `1/2×`.
  static func speedWords(_ speed: Double) -> String {
    speed >= 1 ? "\(Int(speed))×" : "1/\(Int(1 / speed))×"
  }
}
