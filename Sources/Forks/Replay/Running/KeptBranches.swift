import SessionWords
import ValueTree

/// Results of run branches, within a memory budget: half for the steps of short ones, which forks
/// of forks and questions need, half for typed states in long ones.
struct KeptBranches {
  let stepBudget: Int
  private let runBudget: Int
  private var sources: [(scripts: [Script], source: BranchSource, cost: Int)] = []
  private var runs: [(scripts: [Script], checkpoints: Checkpoints)] = []

  private static var runLimit: Int { 8 }

  init(budget: Int) {
    stepBudget = budget / 2
    runBudget = budget / 2 / Self.runLimit
  }

  func source(of scripts: [Script]) -> BranchSource? {
    sources.last { $0.scripts == scripts }?.source
  }

  /// Always keeps the newest: it is the parent of the current branch, and each question would run
  /// it again.
  mutating func keep(_ source: BranchSource, cost: Int, for scripts: [Script]) {
    sources.removeAll { $0.scripts == scripts }
    sources.append((scripts, source, cost))
    while sources.count > 1, sources.reduce(0, { $0 + $1.cost }) > stepBudget {
      sources.removeFirst()
    }
  }

  mutating func offer(
    _ run: Rerun, for scripts: [Script], onTheWayTo target: Int = .max
  ) throws {
    guard !run.replayCursor.isFreeStepping else { return }
    var index = runs.firstIndex { $0.scripts == scripts }
    if index == nil {
      runs.append((scripts, Checkpoints(budget: runBudget, distance: 512)))
      if runs.count > Self.runLimit { runs.removeFirst() }
      index = runs.count - 1
    }
    if let index { try runs[index].checkpoints.offer(run, at: run.step, onTheWayTo: target) }
  }

  mutating func last(upTo step: Int, of scripts: [Script]) throws -> Rerun? {
    guard let index = runs.firstIndex(where: { $0.scripts == scripts }) else { return nil }
    return try runs[index].checkpoints.last(upTo: step) { _ in nil }
  }
}

final class Collected {
  private(set) var steps: [BranchStep] = []
  private(set) var cost = 0
  private let budget: Int

  init(budget: Int) { self.budget = budget }

  var isOver: Bool { cost > budget }

  func add(_ step: BranchStep) {
    guard !isOver else { return }
    cost += MemoryLayout<BranchStep>.stride + 64 + step.step.action.memoryCost
    cost += (step.patch?.memoryCost ?? 0) + 128 * step.effects.count
    if isOver { steps = [] } else { steps.append(step) }
  }

  func source(
    _ script: Script, of parent: any ReplaySource, _ rerun: Rerun,
    _ report: BranchReport
  ) throws -> BranchSource {
    var source = try BranchSource(script, of: parent, own: steps, from: rerun.log.base, report)
    source.lostStops = Dictionary(
      grouping: rerun.log.lostStops.compactMap { lost in
        guard let root = lost.root else { return lost }
        guard let own = rerun.replayCursor.descents.step(from: root) else { return nil }
        var lost = lost
        lost.root = own
        return lost
      }, by: \.step)
    source.fates = rerun.log.fates
    source.answeredByHand = parent.answeredByHand.union(rerun.matcher.answeredByHand)
    return source
  }
}
