import SessionWords
import StoreCore
import Synchronization
import Testing
import ValueTree

@testable import Replay

/// The engine over machines that are not a store's.
@Suite struct MachineTests {
  /// Adds numbers, and keeps what the engine tells it.
  final class Adding: RunSetup {
    let told = ReplayTestLock<[[Value]]>([])
    /// The number that it throws at.
    let bad: Int?
    let wanted: Int

    init(throwingAt bad: Int? = nil, wanting wanted: Int = 0) {
      (self.bad, self.wanted) = (bad, wanted)
    }

    let memoryBudget = 32 << 20
    let allowsLiveCalls = true
    let takesCancellationsAsRecorded = false
    let decodesStates = true
    let runsEffectsOnTape = false
    let onlyReduces = true
    let isRemote = true
    let readsTape = false
    let upgrade: SessionUpgrade? = nil
    let reducerType: Any.Type = Value.self
    let stateType: any (Codable & Sendable).Type = Value.self
    let actionType: any (Codable & Sendable).Type = Value.self
    let change: @Sendable (inout DependencyValues) -> Void = { _ in }

    func machine(with state: Value, after step: Int) throws -> any Machine {
      Sum(setup: self, stepCount: step, sum: try ValueDecoder().decode(Int.self, from: state))
    }

    func action(_ value: Value) throws -> any MachineAction { Plain(value) }
  }

  final class Plain: MachineAction {
    private let json: Value
    init(_ json: Value) { self.json = json }
    var label: String { "Int" }
    func value() -> Value { json }
  }

  struct Sum: Machine {
    let setup: Adding
    var stepCount: Int
    var sum: Int

    mutating func countOn(from step: Int) { stepCount = step }
    func state(_ encoder: IncrementalEncoder?) -> Value { .number(Number(sum)) }
    var holdsReferences: Bool { false }
    mutating func put(_ state: Value) throws {
      sum = try ValueDecoder().decode(Int.self, from: state)
    }
    mutating func pass(to state: Value?) throws {
      if let state { try put(state) }
      stepCount += 1
    }
    mutating func reduce(_ step: MachineStep) throws -> StepOutcome {
      stepCount += 1
      let number = try ValueDecoder().decode(Int.self, from: step.action.value())
      if number == setup.bad { return StepOutcome(.threw("no \(number)")) }
      sum += number
      return StepOutcome()
    }
    var lookahead: Int { setup.wanted }
    func expect(_ steps: [ExpectedStep]) { setup.told.withLock { $0.append(steps.map(\.action)) } }

    var outputCount: Int { 0 }
    var sent: [SentAction] { [] }
    mutating func removeSent(at place: Int) -> SentAction? { nil }
    var hasChanges: Bool { false }
    mutating func takeEffects() -> [EffectChange] { [] }
    mutating func ended(effect number: Int) {}
    mutating func cancel(effect number: Int) {}
    mutating func cancel(root: Int) {}
    mutating func cancel(idNamed text: String, by effect: Int?, of others: [Int]) {}
    mutating func cancelAll(but kept: Set<Int>) {}
    func root(ofEffect number: Int) -> Int? { nil }
    var hasOpenWindows: Bool { false }
    func newestEffects() -> [StartedEffect] { [] }
  }

  private static let source = MemorySource(
    states: (0...200).map { .number(Number($0)) }, actions: Array(repeating: 1, count: 200))

  private static let scripts = [
    Script(leavesAt: 2, edits: [.skip(step: 3)]),
    Script(
      leavesAt: 70, edits: [.insert(after: 75, action: 7), .replace(step: 90, action: 3)]),
    Script(
      leavesAt: 99,
      edits: [.move(step: 100, after: 120), .set(step: 130, pointer: [], value: 5)]),
    Script(leavesAt: 150, rest: .nothing, edits: [.insert(after: 150, action: 2)]),
  ]

  @Test("a machine that only reduces gives the steps of a typed one")
  func same() throws {
    let typed = SessionReplay(
      Self.source, ReplaySetup(CheckpointTests.Adder(count: CheckpointTests.Adder.Count())))
    let plain = SessionReplay(Self.source, Adding())
    for script in Self.scripts {
      var told: [[BranchStep]] = [[], []]
      let report = try typed.run([script]) { told[0].append($0) }
      #expect(try plain.run([script]) { told[1].append($0) } == report)
      #expect(told[0] == told[1])
      #expect(told[0].isEmpty == false)
    }
    #expect(try plain.state(of: [Self.scripts[1]], after: 100) == 108)
    #expect(try plain.verify().isEqual)
  }

  @Test("a step that throws ends its fork before it, and the next fork runs")
  func throwing() throws {
    let replay = SessionReplay(Self.source, Adding(throwingAt: 9))
    var last = 0
    let script = Script(leavesAt: 20, edits: [.insert(after: 25, action: 9)])
    let report = try replay.run([script]) { last = $0.step.number }
    #expect(report.ending == BranchReport.Ending(26, .crashed, "no 9"))
    #expect((last, report.lastStep) == (25, 25))
    #expect(try replay.run([Self.scripts[0]]).ending == nil)
  }

  @Test("a machine hears which actions come, as far as the user lets them be")
  func lookingAhead() throws {
    let setup = Adding(wanting: 3)
    let edits: [Edit] = [
      .skip(step: 3), .replace(step: 4, action: 8), .insert(after: 6, action: 2),
    ]
    _ = try SessionReplay(Self.source, setup).run([Script(leavesAt: 1, edits: edits)], until: 6)
    #expect(setup.told.withLock { $0.suffix(5) } == [[8, 1], [1, 1], [1], [], []])
  }
}
