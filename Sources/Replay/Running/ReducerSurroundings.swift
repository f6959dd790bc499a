import Recorder
import SessionWords
import StoreCore

/// The surroundings of a running reducer. Separate from the machine, because a second reference to
/// its state would make the reducer copy it.
struct ReducerSurroundings {
  let reads: ReplayReads
  let dependencyScope: DependencyScope
  /// Whether the recording has the ids that stacks made.
  var hasStackIDs = true
  var isInScene = false
  private(set) var assumed = AssumedValues()

  mutating func run<State, Action>(
    _ machine: inout StoreMachine<State, Action>, _ action: Action, _ cause: Cause, root: Int?,
    _ recorded: [Read], in conditions: ReadConditions
  ) -> StepReads {
    reads.begin(recorded, in: conditions, assuming: assumed)
    if isInScene {
      machine.reduce(action, cause: cause, root: root)
    } else {
      TapeContext.with(reads) {
        dependencyScope.run { machine.reduce(action, cause: cause, root: root) }
      }
    }
    let result = reads.end()
    assumed = result.assumed
    return result.reads
  }
}
