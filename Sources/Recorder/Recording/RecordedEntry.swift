import SessionWords
import ValueTree

/// Something that the app did, on its way to the worker. Nothing in it is encoded yet.
///
/// It is one word, and no generic type: the way of a step through `send` asks the runtime for as few
/// of these as possible.
enum RecordedEntry: Sendable {
  case step(RecordedStep)
  indirect case effect(@Sendable () -> EffectEvent)
  indirect case read(PendingRead, askedAt: Duration?, effect: Int?, step: Int, time: Duration)
  indirect case signpost(String, value: PendingValue?, step: Int, time: Duration)
  indirect case tape(key: String)
}

/// A step whose state is not wanted, or was left out.
class RecordedStep: @unchecked Sendable {
  // `@unchecked Sendable`: no class of this family has a property that changes after `init`, and all
  // are sendable.
  final let number: Int
  final let time: Duration
  final let cause: Cause
  /// The action, where it had to be encoded before its reducer ran.
  final let encodedAction: EncodedAction?
  final let reads: PendingReads
  final let standing: StateStanding

  enum StateStanding: Sendable {
    /// The state is there; see ``RecordedStepWithState``.
    case copied
    case encoded(Value)
    /// The policy asks for no state here.
    case unwanted
    /// There was no time for it.
    case dropped
    case failed(String)
  }

  init(_ moment: StepMoment, reads: PendingReads, _ standing: StateStanding) {
    number = moment.number
    time = moment.time
    cause = moment.cause
    encodedAction = moment.encodedAction
    self.reads = reads
    self.standing = standing
  }
}

/// What is known of a step before its reducer runs.
struct StepMoment: Sendable {
  var number: Int
  var time: Duration
  var cause: Cause
  var encodedAction: EncodedAction?
}

/// An action as it was before its reducer ran: what holds class instances may be another afterwards.
final class EncodedAction: Sendable {
  let label: String
  let outcome: Result<Value, FailedEncoding>

  init<Action>(_ action: Action, _ encoding: RecordingEncoding<some Any, Action>) {
    label = encoding.label(action)
    do {
      outcome = .success(try encoding.encodeAction(action))
    } catch {
      outcome = .failure(FailedEncoding(reason: "\(error)"))
    }
  }
}

struct FailedEncoding: Error {
  var reason: String
}

/// A step with its action.
class RecordedStepWithAction<Action: Sendable>: RecordedStep, @unchecked Sendable {
  final let action: Action

  init(
    _ moment: StepMoment, _ action: Action, reads: PendingReads = PendingReads(),
    _ standing: StateStanding
  ) {
    self.action = action
    super.init(moment, reads: reads, standing)
  }
}

/// A step with its action and a copy of the state after it.
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
