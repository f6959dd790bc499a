import SessionWords

/// What is made of a branch that a host ran without seeing effects start, end and be cancelled
/// (`recordings/unseen-effects`), or of a session that does not tell what sent its actions: what
/// still runs or is sent after an edit is then nobody's knowledge, whatever the host says.
struct UnseenEffects: Sendable {
  /// The first step of the branch that an edit can have changed; nil where nothing was edited.
  private let firstEdited: Int?
  /// That step, where the user gave it another action and changed nothing before: they know that it is sent.
  private let replaced: Int?
  /// An emission that nobody can vouch for is part of what comes now.
  private var isDoubtful = false

  private let seesEffects: Bool
  private let knowsCauses: Bool

  init(_ request: RunRequest, seesEffects: Bool, knowsCauses: Bool) {
    self.seesEffects = seesEffects
    self.knowsCauses = knowsCauses
    let scripts = request.branch.branches.map(\.script)
    let first = scripts.compactMap(\.firstEdited).min()
    firstEdited = first
    let isOwn = scripts.dropLast().allSatisfy { $0.firstEdited.map { $0 > first ?? 0 } ?? true }
    replaced = isOwn ? first : nil
    // Emissions between the edit and the first step that is told are not seen here.
    guard let firstEdited, case .steps(let first) = request.tells else { return }
    isDoubtful = first > firstEdited
  }

  /// The step with the standing that it can have.
  mutating func judged(_ step: BranchStep) -> BranchStep {
    var step = step
    if let firstEdited, !seesEffects, step.step.number >= firstEdited,
      case .effect(let effect) = step.step.cause
    {
      isDoubtful = true
      step.standing.assumptions.append(
        Assumption(
          .stale, .effect(effect), from: step.step.number,
          "the host does not see effects: nobody knows whether this one still ran"))
    }
    if let firstEdited, !knowsCauses, let source = step.descendsFrom,
      step.step.number >= firstEdited, !isReplaced(step, source)
    {
      isDoubtful = true
      step.remarks.append(
        "the session does not tell what sent it: after an edit nobody knows "
          + "whether it was still sent")
    }
    if isDoubtful { step.standing.values = max(step.standing.values, .assumed) }
    return step
  }

  private func isReplaced(_ step: BranchStep, _ source: Int) -> Bool {
    step.step.number == replaced && source == replaced && step.standing.values == .edited
  }

  /// `forks/rejoin` asks for equal effects in flight, and such a host cannot have compared them.
  func judged(_ report: BranchReport) -> BranchReport {
    guard firstEdited != nil, let rejoining = report.rejoining else { return report }
    var report = report
    report.rejoining = nil
    report.lastStep = rejoining.step
    let reason =
      seesEffects
      ? "the session does not tell what sent its actions" : "the host does not see effects"
    report.remarks.append(
      "the state is the parent's again after step \(rejoining.step), but \(reason): what follows is "
        + "not known to be the parent's")
    return report
  }
}

extension Script {
  /// The first step that is not its parent's; nil when there is no edit. Up to there the numbers of
  /// the steps are the parent's, too.
  fileprivate var firstEdited: Int? {
    edits.map { edit in
      switch edit {
      case .skip(let step), .replace(let step, _), .read(let step, _, _, _): step
      case .insert(let after, _), .set(let after, _, _): after + 1
      case .move(let step, let after): min(step, after + 1)
      case .answer(let answer): answer.after + 1
      case .reply: leavesAt + 1
      }
    }.min()
  }
}
