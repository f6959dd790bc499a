import StoreCore

/// A sheet that tests a number for primality, and saves it as a favourite.
package struct IsPrime: Reducer {
  package struct State: Codable, Hashable, Sendable, Identifiable {
    package var number: Int
    package var isFavourite: Bool

    package var id: Int { number }
    package var isPrime: Bool { number.isPrime }

    package init(number: Int, isFavourite: Bool) {
      self.number = number
      self.isFavourite = isFavourite
    }
  }

  package enum Action: Codable, Hashable, Sendable {
    case favouriteTapped
    case closeTapped
    case delegate(DelegateAction)
  }

  package enum DelegateAction: Codable, Hashable, Sendable {
    case liked(Int)
    case disliked(Int)
  }

  @Dependency(\.dismiss) private var dismiss

  package init() {}

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .favouriteTapped:
      guard state.isPrime else { return .none }
      state.isFavourite.toggle()
      return .send(
        .delegate(state.isFavourite ? .liked(state.number) : .disliked(state.number)))
    case .closeTapped: return .run(name: "close") { [dismiss] _ in await dismiss() }
    case .delegate: return .none
    }
  }
}
