import Platform
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import ForkSearch

@Suite("Other orders")
struct ExplorerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func trials(_ search: HostTrials) -> Trials {
    Trials { try await search.tries($0, lane: $1) }
  }

  /// Sessions of one good day, and what is wrong on a bad one.
  private static let races: [(moves: [(Int, Notes.Action)], bad: String, name: String)] = [
    (
      [(10, .open), (900, .close), (10, .look)], "!state.isOpen && count(state.pages[*]) > 0",
      "answer 2 of load comes after 3 close"
    ),
    (
      [(10, .typed("a")), (10, .save), (900, .typed("b")), (10, .save), (900, .look)],
      "state.text == 'b' && state.saved == 'a' && precededBy(state.saved == 'b')",
      "answer 6 of save comes before answer 3 of save"
    ),
    (
      [(10, .like), (10, .save), (900, .look)],
      "state.last == 'liked' && precededBy(label == 'saved')",
      "answer 4 of save comes before answer 3 of like"
    ),
    (
      [(10, .save), (900, .typed("b")), (10, .look)],
      "label == 'saved' && state.text == 'b'", "answer 2 of save comes after 3 typed"
    ),
    (
      [(10, .like), (10, .open), (900, .look)],
      "label == 'liked' && count(state.pages[*]) > 0",
      "answer 4 of load comes before answer 3 of like"
    ),
  ]

  @Test(
    "find the race of a bad day in the session of a good one, with its name and no action too many")
  func races() async throws {
    for race in Self.races {
      let search = try await NotesSample.search(race.moves, for: race.bad, in: folder)
      #expect(try await !search.baseVerdict().happens, "\(race.bad)")
      let found = try await Explorer(search.base, search.goal, trials(search), from: 0).explore()
      #expect(found.hits.first?.name == race.name)
      guard let hit = found.hits.first else { continue }
      #expect(try await search.tries(hit.script, lane: 0).happens)
      let minimum = try #require(hit.minimum)
      #expect(try await search.tries(minimum.script, lane: 0).happens)
    }
  }

  @Test("come to the same end states as all linear extensions of the causes")
  func bruteForce() async throws {
    for seed in UInt64(1)...(getenv("RETCON_LONG") == nil ? 6 : 60) {
      var random = SeededGenerator(seed: seed)
      let actions: [Notes.Action] = [
        .save, .open, .close, .like, .like, .typed("a"), .typed("b"), .flip,
      ]
      let moves = (0..<4).map { _ in
        (Int.random(in: 50...500, using: &random), actions.randomElement(using: &random) ?? .look)
      }
      let search = try await NotesSample.search(
        moves + [(900, .look)], for: "step < 0", in: folder)
      let trials = trials(search)
      let explorer = Explorer(search.base, search.goal, trials, from: 0)
      _ = try await explorer.explore(reversals: 0, all: true)
      let orders = await explorer.orders
      let all = try await ends(of: extensions(of: orders), explorer, search)
      let ours = try await ends(
        of: (0...orders.dependent.count).flatMap { orders.orders(reversals: $0).map(\.order) },
        explorer, search)
      #expect(ours == all, "seed \(seed)")
    }
  }

  @Test("keep causes before what they cause, and move only to earlier places")
  func moving() throws {
    // 0 starts 2, and 1 starts 3.
    let orders = Orders([[], [0], [0], [1]])
    #expect(orders.free.map { [$0.first, $0.second] } == [[1, 2], [2, 3]])
    #expect(extensions(of: orders) == [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 1, 3]])
    #expect(Orders.moves(to: [0, 3, 1, 2]).map(\.event) == [3])
    #expect(Orders.moves(to: [2, 0, 1]).map { $0.after } == [nil])
    var free = Orders([[], [], []])
    free.dependent = free.free
    #expect(free.orders(reversals: 1).map(\.order) == [[1, 0, 2], [0, 2, 1]])
    #expect((0...3).map { free.orders(reversals: $0).count } == [1, 2, 2, 1])
  }

  @Test(
    "all planted races are found, in at most a third of the runs of a random order in the median"
  )
  func plantedRaces() async throws {
    let isLong = getenv("RETCON_LONG") != nil
    var table = "runs until it happens: ours, a random order (median)\n"
    var shares: [Double] = []
    for (index, race) in PlantedRace.all.enumerated() where isLong || index % 7 == 3 {
      let search = try await race.search(in: folder)
      #expect(try await !search.baseVerdict().happens, "\(race.bad)")
      let explorer = Explorer(search.base, search.goal, trials(search), from: 0)
      let found = try await explorer.explore()
      #expect(!found.hits.isEmpty, "\(race.bad)")
      var runs: [Int] = []
      for seed in UInt64(1)...(isLong ? 7 : 3) {
        runs.append(try await randomRuns(search, explorer, seed: seed))
      }
      let median = runs.sorted()[runs.count / 2]
      shares.append(Double(found.tried) / Double(median))
      table += "\(found.tried)  \(median)  \(race.kind)  \(race.bad)\n"
      if isLong { print(found.tried, median, race.kind, race.bad) }
    }
    #expect(shares.sorted()[shares.count / 2] <= 1.0 / 3, "\(table)")
  }

  /// How many orders have to be drawn until it happens; each that can be has the same chance.
  private func randomRuns(
    _ search: HostTrials, _ explorer: Explorer, seed: UInt64, most: Int = 120
  ) async throws -> Int {
    var random = SeededGenerator(seed: seed)
    let before = await explorer.orders.before
    var order = Array(before.indices)
    for number in 1...most {
      // Neighbours change places, or not, until nothing is left of the order before.
      for _ in 0..<before.count * before.count * 8 {
        let place = Int.random(in: 1..<order.count, using: &random)
        guard Bool.random(using: &random), !before[order[place]].contains(order[place - 1]) else {
          continue
        }
        order.swapAt(place - 1, place)
      }
      if try await search.tries(await explorer.script(order), lane: 0).happens { return number }
    }
    return most
  }

  @Test("tries no order that cannot happen: causes, the user, and each effect keep their order")
  func possible() async throws {
    // A session that is drawn may have nothing to put in another order.
    var orders = 0
    for seed in UInt64(1)...(getenv("RETCON_LONG") == nil ? 3 : 30) {
      var random = SeededGenerator(seed: seed)
      let actions: [Notes.Action] = [
        .save, .open, .close, .like, .typed("a"), .fetch(1), .fetch(2),
      ]
      let moves = (0..<6).map { _ in
        (Int.random(in: 10...300, using: &random), actions.randomElement(using: &random) ?? .look)
      }
      let search = try await NotesSample.search(
        moves + [(900, .look)], for: "step < 0", in: folder)
      let tried = Locked<[Script]>([])
      let trials = Trials { script, lane in
        tried.withLock { $0.append(script) }
        return try await search.tries(script, lane: lane)
      }
      _ = try await Explorer(search.base, search.goal, trials, from: 0)
        .explore(reversals: 2, all: true)
      for script in tried.withLock({ $0 }) {
        guard script.edits.allSatisfy({ if case .move = $0 { true } else { false } }) else {
          continue
        }
        orders += 1
        let places = try await search.numbers(in: script)
        #expect(places.count == search.base.entries.count + 1, "nothing is left out")
        var lastOfUser = 0
        var lastOfEffect: [EffectID: Int] = [:]
        for entry in search.base.entries {
          let place = try #require(places[entry.step.number])
          if case .effect(let effect) = entry.step.cause {
            let start = try #require(search.base.origins[effect]?.step)
            #expect(
              try #require(places[start]) < place, "seed \(seed): an answer before its question")
            #expect(lastOfEffect[effect] ?? 0 < place)
            lastOfEffect[effect] = place
          } else {
            #expect(lastOfUser < place, "seed \(seed): the user does it in another order")
            lastOfUser = place
          }
        }
      }
    }
    #expect(orders > 0)
  }

  // MARK: Helping

  private func extensions(of orders: Orders, _ placed: [Int] = []) -> [[Int]] {
    guard placed.count < orders.count else { return [placed] }
    return (0..<orders.count).filter {
      !placed.contains($0) && orders.before[$0].isSubset(of: placed)
    }.flatMap { extensions(of: orders, placed + [$0]) }
  }

  private func ends(
    of orders: [[Int]], _ explorer: Explorer, _ search: HostTrials
  ) async throws -> Set<String> {
    var ends: Set<String> = []
    for order in orders {
      let script = await explorer.script(order)
      var state = try await search.tries(script, lane: 0).state
      if script.edits.isEmpty {
        state = try await search.base.open.state(at: Position(step: search.base.last))
      }
      ends.insert(state?.text() ?? "none")
    }
    return ends
  }
}
