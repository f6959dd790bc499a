import ComposableArchitecture
import ComposableRecording
import FoundationEssentials

/// An app of the Composable Architecture. Nothing in it knows that it is recorded, but for the import.
struct Feature: ComposableArchitecture.Reducer {
  struct State: Codable, Sendable, ObservableState, RecordedBindings {
    // As `@ObservableState` writes it.
    private var _$observationRegistrar = ObservationStateRegistrar()
    private var _count = 0
    var count: Int {
      get { _count }
      set { _count = newValue }
    }
    private var _name = ""
    var name: String {
      get { _name }
      set { _name = newValue }
    }
    @PresentationState var sheet: Row?
    var rows = StackState<Row>()
    var facts: [String] = []
    var id: UUID?

    static let bindings: [RecordedBinding<Self>] = [.init("name", \.name)]
  }

  struct Row: Codable, Sendable, Equatable {
    var taps = 0
  }

  enum RowAction: Codable, Sendable { case tapped, counted }

  enum Action: Codable, Sendable {
    case add(Int)
    case factTapped
    case factsTapped
    case factCame(String)
    case waitTapped
    case stopTapped
    case resetTapped
    case reset
    case pushTapped
    case rows(StackAction<Row, RowAction>)
    case binding(BindingAction<State>)
    case sheet(PresentationAction<RowAction>)
  }

  enum CancelID { case waiting }

  @Dependency(\.fact) private var fact
  @Dependency(\.uuid) private var uuid

  func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number): state.count += number
    case .factTapped:
      return .run(name: "fact") { [fact, count = state.count] send in
        await send(.factCame(try await fact(count)))
      } catch: { error, send in
        await send(.factCame("\(error)"))
      }
    case .factsTapped:
      return .run(name: "facts") { [fact] send in
        await withTaskGroup(of: Void.self) { group in
          for number in 1...3 {
            group.addTask {
              let text = try? await fact(number)
              await Task.detached { await send(.factCame(text ?? "")) }.value
            }
          }
        }
      }
    case .factCame(let fact): state.facts.append(fact)
    case .waitTapped:
      return .run(name: "wait") { send in
        let (stream, end) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        end.finish()
        await send(.factCame("late"))
      }
      .cancellable(id: CancelID.waiting)
    case .stopTapped: return .cancel(id: CancelID.waiting)
    case .resetTapped: return .merge(.send(.reset), .run(name: "nothing") { _ in })
    case .reset: state.count = 0
    case .pushTapped:
      state.rows.append(Row())
      state.sheet = Row()
      state.id = uuid()
    case .rows(.element(let id, .tapped)):
      state.rows[id: id]?.taps += 1
      return Effect<RowAction>.run(name: "row") { send in await send(.counted) }
        .map { .rows(.element(id: id, action: $0)) }
    case .rows(.element(let id, .counted)): state.rows[id: id]?.taps += 100
    case .rows: break
    case .binding(let binding): binding.apply(to: &state)
    case .sheet(.presented): state.sheet?.taps += 1
    case .sheet(.dismiss): state.sheet = nil
    }
    return .none
  }
}
