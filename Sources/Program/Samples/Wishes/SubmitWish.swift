import StoreCore

/// A sheet to select one of several wishes and save it.
package struct SubmitWish: Reducer {
  package struct State: Codable, Hashable, Sendable {
    package var wishes: [Wish]
    package var selectedWish: Wish?
    package var isSaving = false
    package var message: String?

    package init(wishes: [Wish]) { self.wishes = wishes }
  }

  package enum Action: Codable, Hashable, Sendable, CasePathable {
    case wishSelected(Wish.ID)
    case save
    case saveWishResponse(TaskResult<Wish>)
    case cancelTapped
    case delegate(DelegateAction)

    package struct AllCasePaths: Sendable {
      package let saveWishResponse = CasePath(Action.saveWishResponse)
      package let delegate = CasePath(Action.delegate)
    }
    package static let allCasePaths = AllCasePaths()
  }

  package enum DelegateAction: Codable, Hashable, Sendable {
    case saved(Wish)
  }

  @Dependency(\.dismiss) private var dismiss
  @Dependency(\.wishClient) private var wishClient

  package init() {}

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .wishSelected(let id):
      state.selectedWish = state.wishes.first { $0.id == id }
      state.message = nil
    case .save:
      guard let wish = state.selectedWish, !state.isSaving else { return .none }
      state.isSaving = true
      return .run(name: "save") { [wishClient] send in
        await send(.saveWishResponse(TaskResult { try await wishClient.save(wish) }))
      }
    case .saveWishResponse(.success(let wish)):
      state.isSaving = false
      return .send(.delegate(.saved(wish)))
    case .saveWishResponse(.failure(let failure)):
      state.isSaving = false
      state.message = failure.description
    case .cancelTapped: return .run(name: "close") { [dismiss] _ in await dismiss() }
    case .delegate: break
    }
    return .none
  }
}
