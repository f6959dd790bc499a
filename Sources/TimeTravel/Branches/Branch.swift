import SessionWords

/// A line of steps: the recording, or a fork of it.
package struct Branch: Sendable, Hashable {
  /// The name of the recording's own branch.
  package static let main = "main"

  package var name: String
  /// What a fork re-runs; nil for the recording.
  package var script: Script?
  /// The numbers of its steps, those shared with its parent included.
  package var steps: ClosedRange<Int>
  package var progress: Progress
  /// What is to be said of it as a whole, once its host is done.
  package var report: BranchReport?
  /// The build of the host that ran it; nil as long as it runs.
  package var build: Int?
  /// What somebody wrote about it.
  package var note: String?
  /// The names of the effects that its script answers, by their numbers.
  package var effectNames: [Int: String] = [:]
  /// The first of its steps that is not as on its parent; see ``OpenSession/firstDifference(of:with:)``.
  package var firstDifferent: FirstDifference?
  /// For each edit of its script the step that came of it; nil for one that left a step out, and for
  /// one that nothing came of.
  package var editSteps: [Int?] = []
  /// Why it would be gone with this debugger; nil when it is kept beside the session.
  package var notKept: String?
  /// Which of the session's runs its steps are from.
  package var run = 0

  package enum Progress: Sendable, Hashable {
    case complete
    /// It was saved, and nobody has looked at it since the session was opened.
    case notRun
    /// The host has come as far as the last step.
    case running
    /// Somebody stopped its run.
    case stopped
    /// It ended before its script did, for this reason.
    case ended(String)
  }

  package init(
    name: String, script: Script? = nil, steps: ClosedRange<Int>, progress: Progress = .complete
  ) {
    self.name = name
    self.script = script
    self.steps = steps
    self.progress = progress
  }

  /// Whether its steps are still to be run.
  package var isNotRun: Bool { progress == .notRun || (progress == .stopped && !hasOwnSteps) }

  private var hasOwnSteps: Bool { script.map { steps.upperBound > $0.leavesAt } ?? true }

  package var isMain: Bool { script == nil }
}
