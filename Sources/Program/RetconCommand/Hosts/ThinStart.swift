import HostProtocol
import Replay
import SessionFile
import SessionWords
import StoreCore
import ValueTree

/// The first state of a session: the reducer's own, with all that JSON has no words for, or the recorded one.
extension ThinHost {
  private static let beginning = ThinInput(["type": "@@INIT"])

  func start(of session: SessionReader) throws -> (any Machine)? {
    while true {
      do {
        let start = try makeStart(of: session.header)
        guard let start, try isStart(start, of: session) else { return nil }
        return RemoteMachine(self, start)
      } catch let end as HostPipes.End {
        let advice = end.isLate ? "; --start-time allows more" : ""
        throw HostRefusal(.other, end.description + advice)
      } catch is RunRestart {}
    }
  }

  private func makeStart(of header: SessionHeader) throws -> ThinState? {
    let own = try reduce([Self.beginning], from: nil, .null, within: limits.timeToStart)
    guard let recorded = header.state else {
      guard let state = own.states.first else {
        throw HostRefusal(
          .undecodable, "the reducer gives no first state: \(own.error ?? "it says nothing")")
      }
      return state
    }
    if hasStart, header.origin?.statesBy == nil {
      throw HostRefusal(.other, "the session brings its own first state: leave out --state")
    }
    // The reducer has filled in what is missing of an app's first state.
    if header.states == .first {
      let base = try number(of: ThinState(recorded))
      return try reduce([Self.beginning], from: base, recorded, within: limits.timeToStart)
        .states.first
    }
    // The reducer's own has all that JSON has no words for.
    let first = own.states.first { $0.json == recorded }
    return first ?? own.states.first.flatMap { can.whole ? ThinState(recorded, on: $0) : nil }
  }

  /// The effects that start anew for a state that was set by hand.
  func set(_ state: ThinState) throws -> (ThinState, Effect<RemoteAction>) {
    let answer = try reduce([ThinInput(["type": "@@SET"])], from: number(of: state), state.json)
    return (answer.states.first ?? state, try effect(of: answer.told["effects"]?[0]))
  }

  /// A session that holds states, but not the first one, may have begun with another than the reducer's.
  private func isStart(_ state: ThinState, of session: SessionReader) throws -> Bool {
    let first = session.steps.lowerBound
    guard session.header.state == nil, session.header.states != .first, !hasStart,
      let last = try SessionSource(session).knownState(from: first + 1), last - first < Self.longest
    else { return true }
    if let tried, tried.session == session.path { return tried.isStart }
    tried = (session.path, true)
    let steps = try (first + 1...last).map { try session.step($0) }
    guard
      steps.allSatisfy({ $0.damage == nil && $0.error == nil && $0.set == nil && !$0.isSkipped })
    else { return true }
    do {
      let answer = try reduce(
        steps.map { ThinInput($0.action, can.reads ? $0.reads : []) }, from: number(of: state),
        state.json, within: batchTime)
      let reached = answer.states.count == steps.count ? answer.states.last?.json : nil
      let isStart = try reached == session.state(after: last)
      tried = (session.path, isStart)
      return isStart
    } catch is HostPipes.End { throw RunRestart() }
  }
}
