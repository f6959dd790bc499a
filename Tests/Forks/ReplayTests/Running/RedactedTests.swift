import SessionFile
import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

@Suite("Redacted sessions")
struct RedactedTests {
  /// Compares what it gets with what it has, so that a redacted text decides.
  struct Lookup: Reducer {
    struct State: Codable, Sendable {
      var query = ""
      var log: [String] = []
    }

    enum Action: Codable, Sendable { case type(String), found(String), clear }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .type(let text): state.query = text
      case .found(let text): state.log.append(text == state.query ? "shown" : "late")
      case .clear: state.log = []
      }
      return .none
    }
  }

  private func redacted(
    _ redaction: Redaction
  ) async throws -> (SessionReplay, TemporaryFile) {
    let doing: [Doing<Lookup.Action>] = [
      .send(.clear), .send(.type("tea")), .send(.found("tea")), .send(.clear),
    ]
    let whole = try await record(Lookup(), from: Lookup.State(), doing)
    let file = TemporaryFile()
    var trimmer = SessionTrimmer(whole.session)
    trimmer.redaction = redaction
    try trimmer.trim(whole.session.steps, to: file.path)
    return (try SessionReplay(SessionReader(path: file.path), ReplaySetup(Lookup())), file)
  }

  @Test("recordings/redacted: a fork doubts all that follows a redacted value")
  func forks() async throws {
    func standings(
      _ replay: SessionReplay
    ) throws -> [Int: Standing] {
      var standings: [Int: Standing] = [:]
      _ = try replay.run([Script(leavesAt: 0, edits: [.skip(step: 4)])]) {
        standings[$0.step.number] = $0.standing
      }
      return standings
    }
    // From the first state on.
    let (replay, file) = try await redacted(Redaction(paths: ["/query"]))
    let all = try standings(replay)
    #expect(all.keys.sorted() == [1, 2, 3])
    #expect(all.values.allSatisfy { $0.values == .assumed }, "\(all)")
    #expect(
      all[1]?.assumptions.map(\.sentence) == [
        "/query of the state is redacted: the reducer gets another value than it had"
      ])
    // Only from the action on that carries the value.
    let (other, otherFile) = try await redacted(Redaction(patterns: ["tea"]))
    let late = try standings(other)
    #expect([1, 2, 3].map { late[$0]?.values } == [.recorded, .assumed, .assumed])
    #expect(
      late[2]?.assumptions.map(\.sentence) == [
        "the action is redacted: the reducer gets another value than it had"
      ])
    withExtendedLifetime((file, otherFile)) {}
  }

  @Test("recordings/redacted: verify calls a place that a redacted value may decide not compared")
  func verify() async throws {
    let (replay, file) = try await redacted(Redaction(paths: ["/query"]))
    let report = try replay.verify(.all)
    #expect(report.divergences == [])
    #expect(
      report.text(title: "shop").contains(
        """
        Places that were not compared:
          step 2: /query was not compared, because of a redacted value: the recorded one
          step 3: /log/0 was not compared, because of a redacted value: /query of the state before
        """), "\(report.text(title: "shop"))")
    withExtendedLifetime(file) {}
  }
}
