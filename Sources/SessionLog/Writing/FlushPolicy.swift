/// When lines leave the process. What the system has got survives a crash of the app.
public enum FlushPolicy: Sendable, Hashable {
  /// One `write` for each line.
  case eachStep
  /// Whenever the recorder has caught up with the app, and every 64 KiB.
  case whenIdle
  /// At most this long after a line was made, and every 64 KiB.
  case interval(Duration)
  /// Every 64 KiB, and at the end.
  case never
}
