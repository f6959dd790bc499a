import SessionWords

/// Adjusts a branch whose host does not see effects start and end (`recordings/unseen-effects`), or
/// whose session lacks causes. All steps after an edit are then unknown, whatever the host says.
struct UnseenEffects: Sendable {
  /// The first step that an edit can have changed; nil without edits.
  private let firstEdited: Int?
  /// That step, if the user only replaced its action: it is certainly sent.
  private let replaced: Int?
  /// Whether something unverifiable is part of the next steps.
  private var isDoubtful = false

  private let seesEffects: Bool
  private let knowsCauses: Bool
  /// Whether the app's middleware, which does not run, may send other actions.
  private let missesMiddleware: Bool

  init(_ request: RunRequest, seesEffects: Bool, knowsCauses: Bool, mayMiss: Bool = true) {
    self.seesEffects = seesEffects
    self.knowsCauses = knowsCauses
    missesMiddleware = mayMiss && !seesEffects
    let scripts = request.branch.branches.map(\.script)
    let first = scripts.compactMap(\.firstEdited).min()
    firstEdited = first
    let isOwn = scripts.dropLast().allSatisfy { $0.firstEdited.map { $0 > first ?? 0 } ?? true }
    replaced = isOwn ? first : nil
    // Emissions between the edit and the first reported step are not visible here.
    guard let firstEdited, let first = request.from else { return }
    isDoubtful = first > firstEdited && !(seesEffects && knowsCauses)
  }

  /// The step with the best standing that it can have.
  mutating func judged(_ step: BranchStep) -> BranchStep {
    guard let firstEdited, step.step.number >= firstEdited else { return step }
    var step = step
    if missesMiddleware, !isDoubtful {
      isDoubtful = true
      step.remarks.append(Self.alone)
    }
    if !seesEffects, case .effect(let effect) = step.step.cause {
      isDoubtful = true
      step.standing.assumptions.append(
        Assumption(
          .stale, .effect(effect), from: step.step.number,
          "the host does not track effects: this one may not have run"))
    }
    if let source = step.descendsFrom, step.step.cause.isFromOutside,
      !step.step.cause.isProven(ifKnown: knowsCauses), !isReplaced(step, source)
    {
      isDoubtful = true
      step.remarks.append(
        "the session does not say what sent it: after an edit, it may not "
          + "have been sent")
    }
    if isDoubtful { step.standing.values = max(step.standing.values, .assumed) }
    return step
  }

  private static let alone =
    "the reducer runs alone: after an edit, the app’s middleware may send other actions"

  private func isReplaced(_ step: BranchStep, _ source: Int) -> Bool {
    step.step.number == replaced && source == replaced && step.standing.values == .edited
  }

  /// `forks/rejoin` requires equal running effects, which such a host cannot compare.
  func judged(_ report: BranchReport) -> BranchReport {
    guard firstEdited != nil else { return report }
    var report = report
    // Without a step of its own, nothing else says it.
    if missesMiddleware, !isDoubtful { report.remarks.append(Self.alone) }
    guard isDoubtful || !seesEffects || !knowsCauses, let rejoining = report.rejoining else {
      return report
    }
    report.rejoining = nil
    report.lastStep = rejoining.step
    let reason =
      seesEffects
      ? "the session does not say what sent its actions" : "the host does not track effects"
    report.remarks.append(
      "after step \(rejoining.step) the state is the parent's again, but later steps may differ: "
        + reason)
    return report
  }
}

extension Script {
  /// The first step that may differ from the parent's; nil without edits. Earlier steps have the
  /// parent's numbers.
  fileprivate var firstEdited: Int? {
    edits.map { ($0.leavesAt ?? leavesAt) + 1 }.min()
  }
}
