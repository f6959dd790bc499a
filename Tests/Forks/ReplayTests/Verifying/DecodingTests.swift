import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// Types of a newer version of the app.
private struct Newer: Reducer {
  struct State: Codable, Hashable, Sendable {
    var total = 0
    var log: [String] = []
    var ids: [UInt64] = []
    var query = ""
    var isPolling = false
  }

  /// `roll` and `fetch` are gone.
  enum Action: Codable, Hashable, Sendable {
    case add(Int)
    case clear
    case fetched(String)
    case noted(String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number): state.total += number
    case .clear:
      state.total = 0
      state.log = []
    case .fetched(let text), .noted(let text): state.log.append(text)
    }
    return .none
  }
}

/// A state that decodes to something else than was encoded.
private struct Forgetful: Reducer {
  struct State: Codable, Sendable {
    var total = 0
    var cached = 0

    enum CodingKeys: CodingKey { case total, cached }

    init() {}
    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      total = try values.decode(Int.self, forKey: .total)
    }
  }

  enum Action: Codable, Hashable, Sendable {
    case add(Int), reset, keep
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number):
      state.total += number
      state.cached = state.total
    case .reset: state = State()
    case .keep: break
    }
    return .none
  }
}

@Suite struct DecodingTests {
  @Test(
    "recordings/undecodable: where the branch is the recording, the recorded state is taken over")
  func adopted() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.roll), .send(.fetch(1)), .wait(.seconds(1)), .send(.add(2)),
    ])
    let replay = try SessionReplay(shop.session, ReplaySetup(Newer()))
    var lines: [String] = []
    _ = try replay.run([]) { lines.append($0.line) }
    #expect(
      lines == [
        "1 add ←1 recorded/equal", "2 roll ←2 recorded/undecodable",
        "3 fetch ←3 recorded/undecodable", "4 fetched ⚡1 ←4 recorded/equal",
        "5 add ←5 recorded/equal",
      ])
    let report = try replay.verify()
    // All that could be compared is equal, but not all could.
    #expect(report.divergences.isEmpty)
    #expect(!report.isEqual)
    #expect(report.undecodable.map { "\($0.step) \($0.label)" } == ["2 roll", "3 fetch"])
  }

  @Test(
    "recordings/undecodable: a branch that already differs ends at an action that does not decode")
  func ended() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.add(2)), .send(.roll), .send(.add(3)),
    ])
    let replay = try SessionReplay(shop.session, ReplaySetup(Newer()))
    var lines: [String] = []
    let report = try replay.run([Script(leavesAt: 0, edits: [.skip(step: 1)])]) {
      lines.append($0.line)
    }
    #expect(lines == ["1 add ←2 recorded/different"])
    #expect(ended(report) == 2)
  }

  @Test("recordings/undecodable: a branch ends at the same place whether its steps are told or not")
  func toldOrNot() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .send(.cancelFetch), .send(.cancelFetch), .send(.add(2)),
    ])
    let replay = try SessionReplay(shop.session, ReplaySetup(Newer()))
    let same = Edit.replace(step: 1, action: try .encoding(Shop.Action.add(1)))
    let other = Edit.replace(step: 1, action: try .encoding(Shop.Action.add(5)))
    for first in [0, nil] {
      let equal = try replay.run([Script(leavesAt: 0, edits: [same])], from: first)
      #expect(equal.ending == nil, "from \(first ?? -1)")
      let different = try replay.run([Script(leavesAt: 0, edits: [other])], from: first)
      #expect(ended(different) == 2, "from \(first ?? -1)")
    }
  }

  @Test("recordings/undecodable: a differing re-run ends, told or not; forks go on")
  func changedReducer() async throws {
    struct Changed: Reducer {
      func reduce(into state: inout Newer.State, action: Newer.Action) -> Effect<Newer.Action> {
        if case .add = action { state.total += 1 }
        return Newer().reduce(into: &state, action: action)
      }
    }
    let shop = try await RecordedShop([.send(.add(1)), .send(.cancelFetch), .send(.add(2))])
    let replay = try SessionReplay(shop.session, ReplaySetup(Changed()))
    #expect(ended(try replay.run([])) == 2)
    #expect(ended(try replay.run([], from: nil)) == 2)
    var lines: [String] = []
    _ = try replay.run([Script(leavesAt: 2)]) { lines.append($0.line) }
    #expect(lines == ["3 add ←3 recorded/different"])
  }

  /// The step at which a branch ended because it does not decode.
  private func ended(_ report: BranchReport) -> Int? {
    report.ending.flatMap { $0.outcome == .undecodable ? $0.step : nil }
  }

  @Test("forks/start-state: a recorded state that encodes to other bytes is not started from")
  func forgetful() async throws {
    let (session, states, file) = try await record(
      Forgetful(), from: Forgetful.State(),
      [.send(.add(1)), .send(.reset), .send(.add(2)), .send(.add(3)), .send(.add(4))])
    // Today's reducer adds one more, so the recorded state has to be taken over at the fork.
    struct Changed: Reducer {
      func reduce(
        into state: inout Forgetful.State, action: Forgetful.Action
      ) -> Effect<Forgetful.Action> {
        if case .add = action { state.total += 1 }
        return Forgetful().reduce(into: &state, action: action)
      }
    }
    let replay = try SessionReplay(session, ReplaySetup(Changed()))
    let script = Script(
      leavesAt: 3, edits: [.insert(after: 3, action: try .encoding(Forgetful.Action.keep))])
    var state = try session.state(after: 3)
    var lines: [String] = []
    let report = try replay.run([script]) { step in
      if let patch = step.patch, let next = try? Patch(patch).applied(to: state) { state = next }
      lines.append("\(step.line): \(state.text())")
    }
    #expect(states.map(\.total) == [0, 1, 0, 2, 5, 9])
    // Step 2 is the nearest whose state survives: re-running step 3 from there gives 0 + 2 + 1.
    #expect(
      lines == [
        #"4 keep new assumed/new: {"total":3,"cached":3}"#,
        #"5 add ←4 assumed/different: {"total":7,"cached":7}"#,
        #"6 add ←5 assumed/different: {"total":12,"cached":12}"#,
      ])
    #expect(
      report.remarks == [
        "the recording does not give the state after step 3: the fork starts from the re-run's"
      ])
    #expect(try replay.state(of: [script], after: 4).text() == #"{"total":3,"cached":3}"#)
    _ = try replay.run([script], from: nil)
    #expect(try replay.state(of: [script], after: 6) == state)
    withExtendedLifetime(file) {}
  }

  @Test(
    "forks/start-state: where the reducer comes to another state, a fork starts from the recorded one"
  )
  func takenOver() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.add(3))])
    struct Changed: Reducer {
      func reduce(into state: inout Shop.State, action: Shop.Action) -> Effect<Shop.Action> {
        if case .add(1) = action { state.total += 100 }
        return Shop().reduce(into: &state, action: action)
      }
    }
    let replay = try SessionReplay(shop.session, ReplaySetup(Changed()))
    var lines: [String] = []
    _ = try replay.run([Script(leavesAt: 2)]) { lines.append($0.line) }
    #expect(lines == ["3 add ←3 recorded/equal"])
  }

  @Test("a session for browsing only is refused with its reason")
  func browseOnly() async throws {
    struct Opaque: Reducer {
      struct State: Sendable { var total = 0 }
      func reduce(into state: inout State, action: Int) -> Effect<Int> {
        state.total += action
        return .none
      }
    }
    let file = TemporaryFile()
    let recorder = StoreRecorder<Opaque.State, Int>(to: file.path)
    do {
      let store = Store(initialState: Opaque.State(), hooks: recorder) { Opaque() }
      store.send(1)
    }
    recorder.finish()
    let session = try SessionReader(path: file.path)
    let failure = #expect(throws: ReplayError.self) {
      try SessionReplay(session, ReplaySetup(Newer()))
    }
    #expect(failure?.what.hasPrefix("this session can only be browsed: State (") == true)
  }
}
