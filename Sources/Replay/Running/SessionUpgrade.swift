import SessionWords
import ValueTree

/// Converts the values that an older version of the app recorded.
///
/// It gets every state and action as a value before decoding; the result counts as recorded. Return
/// unchanged values as they are:
///
/// ```swift
/// let upgrade = SessionUpgrade(
///   state: { state, _ in
///     var state = state
///     if state["currency"] == nil { state["currency"] = "EUR" }
///     return state
///   },
///   action: { action, version in
///     version == "1.0" && action["buy"] != nil ? ["purchase": action["buy"] ?? .null] : action
///   })
/// let setup = ReplaySetup(AppFeature(), upgrade: upgrade)
/// ```
public struct SessionUpgrade: Sendable {
  /// A function of a value, and the version of the app that recorded it if the log has it.
  public typealias Change = @Sendable (_ value: Value, _ version: String?) throws -> Value

  package let state: Change
  package let action: Change

  /// An omitted function changes nothing.
  public init(
    state: @escaping Change = { value, _ in value },
    action: @escaping Change = { value, _ in value }
  ) {
    self.state = state
    self.action = action
  }
}

struct UpgradedSource: ReplaySource {
  let old: any ReplaySource
  let upgrade: SessionUpgrade
  let version: String?

  var steps: ClosedRange<Int> { old.steps }
  var tape: [String] { old.tape }
  var inFlightAtStart: [EffectInFlight] { old.inFlightAtStart }
  var startDate: Double { old.startDate }
  var end: Duration? { old.end }

  func step(_ number: Int) throws -> Step {
    var step = try old.step(number)
    guard number > steps.lowerBound, step.set == nil else { return step }
    do {
      step.action = try upgrade.action(step.action, version)
    } catch {
      step.action = ["the upgrade function failed": .string("\(error)")]
    }
    return step
  }

  func assumptions(raisedAt step: Int) -> [Assumption] { old.assumptions(raisedAt: step) }
  func assumptions(standingAfter step: Int) -> [Assumption] {
    old.assumptions(standingAfter: step)
  }
  func isKnown(after step: Int) -> Bool { old.isKnown(after: step) }

  func sentSteps() throws -> [Int] { try old.sentSteps() }

  func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent] {
    try old.effectEvents(in: steps)
  }

  func state(after step: Int) throws -> Value? {
    guard let state = try old.state(after: step) else { return nil }
    do {
      return try upgrade.state(state, version)
    } catch {
      throw ReplayError.stateDoesNotDecode(
        step: step, reason: "the upgrade function failed: \(error)")
    }
  }

  func loss(ofStateAfter step: Int) -> String? { old.loss(ofStateAfter: step) }
  func knownState(from step: Int) throws -> Int? { try old.knownState(from: step) }
  func effectsInFlight(after step: Int) throws -> [EffectInFlight] {
    try old.effectsInFlight(after: step)
  }

  /// A change of the old state is not one of the new.
  func patch(at step: Int) throws -> Value? { nil }
  func isKeyframe(_ step: Int) -> Bool { old.isKeyframe(step) }
  func outsideReads() throws -> [OutsideRead] { try old.outsideReads() }
  var mayEndInsideTurn: Bool { old.mayEndInsideTurn }
  var firstNewEffect: Int { old.firstNewEffect }
}
