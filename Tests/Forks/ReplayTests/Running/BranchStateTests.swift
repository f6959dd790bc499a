import SessionWords
import StoreCore
import Synchronization
import Testing
import ValueTree

@testable import Replay

@Suite struct BranchStateTests {
  private static let doing: [Doing<Shop.Action>] = [
    .send(.add(3)), .send(.roll), .send(.announce), .send(.fetch(2)), .wait(.milliseconds(400)),
    .send(.add(4)), .send(.fan), .wait(.milliseconds(150)), .send(.announce), .send(.add(1)),
    .send(.poll), .wait(.seconds(2)), .send(.stopPolling), .send(.chain), .wait(.seconds(1)),
    .send(.add(2)), .send(.announce), .send(.fetch(1)), .send(.cancelFetch), .send(.add(5)),
  ]

  private static let edits: [[Edit]] = [
    [.skip(step: 2)], [.insert(after: 3, action: ["add": ["_0": 20]])],
    [.replace(step: 1, action: ["add": ["_0": 1]])], [.set(step: 4, pointer: ["total"], value: 9)],
    [.insert(after: 1, action: ["clear": [:]]), .skip(step: 7)],
  ]

  @Test("a state of a branch is the same whether the branch's steps are kept or run again")
  func states() async throws {
    var small = RecordedShop.setup
    small.memoryBudget = 0
    let shop = try await RecordedShop(Self.doing)
    for edits in Self.edits {
      let script = Script(leavesAt: 0, edits: edits)
      let kept = try SessionReplay(shop.session, RecordedShop.setup)
      let again = try SessionReplay(shop.session, small)
      var last = try kept.run([script]).lastStep
      if let rejoining = try again.run([script]).rejoining { last = rejoining.step }
      for step in stride(from: last, through: 0, by: -3) {
        #expect(
          try again.state(of: [script], after: step) == kept.state(of: [script], after: step),
          "step \(step) of \(edits)")
      }
      #expect(throws: ReplayError.self) { try again.state(of: [script], after: 10_000) }
    }
  }

  @Test(
    "effects/stale-answer: a run of which only the report is told is no less in doubt than a told one"
  )
  func doubt() async throws {
    let shop = try await RecordedShop(Self.doing)
    var compared = 0
    for edits in Self.edits {
      let script = Script(leavesAt: 0, edits: edits)
      let told = try shop.replay.run([script])
      // A told run ends where the branch meets its parent again.
      guard told.rejoining == nil else { continue }
      compared += 1
      let again = try SessionReplay(shop.session, RecordedShop.setup)
      let report = try again.run([script], from: nil)
      #expect(report.pending == told.pending, "\(edits)")
      #expect(report.leftOut == told.leftOut, "\(edits)")
      #expect(report.remarks == told.remarks, "\(edits)")
    }
    #expect(compared >= 3)
  }

  /// Counts how often one is decoded.
  struct CountedAction: Codable, Sendable {
    static let decoded = Atomic<Int>(0)
    var number = 1

    init(from decoder: any Decoder) throws {
      Self.decoded.add(1, ordering: .relaxed)
      number = try Int(from: decoder)
    }

    func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
  }

  struct CountedAdder: Reducer {
    func reduce(into state: inout Int, action: CountedAction) -> Effect<CountedAction> {
      state += action.number
      return .none
    }
  }

  @Test("plain steps are decoded while nobody waits, and not again when they are run")
  func ahead() throws {
    let source = MemorySource(
      states: (0...1_000).map { .number(Number($0)) }, actions: Array(repeating: 1, count: 1_000))
    let replay = SessionReplay(source, ReplaySetup(CountedAdder()))
    while try replay.decodeAhead(count: 100) {}
    #expect(CountedAction.decoded.load(ordering: .relaxed) == 1_000)
    let script = Script(leavesAt: 9, edits: [.skip(step: 10)])
    #expect(try replay.run([script], from: nil).lastStep == 999)
    #expect(try replay.state(of: [script], after: 999) == 999)
    #expect(CountedAction.decoded.load(ordering: .relaxed) == 1_000)
  }
}
