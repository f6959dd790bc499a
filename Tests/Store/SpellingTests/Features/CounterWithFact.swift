import StoreCore
import StoreMacros

@Reducer
struct Scale {
  struct State: Codable, Equatable {
    var grams = 0
    var isAsking = false
    var recipe: String?
  }

  enum Action: Codable, Equatable {
    case lessTapped
    case settled
    case moreTapped
    case recipeTapped
    case recipeResponse(TaskResult<String>)
  }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.recipes) var recipes
  private enum CancelID { case settling }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .lessTapped:
        state.grams -= 1
        state.recipe = nil
        return state.grams >= 0
          ? .none
          : .run { send in
            try await clock.sleep(for: .seconds(1))
            await send(.settled)
          }
          .cancellable(id: CancelID.settling)

      case .settled:
        if state.grams < 0 {
          state.grams += 1
        }
        return .none

      case .moreTapped:
        state.grams += 1
        state.recipe = nil
        return state.grams >= 0
          ? .cancel(id: CancelID.settling)
          : .none

      case .recipeTapped:
        state.isAsking = true
        state.recipe = nil
        return .run { [grams = state.grams] send in
          await send(.recipeResponse(TaskResult { try await recipes.find(grams) }))
        }

      case .recipeResponse(.success(let recipe)):
        state.isAsking = false
        state.recipe = recipe
        return .none

      case .recipeResponse(.failure):
        state.isAsking = false
        return .none
      }
    }
  }
}
