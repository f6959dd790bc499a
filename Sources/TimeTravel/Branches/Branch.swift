import SessionWords

package struct Branch: Sendable, Hashable {
  package static let main = "main"

  package var name: String
  package var script: Script?
  package var steps: ClosedRange<Int>
  package var progress: Progress
  package var report: BranchReport?
  /// The build of the host that ran it; nil while running.
  package var build: Int?
  package var note: String?
  package var effectNames: [Int: String] = [:]
  /// The first step that differs from the parent's; see ``OpenSession/firstDifference(of:with:)``.
  package var firstDifferent: FirstDifference?
  /// From here to the end all is as in the recording.
  package var sameFrom: Int?
  /// The step that each edit made; nil if it removed one or had no effect.
  package var editSteps: [Int?] = []
  package var notKept: String?
  package var run = 0

  package enum Progress: Sendable, Hashable {
    case complete
    case notRun
    case running
    case stopped
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
