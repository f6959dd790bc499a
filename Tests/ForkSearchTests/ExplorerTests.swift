import Platform
import SessionLog
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
      "state.likes == 0 && count(state.pages[*]) > 0",
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
