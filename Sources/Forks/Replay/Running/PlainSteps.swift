import ValueTree

/// Recorded user actions without reads, effects or sends. They stay decoded within a memory budget,
/// so that a re-run costs little more than its reducer. Steps beyond the budget are decoded each
/// time.
///
/// Only the thread that runs its session touches it.
final class PlainSteps {
  struct Entry {
    var action: any MachineAction
    var time: Duration?
  }

  private let first: Int
  private var entries: ContiguousArray<Entry?> = []

  private(set) var cost = 0
  private(set) var isFull = false
  let budget: Int

  init(first: Int, budget: Int) {
    self.first = first
    self.budget = budget
  }

  subscript(step: Int) -> Entry? {
    let index = step - first
    return index >= 0 && index < entries.count ? entries[index] : nil
  }

  func keep(_ action: any MachineAction, of slot: SourceSlot) {
    let index = slot.step.number - first
    guard index >= 0, slot.isPlain else { return }
    if entries.indices.contains(index), entries[index] != nil { return }
    let empty = max(0, index + 1 - entries.count) * MemoryLayout<Entry?>.stride
    let size = empty + slot.step.action.memoryCost
    isFull = isFull || cost + size > budget
    guard !isFull else { return }
    cost += size
    while entries.count <= index { entries.append(nil) }
    entries[index] = Entry(action: action, time: slot.step.time)
  }
}

extension SessionReplay {
  /// Decodes the next plain steps in idle time, within the budget; false when done.
  package func decodeAhead(count: Int = 256) throws -> Bool {
    var cursor = ahead ?? SourceCursor(main)
    let first = nextAhead ?? main.steps.lowerBound + 1
    guard first <= main.steps.upperBound, !plainSteps.isFull else {
      ahead = nil
      return false
    }
    let last = min(first + count - 1, main.steps.upperBound)
    for number in first...last where plainSteps[number] == nil {
      let slot = try cursor.slot(number)
      guard slot.isPlain,
        try number == main.steps.upperBound || !cursor.isOutput(number + 1),
        let action = try? setup.action(slot.step.action)
      else { continue }
      plainSteps.keep(action, of: slot)
    }
    nextAhead = last + 1
    ahead = cursor
    return true
  }
}

extension SourceSlot {
  fileprivate var isPlain: Bool {
    step.cause.isFromOutside && step.reads.isEmpty && begun.isEmpty && ends.isEmpty
      && !step.isSkipped
      && step.damage == nil && step.set == nil && step.error == nil
  }
}

extension Rerun {
  /// Runs the next steps up to this one the short way; false if none can run so.
  ///
  /// A loop, because the preparation of a step costs more than many reducers.
  mutating func replayPlain(upTo last: Int) throws -> Bool {
    guard !observer.isTold, plain[replayCursor.position + 1] != nil else { return false }
    let start = replayCursor.position
    var conditions = conditions(from: start + 1)
    while replayCursor.position < last, !replayCursor.script.touches(replayCursor.position + 1),
      !matcher.hasPauses,
      machine.outputCount == 0, let entry = plain[replayCursor.position + 1]
    {
      let number = replayCursor.position + 1
      if let time = entry.time { clock = max(clock ?? .zero, time) }
      log.stepBegins(step + 1)
      conditions.seconds = replayCursor.startDate + (clock ?? .zero).inSeconds
      if machine.lookahead > 0 { lookAhead(from: number) }
      let (reads, outcome) = try surroundings.run(
        &machine, MachineStep(action: entry.action), [], in: conditions)
      replayCursor.descents.add(step, from: number)
      replayCursor.position = number
      if let fault = outcome.fault { _ = try error(of: fault, nil, nil) }
      if !reads.isNothing {
        log.recordLive(reads.live, at: step)
        classifier.hear(reads, at: step, isSameBefore: false)
      }
      if machine.hasChanges { _ = try applyChanges(matching: [], isTrusted: false, source: nil) }
      if machine.outputCount > 0 { try runOutputs(expected: []) }
    }
    return replayCursor.position > start
  }
}
