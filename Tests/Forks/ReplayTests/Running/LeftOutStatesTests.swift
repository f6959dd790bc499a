import SessionFile
import SessionWords
import Testing
import ValueTree

@testable import Replay

/// Sessions whose recorder left states out because it fell behind.
@Suite struct LeftOutStatesTests {
  /// A session of additions of 1, of which every n-th step tells its state.
  private func session(
    steps: Int, toldEvery distance: Int, wrongFrom wrong: Int = .max
  ) throws -> (SessionReader, TemporaryFile) {
    let file = TemporaryFile()
    let header = SessionHeader(state: try .encoding(Shop.State()))
    let writer = try SessionWriter(path: file.path, header: header)
    for number in 1...steps {
      var state = Shop.State()
      state.total = number >= wrong ? -number : number
      let isTold = number.isMultiple(of: distance)
      try writer.append(
        Step(number: number, label: "add", action: try .encoding(Shop.Action.add(1))),
        state: isTold ? try .encoding(state) : nil, isStateDropped: !isTold)
    }
    try writer.finish()
    return (try SessionReader(path: file.path), file)
  }

  /// Counts how often a state is asked of the file.
  private struct Counted: ReplaySource {
    let source: any ReplaySource
    let count = ReplayTestLock(0)

    var steps: ClosedRange<Int> { source.steps }
    var tape: [String] { source.tape }
    var inFlightAtStart: [EffectInFlight] { source.inFlightAtStart }
    var startDate: Double { source.startDate }
    var firstOwnPatch: Int { source.firstOwnPatch }
    func step(_ number: Int) throws -> Step { try source.step(number) }
    func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent] {
      try source.effectEvents(in: steps)
    }
    func state(after step: Int) throws -> Value? {
      count.withLock { $0 += 1 }
      return try source.state(after: step)
    }
    func patch(at step: Int) throws -> Value? { try source.patch(at: step) }
    func storedSteps(_ numbers: ClosedRange<Int>) throws -> [StoredStep] {
      try source.storedSteps(numbers)
    }
    func isKeyframe(_ step: Int) -> Bool { source.isKeyframe(step) }
  }

  @Test(
    "verifying asks the file for no state but the first, however many are left out",
    arguments: [1, 2, 7, 150])
  func linear(distance: Int) throws {
    let (session, file) = try session(steps: 300, toldEvery: distance)
    let source = Counted(source: SessionSource(session))
    let report = try SessionReplay(source, RecordedShop.setup).verify(.all)
    var expected = VerifyReport(steps: 300)
    expected.uncompared = 300 - 300 / distance
    #expect(report == expected)
    #expect(source.count.withLock { $0 } < 10)
    withExtendedLifetime(file) {}
  }

  @Test("a difference shows at the first state that is told behind it")
  func difference() throws {
    let (session, file) = try session(steps: 100, toldEvery: 7, wrongFrom: 40)
    let report = try SessionReplay(session, RecordedShop.setup).verify()
    #expect(report.divergences.map(\.step) == [42])
    #expect(report.divergences.first?.recorded == -42)
    #expect(report.divergences.first?.rerun == 42)
    withExtendedLifetime(file) {}
  }

  @Test("a fork of a fork compares with what its parent tells and what is its own")
  func forks() throws {
    let (session, file) = try session(steps: 20, toldEvery: 3)
    let replay = try SessionReplay(session, RecordedShop.setup)
    let first = Script(leavesAt: 10, edits: [.skip(step: 12)])
    let second = Script(parent: "first", leavesAt: 11, edits: [])
    var lines: [String] = []
    _ = try replay.run([first]) { lines.append($0.line) }
    #expect(
      lines.prefix(4) == [
        "11 add ←11 recorded/new", "12 add ←13 recorded/new", "13 add ←14 recorded/new",
        "14 add ←15 recorded/different",
      ])
    lines = []
    _ = try replay.run([first, second]) { lines.append($0.line) }
    #expect(lines.prefix(2) == ["12 add ←12 recorded/equal", "13 add ←13 recorded/equal"])
    #expect(try replay.state(of: [first, second], after: 19)["total"] == 19)
    withExtendedLifetime(file) {}
  }
}
