/// How long a playback waits between two steps.
struct PlaybackPace {
  private let speed: Double
  private let longestPause: Duration?

  /// A wait never ends later than this, so that no clock is asked for a time that it does not know.
  static let longestWait = Duration.seconds(100 * 365 * 86_400)
  /// How late a step may be and still be made up for.
  static let latest = Duration.milliseconds(500)

  init(speed: Double, longestPause: Duration?) throws(ReplayError) {
    guard speed > 0 else { throw .badSpeed(speed) }
    self.speed = speed
    self.longestPause = longestPause
  }

  /// What a recorded pause comes to. A pause against the direction of time is none.
  func wait(for recorded: Duration) -> Duration {
    let cut = max(.zero, min(recorded, longestPause ?? recorded))
    // Also false for what is too long to be divided.
    guard cut.inSeconds / speed < Self.longestWait.inSeconds else { return Self.longestWait }
    return cut / speed
  }
}
