import Platform
import StoreCore
import StoreMacros
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct Filter: Codable, Equatable, Sendable {
  var isOn = false
  var text = Text()

  struct Text: Codable, Equatable, Sendable {
    var words = ""
    var limit = 10
  }

  var both: String {
    get { "\(text.words)\(isOn)" }
    set { text.words = newValue }
  }
}

/// Shares everything that can be shared, in every place where it can be.
struct Office: Reducer {
  struct Desk: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    @Shared var count: Int
    @Shared(.inMemory("filter")) var filter = Filter()
  }

  @CasePaths enum Room: Codable, Equatable, Sendable {
    case empty
    case desk(Desk)
    case pair(Desk, name: String)
    case number(Int)
  }

  struct State: Codable, Equatable, Sendable {
    @Shared var count: Int
    @Shared(.inMemory("filter")) var filter = Filter()
    @SharedReader(.inMemory("filter")) var seen = Filter()
    @PresentationState var sheet: Desk?
    var optional: Desk?
    var list: [Desk] = []
    var byName: [String: Desk] = [:]
    var rows: IdentifiedArrayOf<Desk> = []
    var path = StackState<Room>()
    var room = Room.empty
    var words: Shared<String>?
    var log: [Int] = []

    init(count: Shared<Int> = Shared(value: 0)) { _count = count }
  }

  enum Action: Codable, Equatable, Sendable {
    case furnish, up, filter(String), clear, share, words(String), look
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .furnish:
      let desk = Desk(id: 1, count: state.$count)
      state.sheet = desk
      state.optional = desk
      state.list = [desk, desk]
      state.byName = ["a": desk]
      state.rows = [desk]
      state.path.append(.pair(desk, name: "b"))
      state.room = .desk(desk)
    case .up:
      state.$count.withLock { $0 += 1 }
      state.log.append(state.list.first?.count ?? state.count)
    case .filter(let words): state.optional?.filter.text.words = words
    case .clear: state = State(count: state.$count)
    case .share: state.words = state.$filter.text.words
    case .words(let words): state.words?.wrappedValue = words
    case .look: state.log.append(state.filter.text.words.count)
    }
    return .none
  }
}

extension Office.State {
  /// The count in each place of the state.
  var counts: [Int] {
    [count, sheet?.count, optional?.count].compactMap(\.self) + list.map(\.count)
      + byName.values.map(\.count) + rows.map(\.count)
      + [path.first?[case: \.pair]?.0.count, room[case: \.desk]?.count].compactMap(\.self)
  }
}

@Suite("Shared state")
struct SharedTests {
  private func office(_ count: Int = 0) -> StoreOf<Office> {
    Store(initialState: Office.State(count: Shared(value: count))) { Office() }
  }

  @Test("what one feature changes is changed for all, wherever in the state they are")
  func everywhere() {
    let store = office(4)
    store.send(.furnish)
    store.send(.up)
    #expect(store.state.counts == Array(repeating: 5, count: 9))
    #expect(store.state.log == [5])
    let old = store.state
    store.send(.up)
    #expect(old.counts == Array(repeating: 5, count: 9))
    #expect(store.state.counts == Array(repeating: 6, count: 9))
  }

  @Test("a value by name is found by who comes later, and by who only reads")
  func byName() {
    let store = office()
    store.send(.furnish)
    store.send(.filter("tea"))
    #expect(store.state.filter.text.words == "tea")
    #expect(store.state.seen.text.words == "tea")
    #expect(store.state.path.first?[case: \.pair]?.0.filter.text.words == "tea")
    // `clear` makes all of it anew, in the same step.
    store.send(.clear)
    #expect(store.state.filter.text.words == "tea")
    #expect(store.state.count == 0)
  }

  @Test("a part of a value is shared by itself")
  func derived() {
    let store = office()
    store.send(.share)
    store.send(.words("tea"))
    #expect(store.state.filter.text.words == "tea")
    #expect(store.state.words?.wrappedValue == "tea")
    store.send(.furnish)
    store.send(.filter("cup"))
    #expect(store.state.words?.wrappedValue == "cup")
    let text = #"{"part":["text","words"],"shared":"filter","value":"cup"}"#
    #expect(store.state.words?.sharedText == text)
  }

  @Test("an element of a collection is shared by itself, by its id")
  func element() {
    struct Todo: Codable, Equatable, Identifiable, Sendable {
      var id: UUID
      var isDone = false
    }
    struct State: Equatable, Sendable {
      @Shared(.inMemory("todos")) var todos: IdentifiedArrayOf<Todo> = []
      var one: Shared<Todo>?
    }
    let ids = [UUID(0), UUID(1)]
    let store = Store<State, Int>(initialState: State()) {
      Reduce<State, Int> { state, action in
        if action == 0 {
          state.todos = [Todo(id: ids[0]), Todo(id: ids[1])]
          state.one = Shared(state.$todos[id: ids[1]])
        } else {
          state.one?.wrappedValue.isDone.toggle()
        }
        return .none
      }
    }
    store.send(0)
    store.send(1)
    #expect(store.state.todos.map(\.isDone) == [false, true])
    #expect(store.state.one?.wrappedValue.isDone == true)
  }

  @Test("two stores share nothing, and neither do copies of a machine")
  func apart() {
    let (one, other) = (office(), office())
    one.send(.furnish)
    one.send(.filter("tea"))
    other.send(.look)
    #expect(other.state.log == [0])

    let scene = DependencyScope(DependencyValues().forNewStore())
    scene.run {
      var machine = StoreMachine(initialState: Office.State(), reducer: Office())
      machine.reduce(.furnish, cause: .user)
      var fork = machine
      fork.reduce(.up, cause: .user)
      fork.reduce(.filter("tea"), cause: .user)
      machine.reduce(.look, cause: .user)
      #expect(machine.state.counts == Array(repeating: 0, count: 9))
      #expect(machine.state.log == [0])
      #expect(fork.state.counts == Array(repeating: 1, count: 9))
      fork.state = machine.state
      fork.reduce(.look, cause: .user)
      #expect(fork.state.log == [0, 0])
    }
  }

  @Test("what was made before there was a store has the numbers that it would have in it")
  func numbers() throws {
    let count = Shared(value: 3)
    let initial = Office.State(count: count)
    let store = Store(initialState: initial) { Office() }
    store.send(.furnish)
    store.send(.up)
    #expect(store.state.counts == Array(repeating: 4, count: 9))
    #expect(store.state.$count.sharedText == ##"{"shared":"#1","value":4}"##)
    #expect(count.wrappedValue == 3)
  }

  @Test("of copies that differ at the beginning, the one that was changed counts")
  func differing() {
    var initial = Office.State()
    initial.optional = Office.Desk(id: 1, count: initial.$count)
    initial.optional?.filter.isOn = true
    let store = Store(initialState: initial) { Office() }
    #expect(store.state.filter.isOn)
    #expect(store.state.seen.isOn)
  }

  @Test("a state that is encoded and decoded goes on sharing")
  func coding() throws {
    let store = office(2)
    store.send(.furnish)
    store.send(.share)
    let data = try JSONEncoder().encode(store.state)
    let decoded = try JSONDecoder().decode(Office.State.self, from: data)
    #expect(decoded == store.state)
    let next = Store(initialState: decoded) { Office() }
    next.send(.up)
    next.send(.words("tea"))
    #expect(next.state.counts == Array(repeating: 3, count: 9))
    #expect(next.state.seen.text.words == "tea")
  }

  @Test("a computed property cannot be shared by itself, and an issue says so")
  func computed() {
    let issues = Locked<[String]>([])
    withDependencies {
      $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
    } operation: {
      let filter = Shared(value: Filter())
      #expect(filter.both.wrappedValue == "false")
    }
    let end = "is no stored property: it cannot be shared by itself."
    #expect(issues.withLock { $0.map { $0.hasSuffix(end) } } == [true])
  }
}

extension Shared where Value: Encodable {
  fileprivate var sharedText: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
