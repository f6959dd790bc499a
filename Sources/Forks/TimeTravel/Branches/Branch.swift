import SessionFile
import SessionWords

package struct Branch: Sendable, Hashable {
  /// Marks, undo and positions name the branch by its id.
  package let id: BranchID
  package var name: String
  package var script: Script?
  package var steps: ClosedRange<Int>
  package var progress: Progress
  package var report: BranchReport?
  /// The build of the host that ran it; nil while running.
  package var build: Int?
  package var note: String?
  package var effectNames: [EffectID: String] = [:]
  /// The first step that differs from the parent's; see ``OpenSession/firstDifference(of:with:)``.
  package var firstDifferent: FirstDifference?
  /// From here to the end all is as in the recording.
  package var sameFrom: Int?
  /// Whether its last step is a guess, so that what follows is one, too.
  package var endsInDoubt = false
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
    _ id: BranchID, name: String? = nil, script: Script? = nil, steps: ClosedRange<Int>,
    progress: Progress = .complete
  ) {
    self.id = id
    self.name = name ?? id.firstName
    self.script = script
    self.steps = steps
    self.progress = progress
  }

  package var isNotRun: Bool { progress == .notRun || (progress == .stopped && !hasOwnSteps) }

  private var hasOwnSteps: Bool { script.map { steps.upperBound > $0.leavesAt } ?? true }

  package var isMain: Bool { script == nil }

  /// Makes it one that has not run.
  package mutating func forgetRun() {
    let last = max(script?.leavesAt ?? steps.upperBound, steps.lowerBound)
    (steps, progress) = (steps.lowerBound...last, .notRun)
    (report, build, firstDifferent, sameFrom, editSteps) = (nil, nil, nil, nil, [])
  }
}

extension [Branch] {
  package subscript(id: BranchID) -> Branch? { first { $0.id == id } }

  package subscript(named name: String) -> Branch? { first { $0.name == name } }

  /// The name of a branch; if it is gone, its first one.
  package func name(of id: BranchID) -> String { self[id]?.name ?? id.firstName }

  /// A position as commands take it: `813`, or `no coupon/813` on a fork.
  package func text(of position: Position) -> String {
    Mark(branch: name(of: position.branch), step: position.step).text
  }

  /// The id of a new branch. A renamed one may have come with this name.
  package func freeID(for name: String) -> BranchID {
    let ids = (1...count + 1).lazy.map { BranchID(name, count: $0) }
    return ids.first { self[$0] == nil } ?? BranchID(name)
  }
}

extension Mark {
  /// Its place, as commands take it.
  package var text: String { branch == BranchID.main.text ? "\(step)" : "\(branch)/\(step)" }
}
