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

  mutating func run(
    _ machine: inout any Machine, _ step: MachineStep, _ recorded: [Read],
    in conditions: ReadConditions
  ) throws -> (ComparedReads, StepOutcome) {
    reads.begin(recorded, in: conditions, assuming: assumed)
    let outcome =
      isInScene
      ? try machine.reduce(step)
      : try TapeContext.with(reads) { try dependencyScope.run { try machine.reduce(step) } }
    let result = reads.end()
    assumed = result.assumed
    return (result.reads, outcome)
  }
}
