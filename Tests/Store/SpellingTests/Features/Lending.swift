import StoreCore
import StoreMacros

/// A book that is lent, with the words that people bring along for what is observed and presented.
struct Book: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var title = ""
  var isLent = false
}

@Reducer
struct BookForm {
  @ObservableState
  struct State: Codable, Equatable {
    var book: Book
    var rating = 0
    var isRead = false
  }

  enum Action: BindableAction, Codable {
    case binding(BindingAction<State>)
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.book.title) { _, title in
        Reduce { state, _ in
          if title.isEmpty { state.rating = 0 }
          return .none
        }
      }
    Reduce { state, action in
      switch action {
      case .binding(\.rating):
        state.isRead = true
        return .none
      case .binding:
        return .none
      }
    }
  }
}

@Reducer
struct BookRow {
  @ObservableState
  struct State: Codable, Equatable, Identifiable {
    var book: Book
    var id: Int { book.id }
  }

  enum Action: Codable { case tapped, lent(Bool) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case let .lent(isLent) = action { state.book.isLent = isLent }
      return .none
    }
  }
}

@Reducer
struct Lending {
  @Reducer
  enum Destination {
    case alert(AlertState<Alert>)
    case add(BookForm)

    @CasePathable enum Alert: Codable, Equatable { case confirmDelete(Book.ID) }
  }

  @Reducer
  enum Path { case form(BookForm) }

  @ObservableState
  struct State: Codable, Equatable {
    @Presents var destination: Destination.State?
    var path = StackState<Path.State>()
    var rows: IdentifiedArrayOf<BookRow.State> = []
    var query = ""
    var found: [Book] = []
    @Shared(.inMemory("lent")) var lent = 0
  }

  enum Action: BindableAction, Codable {
    case addTapped
    case binding(BindingAction<State>)
    case deleteTapped(Book.ID)
    case destination(PresentationAction<Destination.Action>)
    case path(StackActionOf<Path>)
    case rows(IdentifiedActionOf<BookRow>)
    case saveTapped
    case searchResponse(TaskResult<[Book]>)
  }

  private enum CancelID { case search }
  @Dependency(\.continuousClock) var clock
  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .addTapped:
        state.destination = .add(BookForm.State(book: Book(id: state.rows.count)))
        return .none
      case .binding(\.query):
        return .run { [query = state.query] send in
          try await clock.sleep(for: .milliseconds(300))
          await send(.searchResponse(TaskResult { [Book(id: 0, title: query)] }))
        }
        .cancellable(id: CancelID.search, cancelInFlight: true)
      case let .deleteTapped(id):
        state.destination = .alert(
          AlertState {
            TextState("Delete?")
          } actions: {
            ButtonState(role: .destructive, action: .confirmDelete(id)) { TextState("Delete") }
          })
        return .none
      case let .destination(.presented(.alert(.confirmDelete(id)))):
        state.rows.remove(id: id)
        return .none
      case let .rows(.element(id: id, action: .tapped)):
        guard let row = state.rows[id: id] else { return .none }
        state.path.append(.form(BookForm.State(book: row.book)))
        return .none
      case .saveTapped:
        guard case let .some(.add(form)) = state.destination else { return .none }
        state.rows.append(BookRow.State(book: form.book))
        state.$lent.withLock { $0 += 1 }
        state.destination = nil
        return .none
      case let .searchResponse(.success(books)):
        state.found = books
        return .none
      case .binding, .destination, .path, .rows, .searchResponse:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
    .forEach(\.path, action: \.path)
    .forEach(\.rows, action: \.rows) {
      BookRow()
    }
  }
}
extension Lending.Destination.State: Codable, Equatable {}
extension Lending.Destination.Action: Codable {}
extension Lending.Path.State: Codable, Equatable {}
extension Lending.Path.Action: Codable {}
