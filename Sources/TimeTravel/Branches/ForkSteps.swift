import SessionLog

/// The steps that a host ran for a fork, kept small: most of them have the action of the parent's
/// step that they descend from, and nothing else to tell.
struct ForkSteps: Sendable {
  struct Entry: Sendable {
    var descendsFrom: Int?
    var standing: Standing
    var time: Duration?
    /// The step as the host told it, where it cannot be had from the parent.
    var told: BranchStep?
  }

  private struct Compact: Sendable {
    /// −1 for an inserted step.
    var descendsFrom: Int32
    var standing: Standing
    var time: Duration?
  }

  private let first: Int
  private let replaced: Set<Int>
  private var steps: [Compact] = []
  private var told: [Int: BranchStep] = [:]
  /// The effects of the fork's own steps, and those that were in flight where it leaves.
  private(set) var effects = EffectTable()

  init(_ script: Script, inFlight: [EffectSpan] = []) {
    first = script.leavesAt + 1
    for span in inFlight { effects.add(span, endedBy: script.leavesAt) }
    replaced = Set(
      script.edits.compactMap { edit in
        switch edit {
        case .replace(let step, _), .read(let step, _, _, _): step
        default: nil
        }
      })
  }

  var lastNumber: Int { first + steps.count - 1 }
  var last: Entry? { self[lastNumber] }

  subscript(number: Int) -> Entry? {
    guard steps.indices.contains(number - first) else { return nil }
    let step = steps[number - first]
    return Entry(
      descendsFrom: step.descendsFrom < 0 ? nil : Int(step.descendsFrom),
      standing: step.standing, time: step.time, told: told[number])
  }

  mutating func append(_ step: BranchStep) {
    guard step.step.number == lastNumber + 1 else { return }
    steps.append(
      Compact(
        descendsFrom: step.descendsFrom.map { Int32(clamping: $0) } ?? -1,
        standing: step.standing, time: step.step.time))
    for event in step.effects { effects.add(event) }
    guard mustBeTold(step) else { return }
    var kept = step
    kept.patch = nil
    told[step.step.number] = kept
  }

  private func mustBeTold(_ step: BranchStep) -> Bool {
    guard let beside = step.descendsFrom else { return true }
    return replaced.contains(beside) || !step.remarks.isEmpty
      || step.step.error != nil || step.standing.values == .assumed
  }
}
