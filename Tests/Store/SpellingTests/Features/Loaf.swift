import StoreCore
import StoreMacros

/// The bread of the bakery.
struct Loaf: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var name = ""
  var notes: [String] = []
}

@Reducer
struct LoafForm {
  struct State: Codable, Equatable {
    var loaf: Loaf
    var name = ""
  }

  enum Action: BindableAction, Codable, Equatable { case binding(BindingAction<State>) }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, _ in
      state.loaf.name = state.name
      return .none
    }
  }
}

struct Recipes: DependencyKey {
  var find: @Sendable (Int) async throws -> String
  static let liveValue = Recipes { "Take \($0) grams." }
}

struct Oven: DependencyKey {
  var isReady: @Sendable () -> Bool
  var openSettings: @Sendable () async -> Void
  static let liveValue = Oven(isReady: { true }, openSettings: {})
}

extension DependencyValues {
  var recipes: Recipes {
    get { self[Recipes.self] }
    set { self[Recipes.self] = newValue }
  }

  var oven: Oven {
    get { self[Oven.self] }
    set { self[Oven.self] = newValue }
  }
}

extension AlertState where Action == LoafDetail.Destination.Alert {
  static var delete: Self {
    AlertState(
      title: "Throw it away?",
      buttons: [
        ButtonState("Throw away", role: .destructive, action: .confirmDeletion), .cancel("Keep"),
      ])
  }

  static var cold: Self {
    AlertState(
      title: "The oven is cold.",
      buttons: [
        ButtonState("Bake all the same", action: .continueWithoutTimer),
        ButtonState("Settings", action: .openSettings),
      ])
  }
}
