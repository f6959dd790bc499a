import ValueTree

/// Something that the app did, on its way to the worker. Nothing in it is encoded yet.
enum RecordedEntry<State: Sendable, Action: Sendable>: Sendable {
  case step(RecordedStep<State, Action>)
  case effect(EffectEvent)
  case read(PendingRead, effect: Int?, step: Int, time: Duration)
  case signpost(String, value: PendingValue?, step: Int, time: Duration)
  case tape(key: String)
}

struct RecordedStep<State: Sendable, Action: Sendable>: Sendable {
  var number: Int
  var time: Duration
  var action: Action
  var cause: Cause
  var reads: [PendingRead]
  var state: Snapshot

  enum Snapshot: Sendable {
    case copied(State)
    case encoded(Value)
    /// The policy asks for no state here.
    case unwanted
    /// There was no time for it.
    case dropped
    case failed(String)
  }
}

/// A read whose value is not encoded yet.
struct PendingRead: Sendable {
  var key: String
  var outcome: @Sendable () -> Read.Outcome

  var read: Read { Read(key: key, outcome: outcome()) }
}

typealias PendingValue = @Sendable () throws -> Value
