import SessionWords

/// The result of a search. Each session that it names runs again in a new process.
package protocol SearchResult: Sendable {
  /// False where the time was over before.
  var isRunAgain: Bool { get set }
  mutating func runAgain(on search: HostTrials) async throws
}

extension SearchResult {
  var notAgain: String? {
    isRunAgain ? nil : "the time was over before this ran again in a new process"
  }
}

extension Minimum: SearchResult {
  /// Also leaves out the steps after the goal.
  package mutating func runAgain(on search: HostTrials) async throws {
    let isUnchanged = search.isUnchanged(script)
    script = try search.base.cut(script)
    guard !isUnchanged else { return }
    (verdict, isSameAgain) = try await search.again(script, as: "the smallest session")
  }
}

extension Reason: SearchResult {
  package mutating func runAgain(on search: HostTrials) async throws {
    try await minimum?.runAgain(on: search)
    if let minimum { verdict.limitTrust(to: minimum.verdict) }
    guard let avoided else { return }
    _ = try await search.again(avoided.script, as: "a session without it", happens: false)
  }
}

extension Exploration: SearchResult {
  package mutating func runAgain(on search: HostTrials) async throws {
    for index in hits.indices {
      hits[index].verdict = try await search.again(
        hits[index].shortest, as: "an order that breaks the rule"
      ).verdict
    }
  }
}
