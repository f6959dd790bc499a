import SessionWords
import ValueTree

/// An event of the app on its way to the worker, not encoded yet.
///
/// One word and not generic, because each generic type would need the runtime on every `send`.
enum RecordedEntry: Sendable {
  case step(RecordedStep)
  indirect case effect(@Sendable () -> EffectEvent)
  indirect case read(PendingRead, askedAt: Duration?, effect: EffectID?, step: Int, time: Duration)
  indirect case signpost(String, value: PendingValue?, step: Int, time: Duration)
  indirect case tape(key: String)
}

/// A step whose state was not wanted, or was dropped.
class RecordedStep: @unchecked Sendable {
  // `@unchecked Sendable`: in this family all properties are constant and sendable.
  final let moment: StepMoment
  final let reads: PendingReads
  final let standing: StateStatus

  enum StateStatus: Sendable {
    case copied
    case encoded(Value)
    /// The policy wants no state here.
    case unwanted
    /// The state was dropped for lack of time.
    case dropped
    case failed(String)
  }

  final var number: Int { moment.number }

  init(_ moment: StepMoment, reads: PendingReads, _ standing: StateStatus) {
    self.moment = moment
    self.reads = reads
    self.standing = standing
  }
}

struct StepMoment: Sendable {
  var number: Int
  var time: Duration
  var cause: Cause
  /// The action, if it was encoded before its reducer ran.
  var encodedAction: EncodedAction?
}

final class EncodedAction: Sendable {
  let label: String
  let outcome: Result<Value, any Error>

  init<Action>(_ action: Action, _ encoding: RecordingEncoding<some Any, Action>) {
    label = encoding.label(action)
    outcome = Result { try encoding.encodeAction(action) }
  }
}

class RecordedStepWithAction<Action: Sendable>: RecordedStep, @unchecked Sendable {
  final let action: Action

  init(
    _ moment: StepMoment, _ action: Action, reads: PendingReads = PendingReads(),
    _ standing: StateStatus
  ) {
    self.action = action
    super.init(moment, reads: reads, standing)
  }
}

final class RecordedStepWithState<Action: Sendable, State: Sendable>:
  RecordedStepWithAction<Action>, @unchecked Sendable
{
  let state: State

  required init(_ moment: StepMoment, _ action: Action, reads: PendingReads, state: State) {
    self.state = state
    super.init(moment, action, reads: reads, .copied)
  }
}

typealias PendingValue = @Sendable () throws -> Value
