/// What a recording holds and what it lost.
public struct RecordingStatistics: Sendable, Hashable {
  /// Where the session is: the path that was asked for, or another where that was taken. Nil when
  /// nothing was recorded.
  public var path: String?
  public var steps = 0
  public var effectEvents = 0
  public var reads = 0
  public var signposts = 0
  /// What was handed to the system, all parts together.
  public var bytes = 0
  public var keyframes = 0
  public var parts = 0
  /// States that were left out because the recorder fell behind.
  public var droppedStates = 0
  /// Steps that could not be written, or were in a file that somebody removed, replaced or cut.
  public var lostSteps = 0
  /// Effect events, reads and signposts between steps that could not be written.
  public var lostLines = 0
  /// States and actions that could not be encoded.
  public var encodingFailures = 0
  /// Recorded after the end, and so not at all.
  public var afterEnd = 0
  /// How many entries waited for the recorder at most.
  public var longestQueue = 0

  /// What was told to ``RecordingOptions/report``.
  public var troubles: [RecordingTrouble] = []

  /// Whether all that was asked for is in the file.
  public var isComplete: Bool {
    droppedStates == 0 && lostSteps == 0 && lostLines == 0 && encodingFailures == 0
      && afterEnd == 0 && !troubles.contains { $0.isLoss }
  }
}
