import Platform
import SessionWords

/// The verdicts of a search, so that the same search goes on where it was stopped.
package final class TrialMemory: Sendable, Hashable {
  /// The topic of the verdicts. For another build of the reducer, or in a longer session, they
  /// count no more.
  struct Topic: Sendable, Hashable {
    var goal: Goal
    var build: Int
    var branch: BranchID
    var last: Int
    var end: Int
  }

  package struct Verdicts: Sendable {
    var ofSearch: [ScriptKey: Verdict] = [:]
    var ofWhole: [ScriptKey: Verdict] = [:]
    fileprivate var bytes = 0

    package init() {}
  }

  private let state = Locked<(topic: Topic?, verdicts: Verdicts)>((nil, Verdicts()))
  private static var budget: Int { 16 << 20 }

  package init() {}

  /// How many scripts were tried.
  package var count: Int {
    state.withLock { $0.verdicts.ofSearch.count + $0.verdicts.ofWhole.count }
  }

  func verdicts(about topic: Topic) -> Verdicts {
    state.withLock { state in
      if state.topic != topic { state = (topic, Verdicts()) }
      return state.verdicts
    }
  }

  func keep(_ verdict: Verdict, _ key: ScriptKey, ofWhole isWhole: Bool) {
    var verdict = verdict
    verdict.state = nil
    state.withLock { state in
      state.verdicts.bytes += verdict.bytes + MemoryLayout<ScriptKey>.stride
      guard state.verdicts.bytes < Self.budget else { return }
      if isWhole {
        state.verdicts.ofWhole[key] = verdict
      } else {
        state.verdicts.ofSearch[key] = verdict
      }
    }
  }

  /// Searches are the same whatever was tried for them.
  package static func == (_: TrialMemory, _: TrialMemory) -> Bool { true }
  package func hash(into _: inout Hasher) {}
}
