import ForkSearch
import SessionWords
import TimeTravel

extension QueriedSession {
  /// The actions that a difference needs, as `why` says it: “7 paid finds the same values only after
  /// each of 2 added, 5 coupon.” Nil if a short search does not tell.
  func reason(for finding: Finding, at step: Int) async throws -> String? {
    // Each run begins at the start, and a search has many.
    guard finding.kind == Divergence.Kind.state.rawValue, step <= 100 else { return nil }
    let options = SearchOptions(.divergence, jobs: 1, runs: 200, time: .seconds(5))
    do {
      let search = try await options.search(self)
      guard search.base.last == step else { return nil }
      let reason = try await options.searching(search, self) { trials in
        try await Reasoner(search.base, search.goal, trials).reason()
      }
      return reason.stopped == nil && !reason.links.isEmpty ? reason.sentences.first : nil
    } catch {
      try Task.checkCancellation()
      return nil
    }
  }
}
