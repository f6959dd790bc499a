import ComposableArchitecture
import ComposableRecording

/// Shares values in every way: by a key, by hand, in a child that comes later, and a part of one.
struct Sharing: ComposableArchitecture.Reducer {
  struct Settings: Codable, Sendable, Equatable {
    var name = ""
    var size = 1
  }

  struct Tab: Codable, Sendable {
    @Shared var total: Int
  }

  struct Sheet: Codable, Sendable {
    @Shared(.inMemory("count")) var count = 0
    @Shared var size: Int
    @Shared var own: [Int]
  }

  struct State: Codable, Sendable {
    @Shared(.inMemory("count")) var count = 0
    @Shared(.inMemory("settings")) var settings = Settings()
    var first: Tab
    var second: Tab
    @PresentationState var sheet: Sheet?

    init() {
      let total = Shared(value: 0)
      (first, second) = (Tab(total: total), Tab(total: total))
    }
  }

  enum Action: String, Codable, Sendable { case add, show, tapped, hide, work, worked }

  func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add:
      state.$count.withLock { $0 += 1 }
      state.first.$total.withLock { $0 += state.count }
    case .show: state.sheet = Sheet(size: state.$settings.size, own: Shared(value: [state.count]))
    case .tapped:
      state.sheet?.$count.withLock { $0 += 10 }
      state.sheet?.$size.withLock { $0 *= 2 }
      state.sheet?.$own.withLock { $0.append(state.count) }
    case .hide: state.sheet = nil
    case .work:
      return .run(name: "work") { [count = state.$count] send in
        count.withLock { $0 = 100 }
        await send(.worked)
      }
    case .worked: break
    }
    return .none
  }
}
