/// What a look at a recording that is still open found to be otherwise than before.
public struct RecordingNews: Sendable, Hashable {
  public enum Change: Sendable, Hashable {
    /// There are more steps, or more lines between steps.
    case grew
    /// Only what is known to be wrong with it has changed.
    case notices
    /// The file is not the one that was opened any more: nothing more can be learnt from it.
    case ended
  }

  public var change: Change
  /// All that is known now.
  public var summary: RecordingSummary
  /// What somebody should be told of it at once, in one sentence.
  public var remark: String?

  public init(_ change: Change, _ summary: RecordingSummary, remark: String? = nil) {
    self.change = change
    self.summary = summary
    self.remark = remark
  }
}
