import Platform
import StoreCore
import Testing

/// Places in a state that are not easily reached.
@Suite("Where shared state is found")
struct SharedPlacesTests {
  struct Desk: Codable, Equatable, Hashable, Sendable {
    @Shared(.inMemory("count")) var count = 0
    var name = "desk"
  }

  protocol Furniture: Sendable { var total: Int { get } }
  struct Shelf: Furniture {
    var desks = [Desk(), Desk()]
    var deeper: (any Furniture)?
    var total: Int { desks.map(\.count).reduce(deeper?.total ?? 0, +) }
  }
  struct Stool: Furniture { var total: Int { 0 } }

  struct Failure: Error { var desk = Desk() }

  indirect enum Tree: Sendable {
    case leaf
    case node(Desk, Tree, Tree)
    case named(String)

    var counts: [Int] {
      guard case .node(let desk, let left, let right) = self else { return [] }
      return left.counts + [desk.count] + right.counts
    }
  }

  enum Page: Sendable {
    case plain(Desk)
    indirect case boxed(Desk, Int)

    var count: Int {
      switch self {
      case .plain(let desk): desk.count
      case .boxed(let desk, _): desk.count
      }
    }
  }

  struct Room: Reducer {
    struct State: Sendable {
      @Shared(.inMemory("count")) var count = 0
      var furniture: any Furniture = Shelf(deeper: Shelf())
      var anything: any Sendable = Desk()
      var failure: (any Error)? = Failure()
      var work: any Sendable = { @Sendable in 1 }
      var kind: any Sendable = Desk.self
      var pair: any Sendable = (Desk(), "pair")
      var many: [any Furniture] = [Stool(), Shelf()]
      var tree = Tree.node(Desk(), .named("a"), .node(Desk(), .leaf, .leaf))
      var page = Page.boxed(Desk(), 7)
      var quick: ContiguousArray<Desk> = [Desk()]

      var held: [Int?] {
        [(failure as? Failure)?.desk.count, (pair as? (Desk, String))?.0.count]
      }

      var counts: [Int] {
        [
          count, furniture.total, (anything as? Desk)?.count ?? -1,
          many.map(\.total).reduce(0, +), page.count, quick[0].count,
        ] + tree.counts
      }
    }

    enum Action: Sendable { case up, upInTheTree, turn }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .up: state.$count.withLock { $0 += 1 }
      case .upInTheTree:
        if case .node(let desk, let left, let right) = state.tree {
          desk.$count.withLock { $0 += 10 }
          state.tree = .node(desk, left, right)
        }
      case .turn: state.page = .plain(Desk())
      }
      return .none
    }
  }

  @Test("behind an any, in indirect cases, and in what holds these, everybody has the same value")
  func reached() {
    let store = Store(initialState: Room.State()) { Room() }
    let before = store.state
    store.send(.up)
    let after = store.state
    #expect(after.counts == [1, 4, 1, 2, 1, 1, 1, 1])
    #expect(after.held == [1, 1])
    #expect((after.work as? @Sendable () -> Int)?() == 1)
    #expect(after.kind as? Desk.Type == Desk.self)
    store.send(.upInTheTree)
    #expect(store.state.counts == [11, 44, 11, 22, 11, 11, 11, 11])
    store.send(.turn)
    #expect(store.state.page.count == 11)
    #expect(before.counts.allSatisfy { $0 == 0 }, "a state that was taken earlier stays as it was")
    #expect(after.counts == [1, 4, 1, 2, 1, 1, 1, 1])
    if case .node(_, .named(let name), .node) = store.state.tree { #expect(name == "a") }
  }

  @Test("a thousand turns of a boxed payload leave nothing behind and break nothing")
  func boxes() {
    let store = Store(initialState: Room.State()) { Room() }
    for _ in 0..<1_000 { store.send(.up) }
    #expect(store.state.counts == [1_000, 4_000, 1_000, 2_000] + Array(repeating: 1_000, count: 4))
  }

  final class Box: Sendable {
    let desk: Desk
    init(_ desk: Desk) { self.desk = desk }
  }
  struct Crate: Furniture {
    var box: Box?
    var total: Int { box?.desk.count ?? 0 }
  }
  struct Cellar: Sendable {
    var desk = Desk()
    var box = Box(Desk())
    var set: Set<Desk> = []
    var keys: [Desk: Int] = [:]
    var furniture: any Furniture = Stool()
  }

  @Test("in an object, a set or a key it is a copy, which is told once with its place")
  func hidden() {
    let issues = Locked<[String]>([])
    let store = Store(initialState: Cellar()) {
      Reduce<Cellar, Bool> { state, crates in
        if crates { state.furniture = Crate() }
        return .none
      }
    } withDependencies: {
      $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
    }
    func text(_ place: String, _ holder: String) -> String {
      "StoreCoreTests.SharedPlacesTests.\(place) is shared, but lies in \(holder), where the store "
        + "does not find it: it is a copy that nobody shares. Hold it in a struct or an enum."
    }
    let object = "an object (StoreCoreTests.SharedPlacesTests.Box)"
    #expect(
      issues.withLock { $0 } == [
        text("Cellar.box.desk.count", object),
        text("Cellar.set.count", "a set or the key of a dictionary"),
        text("Cellar.keys.count", "a set or the key of a dictionary"),
      ])
    store.send(true)
    store.send(true)
    store.send(true)
    #expect(issues.withLock { $0.last } == text("Crate.box.desk.count", object))
    #expect(issues.withLock { $0.count } == 4)
  }

  struct Basket: Sendable { var desks: Set<Desk> = [] }
  struct Ledger: Sendable { var pages: [String: [Desk: Int]] = [:] }
  struct Attic: Sendable { @UncheckedSendable var box = Box(Desk()) }

  @Test("the elements of a set, the keys of a dictionary and wrapped properties are told, too")
  func hashed() {
    let issues = Locked<[String]>([])
    _ = Desk()
    func open<State: Sendable>(_ state: State) {
      _ = Store(initialState: state) {
        EmptyReducer<State, Int>()
      } withDependencies: {
        $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
      }
    }
    open(Basket())
    open(Ledger())
    open(Attic())
    #expect(
      issues.withLock { $0.map { $0.prefix { $0 != "," } } } == [
        "StoreCoreTests.SharedPlacesTests.Basket.desks.count is shared",
        "StoreCoreTests.SharedPlacesTests.Ledger.pages.count is shared",
        "StoreCoreTests.SharedPlacesTests.Attic.box.value.desk.count is shared",
      ])
  }
}
