import SessionWords

/// A line of steps: the recording or a fork.
package struct Branch: Sendable, Hashable {
  package static let main = "main"

  package var name: String
  /// The script that a fork runs; nil for the recording.
  package var script: Script?
  package var steps: ClosedRange<Int>
  package var progress: Progress
  package var report: BranchReport?
  /// The build of the host that ran it; nil while running.
  package var build: Int?
  package var note: String?
  /// The names of the effects that its script answers.
  package var effectNames: [Int: String] = [:]
  /// The first step that differs from the parent's; see ``OpenSession/firstDifference(of:with:)``.
  package var firstDifferent: FirstDifference?
  /// The step that each edit made; nil if it removed one or had no effect.
  package var editSteps: [Int?] = []
  /// The reason why it is not saved; nil if it is.
  package var notKept: String?
  /// The session's run that its steps are from.
  package var run = 0

  package enum Progress: Sendable, Hashable {
    case complete
    /// Saved, but not run since the session was opened.
    case notRun
    /// The host has reached the last step.
    case running
    case stopped
    /// It ended before its script, for this reason.
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

  package var isNotRun: Bool { progress == .notRun || (progress == .stopped && !hasOwnSteps) }

  private var hasOwnSteps: Bool { script.map { steps.upperBound > $0.leavesAt } ?? true }

  package var isMain: Bool { script == nil }
}
