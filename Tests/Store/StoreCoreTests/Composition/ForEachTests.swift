import Platform
import StoreCore
import Testing

@Suite("Collections of children")
struct ForEachTests {
  struct Parent: Reducer {
    struct State: Equatable, Sendable {
      var children: IdentifiedArrayOf<Child.State> = [
        Child.State(id: 1), Child.State(id: 2), Child.State(id: 3),
      ]
      var counts: [Int] = []
      var seen: [Int] = []
    }

    enum Action: Equatable, CasePathable, Sendable {
      case children(IdentifiedAction<Int, Child.Action>)
      case remove(Int)
      case stopAll

      struct AllCasePaths: Sendable {
        let children = CasePath(Action.children)
      }
      static let allCasePaths = AllCasePaths()
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .children(.element(let id, _)):
          state.seen.append(id)
          return .none
        case .remove(let id):
          state.children.remove(id: id)
          return .none
        case .stopAll: return .cancel(id: Child.CancelID.work)
        }
      }
      .forEach(\.children, action: \.children) { Child() }
      .onChange(of: { $0.children.count }) { _, count in
        Reduce { state, _ in
          state.counts.append(count)
          return .none
        }
      }
    }
  }

  typealias Log = ChangeLog<Parent.State, Parent.Action>

  func store(_ clock: TestClock, _ log: Log) -> StoreOf<Parent> {
    Store(initialState: Parent.State(), hooks: log) {
      Parent()
    } withDependencies: {
      $0.continuousClock = clock
    }
  }

  @Test("an action for an element that is not there is explained, and the parent runs")
  func absentElement() {
    let issues = IssueLog()
    let log = Log()
    let store = Store(initialState: Parent.State(), hooks: log) {
      Parent()
    } withDependencies: {
      $0.issueReporter = issues.reporter
    }
    store.send(.children(.element(id: 2, action: .start)))
    store.send(.remove(2))
    store.send(.children(.element(id: 2, action: .note("x"))))
    #expect(store.state.seen == [2, 2])
    #expect(store.state.children.map(\.log) == [[], []])
    #expect(
      issues.messages == [
        """
        An action for a child came while its state was not in the collection (id 2): \
        children(StoreCore.IdentifiedAction<Swift.Int, StoreCoreTests.Child.Action>\
        .element(id: 2, action: StoreCoreTests.Child.Action.note("x")))
        The child did not get it; its parent did. Either the parent took the child away before \
        its reducer ran, or an effect of the child was still in flight, or somebody sent it too \
        late.
        """
      ])
    #expect(issues.places.first?.hasPrefix("StoreCoreTests/ForEachTests.swift:") == true)
    #expect(log.lines == ["1 started", "1 cancelled"])
  }

  @Test("removing an element cancels its effects only; onChange runs in the same step")
  func removedElement() async {
    let clock = TestClock()
    let log = Log()
    let store = store(clock, log)
    for id in 1...3 { store.send(.children(.element(id: id, action: .start))) }
    let published = Locked<[[Int]]>([])
    let subscription = store.observe { state in published.withLock { $0.append(state.counts) } }
    store.send(.remove(2))
    #expect(published.withLock { $0 } == [[], [2]])
    subscription.cancel()
    await clock.advance(by: .seconds(1))
    #expect(
      log.lines == [
        "1 started", "2 started", "3 started", "2 cancelled", "1 finished", "3 finished",
      ])
    #expect(store.state.children.map(\.log) == [["done"], ["done"]])
  }

  @Test("an element's cancel reaches its own effects only")
  func cancelFromElement() async {
    let clock = TestClock()
    let log = Log()
    let store = store(clock, log)
    for id in 1...3 { store.send(.children(.element(id: id, action: .start))) }
    store.send(.children(.element(id: 3, action: .stop)))
    await clock.advance(by: .seconds(1))
    #expect(store.state.children.map(\.log) == [["done"], ["done"], []])
  }

  @Test("a parent's cancel reaches every element")
  func cancelFromParent() {
    let log = Log()
    let store = store(TestClock(), log)
    for id in 1...3 { store.send(.children(.element(id: id, action: .start))) }
    store.send(.stopAll)
    #expect(
      log.lines == [
        "1 started", "2 started", "3 started", "1 cancelled", "2 cancelled", "3 cancelled",
      ])
  }

  @Test("an element is found and changed by its id, and the ids stay unique")
  func identifiedArray() {
    var array: IdentifiedArrayOf<Child.State> = [Child.State(id: 1), Child.State(id: 2)]
    let isNew = array.append(Child.State(id: 1, log: ["other"]))
    #expect(!isNew)
    array[id: 2]?.log = ["x"]
    array.insert(Child.State(id: 9), at: 0)
    #expect(array.ids == [9, 1, 2])
    #expect(array.index(id: 2) == 2)
    array.move(from: 0, to: 2)
    #expect(array.ids == [1, 2, 9])
    let copy = array
    array[id: 1] = nil
    #expect(array.ids == [2, 9])
    #expect(copy.ids == [1, 2, 9])
    #expect(copy.index(id: 1) == 0)
    #expect(array[id: 2]?.log == ["x"])
  }
}
