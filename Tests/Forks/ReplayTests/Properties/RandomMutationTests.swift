import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// Reducers that were changed in one random place, over random sessions.
@Suite struct RandomMutationTests {
  private enum Mutation: String, CaseIterable {
    case state, missingRead, effect, extraStep, nondeterministic

    /// Whether it changes anything at such a step.
    func shows(at step: Int, of session: SessionReader) throws -> Bool {
      guard self == .effect else { return true }
      return try session.effectEvents(in: step...step).contains {
        if case .started(let origin) = $0.kind { origin.step == step } else { false }
      }
    }

    var kind: Divergence.Kind {
      switch self {
      case .state: .state
      case .missingRead: .missingRead
      case .effect: .effect
      case .extraStep: .extraStep
      case .nondeterministic: .nondeterministic
      }
    }

    /// The shop, doing something else at every action with this label.
    func shop(at label: String) -> ChangedShop {
      let count = ReplayTestLock<UInt64>(0)
      return ChangedShop { state, action in
        @Dependency(\.uuid) var uuid
        guard actionLabel(action) == label, action != .noted("extra") else { return nil }
        let effect = Shop().reduce(into: &state, action: action)
        switch self {
        case .state: state.ids.append(1)
        case .missingRead: _ = uuid()
        case .effect: return Effect.none
        case .extraStep: return .merge(effect, .send(.noted("extra")))
        case .nondeterministic:
          state.ids.append(
            count.withLock {
              $0 += 1
              return $0
            })
        }
        return effect
      }
    }
  }

  @Test(
    "a reducer changed in one place is caught at the first step that it changes, with its class")
  func mutations() async throws {
    var counts: [Mutation: Int] = [:]
    for seed in RandomRuns.seeds(60, long: 2_000) {
      var random = SeededRandomNumberGenerator(seed: seed)
      let session = try await RandomSession(RandomApps.shop, seed: seed, &random)
      let mutation = random.one(of: Mutation.allCases)
      let steps = try session.reader.steps.dropFirst().filter {
        try mutation.shows(at: $0, of: session.reader)
      }
      guard let some = steps.randomElement(using: &random) else { continue }
      let label = session.step(some).label
      guard let first = steps.first(where: { session.step($0).label == label }) else { continue }
      let setup = RandomApps.shop.setup(with: mutation.shop(at: label))
      let report = try SessionReplay(session.reader, setup).verify()
      counts[mutation, default: 0] += 1
      let found = report.divergences.first
      guard found?.kind == mutation.kind, found?.step == first else {
        Issue.record(
          """
          \(mutation.rawValue) of “\(label)”, first at step \(first)
          \(session.line.words)
          \(report.text(title: "session"))
          """)
        return
      }
    }
    print("mutations: \(counts.map { "\($0.key.rawValue) \($0.value)" }.sorted())")
    for mutation in Mutation.allCases {
      #expect(counts[mutation, default: 0] > 4, "\(mutation)")
    }
  }
}
