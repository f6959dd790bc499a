import StoreCore
import StoreMacros

@Reducer
struct Bakery {
  @Reducer
  enum Path {
    case bake(Scale)
    case detail(LoafDetail)
    case note(String, of: Loaf)
  }

  struct State: Codable, Equatable {
    var counter = Scale.State()
    var path = StackState<Path.State>()
  }

  enum Action: Codable, Equatable {
    case counter(Scale.Action)
    case path(StackActionOf<Path>)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.counter, action: \.counter) {
      Scale()
    }
    Reduce { state, action in
      switch action {
      case .path(.element(_, .detail(.delegate(.bake)))):
        state.path.append(.bake(Scale.State()))
        return .none

      case .path:
        return .none

      case .counter:
        return .none
      }
    }
    .forEach(\.path, action: \.path)
  }
}
extension Bakery.Path.State: Codable, Equatable {}
extension Bakery.Path.Action: Codable, Equatable {}
