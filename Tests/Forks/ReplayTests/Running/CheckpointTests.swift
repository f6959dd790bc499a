import SessionWords
import StoreCore
import Synchronization
import Testing
import ValueTree

@testable import Replay

@Suite struct CheckpointTests {
  /// A state with a class instance: a copy of it is not a checkpoint.
  final class Box: Codable, @unchecked Sendable {
    var number = 0
  }

  struct Boxed: Reducer {
    struct State: Codable, Sendable { var box = Box() }

    func reduce(into state: inout State, action: Int) -> Effect<Int> {
      state.box.number += action
      return .none
    }
  }

  @Test("runs/checkpoint: a state with references is run again, and never kept as a checkpoint")
  func references() throws {
    let source = MemorySource(
      states: (0...200).map { ["box": ["number": .number(Number($0))]] },
      actions: Array(repeating: 1, count: 200))
    let replay = SessionReplay(source, ReplaySetup(Boxed()))
    for step in [150, 20, 199, 64, 128, 1] {
      #expect(
        try replay.state(of: [], after: step) == ["box": ["number": .number(Number(step))]])
    }
    #expect(try replay.verify().isEqual)
  }

  /// Counts how often it is asked to reduce.
  struct Adder: Reducer {
    final class Count: Sendable {
      let reductions = Atomic<Int>(0)

      /// How many reductions the work costs.
      func cost(of work: () throws -> Void) rethrows -> Int {
        let before = reductions.load(ordering: .relaxed)
        try work()
        return reductions.load(ordering: .relaxed) - before
      }
    }

    let count: Count

    func reduce(into state: inout Int, action: Int) -> Effect<Int> {
      count.reductions.add(1, ordering: .relaxed)
      state += action
      return .none
    }
  }

  private func replay(
    steps: Int, budget: Int? = nil
  ) -> (replay: SessionReplay, count: Adder.Count) {
    let source = MemorySource(
      states: (0...steps).map { .number(Number($0)) }, actions: Array(repeating: 1, count: steps))
    let count = Adder.Count()
    var setup = ReplaySetup(Adder(count: count))
    if let budget { setup.memoryBudget = budget }
    return (SessionReplay(source, setup), count)
  }

  @Test(
    "runs/checkpoint: going back costs the way from the nearest checkpoint, least near the last look"
  )
  func goingBack() throws {
    let (replay, count) = replay(steps: 5_000)
    func cost(_ step: Int) throws -> Int {
      var state: Value?
      let cost = try count.cost { state = try replay.state(of: [], after: step) }
      #expect(state == .number(Number(step)))
      return cost
    }
    #expect(try cost(5_000) == 5_000)
    #expect(try cost(4_999) <= 16)
    #expect(try cost(4_990) <= 16)
    #expect(try cost(2_500) <= 64)
    #expect(try cost(1) == 1)
  }

  @Test("runs/checkpoint: states in a row cost a reduction each, and leave checkpoints behind")
  func inARow() throws {
    let (replay, count) = replay(steps: 1_000)
    let cost = try count.cost {
      for step in 1...1_000 {
        let state = try replay.state(of: [], after: step)
        #expect(state == .number(Number(step)))
      }
    }
    #expect(cost == 1_000)
    let costBack = try count.cost { _ = try replay.state(of: [], after: 500) }
    #expect(costBack <= 64)
    #expect((10...20).contains(replay.checkpoints.steps.count), "\(replay.checkpoints.steps)")
  }

  @Test("runs/checkpoint: without room for checkpoints every look starts at the beginning")
  func noRoom() throws {
    let (replay, count) = replay(steps: 1_000, budget: 0)
    for step in [1_000, 999, 400] {
      var state: Value?
      let cost = try count.cost { state = try replay.state(of: [], after: step) }
      #expect(state == .number(Number(step)))
      #expect(cost == step)
    }
    #expect(replay.checkpoints.steps == [])
    #expect(replay.plainSteps.cost == 0)
  }

  @Test("runs/checkpoint: checkpoints keep within their budget, and lie evenly over the session")
  func thinning() throws {
    let steps = 20_000
    let (replay, count) = replay(steps: steps, budget: 200_000)
    for step in [steps, 3, 19_999, 10_000, 127, 128, 15_000, 5_000] {
      #expect(try replay.state(of: [], after: step) == .number(Number(step)))
      #expect(replay.checkpoints.cost <= 50_000)
      #expect(replay.plainSteps.cost <= 100_000)
    }
    let kept = [0] + replay.checkpoints.steps + [steps]
    #expect(kept.count > 20)
    let gaps = zip(kept, kept.dropFirst()).map { $1 - $0 }
    #expect((gaps.max() ?? 0) <= 8 * steps / kept.count, "\(kept)")
    let cost = try count.cost { _ = try replay.state(of: [], after: 12_345) }
    #expect(cost <= gaps.max() ?? 0)
  }

  @Test("runs/checkpoint: branches are the same with checkpoints and without")
  func sameResults() throws {
    let scripts = [3, 640, 701, 1_400, 640].map {
      Script(leavesAt: $0, edits: [.skip(step: $0 + 2), .insert(after: $0 + 4, action: 7)])
    }
    let (with, count) = replay(steps: 1_500)
    let (without, plainCount) = replay(steps: 1_500, budget: 0)
    for script in scripts {
      var told: [[BranchStep]] = [[], []]
      let report = try with.run([script]) { told[0].append($0) }
      #expect(try without.run([script]) { told[1].append($0) } == report)
      #expect(told[0] == told[1])
      #expect(told[0].isEmpty == false)
    }
    let saved =
      plainCount.reductions.load(ordering: .relaxed) - count.reductions.load(ordering: .relaxed)
    // Nearly all of the ways to 701, 1,400 and the second time to 640.
    #expect(saved >= 1_900)
  }

  /// Looks like a value, and is the number of a place that all its copies share.
  struct Hidden: Codable, Sendable {
    private static let places = ReplayTestLock<[Int]>([])
    private var place: Int

    init(_ number: Int) {
      place = Self.places.withLock {
        $0.append(number)
        return $0.count - 1
      }
    }

    init(from decoder: any Decoder) throws { self.init(try Int(from: decoder)) }

    func encode(to encoder: any Encoder) throws {
      try Self.places.withLock { $0[place] }.encode(to: encoder)
    }

    func add(_ number: Int) { Self.places.withLock { $0[place] += number } }
  }

  struct HiddenAdder: Reducer {
    func reduce(into state: inout Hidden, action: Int) -> Effect<Int> {
      state.add(action)
      return .none
    }
  }

  @Test(
    "runs/checkpoint: a checkpoint that is not what was recorded is forgotten, for states and forks"
  )
  func changedCheckpoints() throws {
    let source = MemorySource(
      states: (0...300).map { .number(Number($0)) }, actions: Array(repeating: 1, count: 300))
    let replay = SessionReplay(source, ReplaySetup(HiddenAdder()))
    #expect(try replay.state(of: [], after: 300) == 300)
    #expect(!replay.checkpoints.steps.isEmpty)
    for step in [150, 299, 65] {
      #expect(try replay.state(of: [], after: step) == .number(Number(step)))
      let script = Script(leavesAt: step, edits: [.skip(step: step + 1)])
      #expect(try replay.run([script], from: nil).lastStep == 299)
      #expect(try replay.state(of: [script], after: 299) == 299)
    }
  }
}
