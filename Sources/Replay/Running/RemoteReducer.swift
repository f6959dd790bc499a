import SessionWords
import ValueTree

/// The talk between a run and a reducer in another process, beside states and actions. The reducer may
/// run ahead of the run, and a step of it may fail.
///
/// `@unchecked Sendable`: only the thread that runs the session touches it.
package final class RemoteReducer: @unchecked Sendable {
  package enum Fault: Sendable {
    case threw(String)
    /// An earlier step has failed, and the recording ran none after it.
    case interrupted
    /// The other process was started anew, and with it the run begins anew.
    case restarted
  }

  /// How many actions the reducer wants to know beyond the next one; 0 while it has some.
  package var wanted = 0
  /// The actions that most likely follow the next one.
  package var upcoming: [Value] = []
  /// Every step is run a second time with `isSecondRun`.
  package var runsTwice = false
  package var isSecondRun = false
  package var fault: Fault?
  /// Whether the recording says of the next step that an earlier error kept it from running.
  package var isInterrupted = false
  /// Where the last step changed the state that it was given.
  package var changedPlace: String?
  /// The other process has lost the states that it was given: nothing of a run can be used any more.
  package var hasLostStates = false
  /// What the other process says about the reducer's files, and the files.
  package var notes: [String] = []
  package var files: [String] = []

  package init() {}

  static let inPlace = "the reducer changes the state that it is given in place"
}

/// The process that holds the reducer was started anew.
package struct RunRestart: Error {
  package init() {}
}

extension Rerun {
  /// The error of the step that was just run, where the recording goes on behind one; another error ends
  /// the branch before the step.
  mutating func takeFault(of planned: Planned?, _ recorded: Step?) throws -> String? {
    switch remote?.fault.take() {
    case nil: return nil
    case .restarted: throw RunRestart()
    case .interrupted: return Step.interrupted
    case .threw(let words):
      if planned?.isEdited != true, let recorded, recorded.error != nil, !recorded.isNotRun {
        return words
      }
      machine.countOn(from: step - 1)
      throw BranchReport.Ending(step + 1, .crashed, words)
    }
  }

  mutating func runsTwice(_ slot: SourceSlot?) -> Bool {
    if let remote { return remote.runsTwice && slot != nil }
    return observer.findings?.runsTwice(slot, observer.tracker?.branch) == true
  }

  mutating func takeRemark() -> String? {
    guard let changed = remote?.changedPlace.take() else { return nil }
    let place = changed.isEmpty ? "its root" : changed
    if log.inPlace == nil { log.inPlace = (step, place) }
    return "\(RemoteReducer.inPlace), at \(place): it was given a copy"
  }

  /// Tells the reducer which recorded actions come next, as far as the user let them be.
  mutating func lookAhead(_ remote: RemoteReducer, from source: Int?) {
    guard remote.wanted > 0, !replayCursor.isFreeStepping else { return }
    var actions: [Value] = []
    var number = max(source ?? 0, replayCursor.position)
    let last = min(replayCursor.steps.upperBound, number + remote.wanted)
    while number < last, replayCursor.script.comes(after: number).isEmpty {
      number += 1
      let script = replayCursor.script
      if script.skipped.contains(number) || script.moved.contains(number) { continue }
      if let known = plain[number]?.action, replayCursor.script.replaced[number] == nil {
        if let value = try? ValueEncoder().encode(known) { actions.append(value) }
        continue
      }
      guard let step = try? replayCursor.step(number), step.damage == nil, step.set == nil else {
        break
      }
      let replaced = replayCursor.script.replaced[number]
      if replaced == nil, step.isSkipped { continue }
      actions.append(replaced ?? step.action)
    }
    remote.upcoming = actions
  }
}
