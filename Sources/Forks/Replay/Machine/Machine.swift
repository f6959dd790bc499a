import SessionWords
import StoreCore
import ValueTree

/// A state with its reducer, which an engine drives without knowing their types.
///
/// A copy is a checkpoint, as long as the state holds no references.
package protocol Machine: Sendable {
  var stepCount: Int { get }
  mutating func countOn(from step: Int)

  /// The state. The encoder reuses what it knows of the last one.
  func state(_ encoder: IncrementalEncoder?) throws -> Value
  var holdsReferences: Bool { get }
  /// Changes the state and nothing else.
  mutating func put(_ state: Value) throws
  /// Takes a step without the reducer, to this state or with the one it has.
  mutating func pass(to state: Value?) throws
  /// The same for a state that was set by hand: effects may start anew for it.
  mutating func set(to state: Value) throws

  mutating func reduce(_ step: MachineStep) throws -> StepOutcome
  /// How many actions beyond the next one it wants to know; 0 while it knows some.
  var lookahead: Int { get }
  /// Tells the steps that most likely follow the next one.
  func expect(_ steps: [ExpectedStep])

  // The actions that reducers send at once.
  var outputCount: Int { get }
  var sent: [SentAction] { get }
  /// Takes one of them; nil if no action waits.
  mutating func removeSent(at place: Int) -> SentAction?

  // Effects, by the machine's numbers.
  var hasChanges: Bool { get }
  mutating func takeEffects() -> [EffectChange]
  mutating func ended(effect number: Int)
  mutating func cancel(effect number: Int)
  mutating func cancel(root: Int)
  mutating func cancel(idNamed text: String, by effect: Int?, of others: [Int])
  mutating func cancelAll(but kept: Set<Int>)
  /// Effects that started without the machine have ids of which the recording has the text alone.
  mutating func watchCancelledIDs()
  mutating func endWatchingIDs()
  func cancellation(ofEffectNamed text: String) -> RecordedCancellation
  func root(ofEffect number: Int) -> Int?
  var hasOpenWindows: Bool { get }
  /// The effects of the last step, if it was to keep them.
  func newestEffects() -> [StartedEffect]
}

/// An action as its machine holds it, decoded once.
package protocol MachineAction: AnyObject, Sendable {
  var label: String { get }
  func value() throws -> Value
}

package struct MachineStep {
  package var action: any MachineAction
  /// The step of the user's action behind this one; nil if it is the user's.
  package var root: Int?
  /// What its reducer read in the recording.
  package var reads: [Read] = []
  /// Seconds since 1970 on the branch's clock.
  package var time: Double = 0
  /// Whether the recording says that an earlier error kept it from running.
  package var isInterrupted = false
  /// Whether it will run once more from the same state.
  package var runsTwice = false
  /// Whether it is that second run.
  package var isSecondRun = false
  /// Whether to keep its effects, for ``Machine/newestEffects()``.
  package var keepsEffects = false
}

package typealias ExpectedStep = (action: Value, reads: [Read])

/// The result of a step besides its state; mostly empty.
package struct StepOutcome {
  package enum Fault {
    case threw(String)
    /// It did not return in time.
    case timedOut
    /// An earlier step has failed, and the recording ran none after it.
    case interrupted
  }

  package var fault: Fault?
  /// Where the reducer changed the state that it was given.
  package var changedPlace: String?
  /// Why it may have gone otherwise in the app.
  package var doubt: String?
  package init(_ fault: Fault? = nil) { self.fault = fault }

  static let inPlace = "the reducer changes the state that it is given in place"
}

/// The process that holds the reducer was started anew, and with it the run begins anew.
package struct RunRestart: Error {
  package init() {}
}

package struct SentAction: Sendable {
  var action: any MachineAction
  var sender: Int
  var root: Int?
}

package enum EffectChange: Sendable {
  case started(StartedEffect)
  case cancelled(StoreEffect)
}

package typealias StartedEffect = (effect: StoreEffect, body: any EffectBody)

/// An effect's body, which runs on the tape, or live at the user's request.
package protocol EffectBody: Sendable {
  var dependencies: DependencyValues { get set }
  /// Whether both have the same code, captured values and dependencies, so that they ask the same.
  func asksTheSame(as other: any EffectBody) -> Bool
  func perform(_ send: @escaping @Sendable (any MachineAction) -> Void) async -> LiveRun.End
  /// The run of another architecture's effect.
  var foreign: (any ForeignRun)? { get }
}

extension Machine {
  package mutating func set(to state: Value) throws { try pass(to: state) }
  package var lookahead: Int { 0 }
  package func expect(_ steps: [ExpectedStep]) {}
  package mutating func watchCancelledIDs() {}
  package mutating func endWatchingIDs() {}
  package func cancellation(ofEffectNamed text: String) -> RecordedCancellation { .unknown }
}
