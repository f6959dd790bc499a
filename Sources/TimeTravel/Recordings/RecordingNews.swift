/// What a look at a recording that is still open found to be otherwise than before.
package struct RecordingNews: Sendable, Hashable {
  package enum Change: Sendable, Hashable {
    /// There are more steps, or more lines between steps.
    case grew
    /// Its states were computed anew.
    case computed
    /// Only what is known to be wrong with it has changed.
    case notices
    /// The file is not the one that was opened any more: nothing more can be learnt from it.
    case ended
  }

  package var change: Change
  /// All that is known now.
  package var summary: RecordingSummary
  /// What somebody should be told of it at once, in one sentence.
  package var remark: String?

  package init(_ change: Change, _ summary: RecordingSummary, remark: String? = nil) {
    self.change = change
    self.summary = summary
    self.remark = remark
  }
}
