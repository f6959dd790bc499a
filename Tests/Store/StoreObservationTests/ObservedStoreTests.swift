import Platform
import StoreMacros
import StoreObservation
import Testing

@MainActor
@Suite("A store that views observe") struct ObservedStoreTests {
  @Test("A view runs again for the part that it read, and for no other")
  func onlyWhatWasRead() {
    let store = ObservedStore(Store(initialState: Shop.State()) { Shop() })
    let name = View { _ = store.name }
    let deep = View { _ = store[\.settings.isLoud] }
    let shallow = View { _ = store.settings.isLoud }
    let plain = View { _ = store.plain.number }
    let none = View {}
    store.send(.renamed("Anna"))
    #expect([name, deep, shallow, plain, none].map(\.runs) == [2, 1, 1, 1, 1])
    store.send(.renamed("Anna"))
    #expect(name.runs == 2)
    store.send(.volumeChanged(3))
    #expect([name, deep, shallow, plain].map(\.runs) == [2, 1, 2, 1])
    store.send(.counted)
    #expect([name, deep, shallow, plain].map(\.runs) == [2, 1, 2, 2])
    #expect(store.name == "Anna" && store[\.settings.volume] == 3)
  }

  @Test(
    "A view of a child runs for the child's parts, and its parent only when children come or go")
  func children() {
    let store = ObservedStore(Store(initialState: Shop.State()) { Shop() })
    let list = View { _ = store.scope(\.rows, \.rows).map(\.id) }
    let rows = store.scope(\.rows, \.rows)
    let views = rows.map { row in View { _ = row.count } }
    rows[1].send(.increased)
    #expect(list.runs == 1 && views.map(\.runs) == [1, 2])
    #expect(
      store.scope(\.rows, \.rows).map(ObjectIdentifier.init) == rows.map(ObjectIdentifier.init))
    store.send(.removed(1))
    #expect(list.runs == 2 && views.map(\.runs) == [1, 2])
    rows[1].send(.increased)
    #expect(list.runs == 2 && rows[1].count == 2 && store.scope(\.rows, \.rows)[0].count == 2)
    let sheet = View { _ = store.scope(\.editor, \.editor)?.id }
    store.send(.editTapped)
    #expect(sheet.runs == 2)
    let editor = store.scope(\.editor, \.editor)
    let count = View { _ = editor?.count }
    editor?.send(.increased)
    #expect(sheet.runs == 2 && count.runs == 2)
    store[presenting: \.editor, action: \.editor] = nil
    #expect(sheet.runs == 3 && store.editor == nil)
  }

  @Test("A binding reads its part, and sends its action")
  func bindings() {
    let store = ObservedStore(Store(initialState: Shop.State()) { Shop() })
    let field = View { _ = store[binding: \.name, action: \.renamed] }
    store[binding: \.name, action: \.renamed] = "Berta"
    #expect(field.runs == 2 && store.name == "Berta")
  }

  @Test("What another thread or an effect sends reaches the views, too")
  func fromElsewhere() async {
    let core = Store(initialState: Shop.State()) { Shop() }
    let store = ObservedStore(core)
    let view = View { _ = store.name }
    await Task.detached { _ = core.send(.renamed("Clara")) }.value
    while store.name != "Clara" { await Task.yield() }
    #expect(view.runs == 2)
  }

  @Test("It goes with the last who holds it, and the store stays")
  func lifetime() {
    let core = Store(initialState: Shop.State()) { Shop() }
    weak var store: ObservedStore<Shop.State, Shop.Action>?
    do {
      let held = ObservedStore(core)
      _ = held.scope(\.rows, \.rows).map(\.count)
      store = held
    }
    #expect(store == nil)
    core.send(.counted)
    #expect(core.state.plain.number == 1)
  }
}

/// Runs a body as SwiftUI does: once, and again when something that it read changes.
@MainActor
private final class View {
  private(set) var runs = 0
  private let body: @MainActor () -> Void

  init(_ body: @escaping @MainActor () -> Void) {
    self.body = body
    run()
  }

  private func run() {
    runs += 1
    withObservationTracking(body) { [weak self] in
      MainActor.assumeIsolated { self?.run() }
    }
  }
}

private struct Shop: Reducer {
  struct Settings: Equatable, Sendable {
    var isLoud = false
    var volume = 0
  }

  struct Plain: Sendable { var number = 0 }

  struct State: Sendable {
    var name = ""
    var settings = Settings()
    var plain = Plain()
    var rows: IdentifiedArrayOf<Row.State> = [Row.State(id: 1), Row.State(id: 2)]
    var editor: Row.State?
  }

  @CasePaths enum Action: Sendable {
    case renamed(String)
    case volumeChanged(Int)
    case counted
    case removed(Int)
    case editTapped
    case rows(IdentifiedActionOf<Row>)
    case editor(PresentationAction<Row.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .renamed(let name): state.name = name
      case .volumeChanged(let volume): state.settings.volume = volume
      case .counted: state.plain.number += 1
      case .removed(let id): state.rows.remove(id: id)
      case .editTapped: state.editor = Row.State(id: 0)
      case .editor(.dismiss): state.editor = nil
      case .editor(.presented): state.editor?.count += 1
      case .rows: break
      }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Row() }
  }
}

private struct Row: Reducer {
  struct State: Equatable, Identifiable, Sendable {
    var id: Int
    var count = 0
  }

  enum Action: Sendable { case increased }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    return .none
  }
}
