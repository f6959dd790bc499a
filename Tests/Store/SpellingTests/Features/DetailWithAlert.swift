import StoreCore
import StoreMacros

@Reducer
struct LoafDetail {
  @Reducer
  enum Destination {
    case alert(AlertState<Alert>)
    case edit(LoafForm)

    enum Alert: Codable {
      case confirmDeletion
      case continueWithoutTimer
      case openSettings
    }
  }

  struct State: Codable, Equatable {
    @PresentationState var destination: Destination.State?
    var loaf: Loaf
  }

  enum Action: Codable, Equatable {
    case bakeTapped
    case cancelEditTapped
    case delegate(Delegate)
    case deleteTapped
    case destination(PresentationAction<Destination.Action>)
    case doneEditingTapped
    case editTapped
    case notesRemoved(Int)

    @CasePaths
    enum Delegate: Codable, Equatable {
      case bake(Loaf)
      case remove(Loaf)
    }
  }

  @Dependency(\.dismiss) var dismiss
  @Dependency(\.oven) var oven

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .cancelEditTapped:
        state.destination = nil
        return .none

      case .delegate:
        return .none

      case .deleteTapped:
        state.destination = .alert(.delete)
        return .none

      case .notesRemoved(let index):
        state.loaf.notes.remove(at: index)
        return .none

      case .destination(.presented(.alert(let answer))):
        switch answer {
        case .confirmDeletion:
          return .run { [loaf = state.loaf] send in
            await send(.delegate(.remove(loaf)))
            await dismiss()
          }

        case .continueWithoutTimer:
          return .send(.delegate(.bake(state.loaf)))

        case .openSettings:
          return .run { _ in await oven.openSettings() }
        }

      case .destination:
        return .none

      case .doneEditingTapped:
        guard let form = state.$destination[case: \.edit]
        else { return .none }
        state.loaf = form.loaf
        state.destination = nil
        return .none

      case .editTapped:
        state.destination = .edit(LoafForm.State(loaf: state.loaf))
        return .none

      case .bakeTapped:
        guard oven.isReady()
        else {
          state.destination = .alert(.cold)
          return .none
        }
        return .send(.delegate(.bake(state.loaf)))
      }
    }
    .ifLet(\.$destination, action: \.destination)
  }
}
extension LoafDetail.Destination.State: Codable, Equatable {}
extension LoafDetail.Destination.Action: Codable, Equatable {}
