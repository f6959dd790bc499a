import StoreCore
import StoreMacros

@Reducer
struct Kitchen {
  @Reducer
  enum Destination {
    case drawer(Scale)
    case shelf(Scale)
    case table(Scale)
  }

  struct State: Codable, Equatable {
    @PresentationState var destination: Destination.State?
  }

  enum Action: Codable, Equatable {
    case destination(PresentationAction<Destination.Action>)
    case drawerTapped
    case shelfTapped
    case tableTapped
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .drawerTapped:
        state.destination = .drawer(Scale.State())
        return .none
      case .shelfTapped:
        state.destination = .shelf(Scale.State())
        return .none
      case .tableTapped:
        state.destination = .table(Scale.State())
        return .none
      case .destination:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }
}
extension Kitchen.Destination.State: Codable, Equatable {}
extension Kitchen.Destination.Action: Codable, Equatable {}
