import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// The standing of each kind of step. The host reports crashes and reducers that do not return.
@Suite struct StandingTests {
  fileprivate static func action(_ action: Shop.Action) throws -> Value { try .encoding(action) }

  @Test("forks/standing: a step of the recording itself is recorded and equal")
  func recording() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.rate), .send(.announce), .send(.fetch(1)), .wait(.seconds(1)),
    ])
    let standings = try standings(shop, [])
    #expect(standings.count == 7)
    #expect(Set(standings) == [Standing(.recorded, .equal)])
  }

  @Test(
    "forks/standing: each kind of edit has its standing, and so has the recorded step after it",
    arguments: [
      (Kind.skipped, ["recorded/different"]),
      (.replaced, ["edited/different", "recorded/different"]),
      (.replacedByEqual, ["recorded/equal", "edited/equal"]),
      (.replacedWithReads, ["edited/equal", "recorded/equal"]),
      (.inserted, ["edited/new", "recorded/different", "recorded/different"]),
      (.insertedWithReads, ["assumed/new", "assumed/different", "assumed/different"]),
      (.moved, ["recorded/different", "recorded/different"]),
      (.readEdited, ["edited/different", "recorded/different"]),
      (.set, ["edited/new", "edited/different", "edited/different"]),
    ])
  func edits(_ kind: Kind, _ expected: [String]) async throws {
    // Step 2 reads the rate; step 3 reads nothing.
    let shop = try await RecordedShop([.send(.add(1)), .send(.rate), .send(.noted("x"))])
    let script = Script(leavesAt: 1, edits: [try kind.edit])
    #expect(
      try standings(shop, [script]).map { "\($0.values.rawValue)/\($0.outcome.rawValue)" }
        == expected)
  }

  enum Kind: Sendable {
    case skipped, replaced, replacedByEqual, replacedWithReads, inserted, insertedWithReads
    case moved, readEdited, set

    var edit: Edit {
      get throws {
        switch self {
        case .skipped: .skip(step: 2)
        case .replaced: .replace(step: 2, action: try StandingTests.action(.add(9)))
        case .replacedByEqual: .replace(step: 3, action: try StandingTests.action(.noted("x")))
        case .replacedWithReads: .replace(step: 2, action: try StandingTests.action(.rate))
        case .inserted: .insert(after: 1, action: try StandingTests.action(.add(9)))
        case .insertedWithReads: .insert(after: 1, action: try StandingTests.action(.roll))
        case .moved: .move(step: 2, after: 3)
        case .readEdited:
          .read(step: 2, key: "rate", index: 0, outcome: .value(50))
        case .set: .set(step: 1, pointer: ["total"], value: 50)
        }
      }
    }
  }

  @Test("forks/standing: what is left out is an orphan with its reason, what waits is unanswered")
  func leftOut() async throws {
    let shop = try await RecordedShop([.send(.fetch(1)), .wait(.seconds(1)), .send(.add(1))])
    let orphaned = try shop.run(leavesAt: 0, .skip(step: 1)).report
    #expect(orphaned.leftOut.map(\.reason) == [.skipped, .notStarted])
    let waiting = try shop.run(
      leavesAt: 0, .insert(after: 3, action: try Self.action(.fetch(2)))
    ).report
    #expect(waiting.leftOut == [])
    #expect(waiting.pending.map(\.isUnanswered) == [true])
  }

  private func standings(_ shop: RecordedShop, _ scripts: [Script]) throws -> [Standing] {
    var standings: [Standing] = []
    _ = try shop.replay.run(scripts) { standings.append($0.standing) }
    return standings
  }
}
