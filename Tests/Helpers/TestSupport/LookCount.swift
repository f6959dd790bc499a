import Platform

/// Counts how often some work looks whether it is to stop: the pieces that it consists of, whatever the
/// machine is doing meanwhile.
///
/// ```swift
/// let work = LookCount(stopAt: 20)
/// #expect(throws: PatchError.self) { try work.counting { try patch.applied(to: state) } }
/// ```
package final class LookCount: Sendable {
  private let looks = Locked(0)
  private let last: Int

  /// The work is asked to stop from one look on.
  package init(stopAt last: Int = .max) { self.last = last }

  package var count: Int { looks.withLock { $0 } }

  private func look() -> Bool {
    looks.withLock { looks in
      looks += 1
      return looks >= last
    }
  }

  package func counting<Result>(_ work: () throws -> Result) rethrows -> Result {
    try Interruption.heeding({ self.look() }, work)
  }

  package func counting<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    try await Interruption.heeding({ self.look() }, work)
  }
}
