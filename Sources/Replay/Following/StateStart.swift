import ValueTree

/// Where a recording can begin to run: its first step or, where the state after that one is lost or
/// does not decode, the first step behind it after which the state is known.
package struct StateStart<State: Decodable> {
  package var step: Int
  package var state: State

  /// So many states are tried: when today's type reads none of them, it will read no other.
  private static var attempts: Int { 16 }

  /// From this step on, or from the first.
  package init(of source: any ReplaySource, from first: Int? = nil) throws {
    var failure: ReplayError?
    var next: Int? = source.steps.lowerBound
    if let first {
      let isKnown = try source.state(after: first) != nil
      next = try Self.endOfTurn(isKnown ? first : source.knownState(from: first), in: source)
    }
    for _ in 0..<Self.attempts {
      guard let step = next else { break }
      do {
        if let value = try source.state(after: step) {
          (self.step, state) = (step, try ValueDecoder().decode(State.self, from: value))
          return
        }
        failure =
          failure
          ?? .stateDoesNotDecode(
            step: step, reason: source.loss(ofStateAfter: step) ?? "none is recorded")
      } catch let error as DecodingError {
        failure = failure ?? .stateDoesNotDecode(step: step, reason: "\(error)")
      } catch let error as ReplayError {
        failure = failure ?? error
      }
      next = try Self.next(after: step, in: source)
    }
    throw failure ?? .noSuchStep(source.steps.lowerBound, available: source.steps)
  }

  private static func next(after step: Int, in source: any ReplaySource) throws -> Int? {
    try endOfTurn(source.knownState(from: step + 1), in: source)
  }

  /// What reducers send at once stays with the step that they sent it in.
  private static func endOfTurn(_ step: Int?, in source: any ReplaySource) throws -> Int? {
    guard var step else { return nil }
    var cursor = SourceCursor(source)
    while step < source.steps.upperBound, try cursor.isOutput(step + 1) { step += 1 }
    return step
  }
}
