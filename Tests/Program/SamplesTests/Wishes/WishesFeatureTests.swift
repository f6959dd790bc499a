import Samples
import StoreCore
import StoreTesting
import Testing

/// The wishes as their users meet them.
@Suite(.checkedAtEnd) struct WishesFeatureTests {
  let health = Wish(id: Wish.ID(0), title: "Health")
  let garden = Wish(id: Wish.ID(1), title: "A quiet garden")

  func store(
    _ change: (inout WishClient) -> Void = { _ in }
  ) -> TestStore<Wishes.State, Wishes.Action> {
    TestStore(initialState: Wishes.State()) {
      Wishes()
    } withDependencies: {
      $0.wishClient.fetchWishes = Run.never { _ in [] }
      $0.wishClient.save = Run.never { wish in wish }
      change(&$0.wishClient)
    }
  }

  @Test("the discover button is there when a name is")
  func button() async {
    let store = store()
    await store.send(.discoverWishesTapped)
    await store.send(.binding(.set(\.name, "St"))) {
      $0.name = "St"
      $0.discoverButtonState = .enabled
    }
    await store.send(.binding(.set(\.name, ""))) {
      $0.name = ""
      $0.discoverButtonState = .disabled
    }
  }

  @Test("a wish is discovered, selected, saved, shown and shared")
  func everything() async {
    let wishes = [health, garden]
    let store = store {
      $0.fetchWishes = Run.once { name in
        #expect(name == "Stefan")
        return wishes
      }
      $0.save = Run.once { wish in wish }
    }
    await store.send(.binding(.set(\.name, "Stefan"))) {
      $0.name = "Stefan"
      $0.discoverButtonState = .enabled
    }
    await store.send(.discoverWishesTapped) { $0.discoverButtonState = .loading }
    await store.receive(.case(\.wishesResponse, .success(wishes))) {
      $0.discoverButtonState = .enabled
      $0.destination = .submit(SubmitWish.State(wishes: wishes))
    }

    await store.send(.destination(.presented(.submit(.wishSelected(garden.id))))) {
      $0.$destination[case: \.submit]?.selectedWish = garden
    }
    await store.send(.destination(.presented(.submit(.save)))) {
      $0.$destination[case: \.submit]?.isSaving = true
    }
    await store.receive(.case(\.destination.presented.submit.saveWishResponse)) {
      $0.$destination[case: \.submit]?.isSaving = false
    }
    await store.receive(.case(\.destination.presented.submit.delegate, .saved(garden))) {
      $0.destination = nil
      $0.path.append(.result(WishResult.State(wish: garden)))
    }

    await store.send(.path(.element(id: 0, action: .result(.shareTapped)))) {
      $0.path[id: 0, case: \.result]?.isShared = true
    }
    await store.send(.path(.element(id: 0, action: .result(.doneTapped))))
    await store.receive(.path(.popFrom(id: 0))) { $0.path.removeAll() }
    await store.finish()
  }

  @Test("no answer becomes an alert, and the question is asked again")
  func alert() async {
    let unknown = WishServiceError("Nobody called Stf is known here.")
    let store = store { $0.fetchWishes = Run.once { _ in throw unknown } }
    await store.send(.binding(.set(\.name, "Stf"))) {
      $0.name = "Stf"
      $0.discoverButtonState = .enabled
    }
    await store.send(.discoverWishesTapped) { $0.discoverButtonState = .loading }
    await store.receive(.wishesResponse(.failure(TaskFailure(unknown)))) {
      $0.discoverButtonState = .enabled
      $0.destination = .alert(
        AlertState(
          title: "No wishes were found", message: "Nobody called Stf is known here.",
          buttons: [ButtonState("Try again", action: .tryAgainTapped), .cancel("Leave it")]))
    }

    store.dependencies.wishClient.fetchWishes = Run.once { [health] _ in [health] }
    await store.send(.destination(.presented(.alert(.tryAgainTapped)))) {
      $0.destination = nil
      $0.discoverButtonState = .loading
    }
    await store.receive(.wishesResponse(.success([health]))) {
      $0.discoverButtonState = .enabled
      $0.destination = .submit(SubmitWish.State(wishes: [health]))
    }
    await store.send(.destination(.dismiss)) { $0.destination = nil }
  }

  @Test("another name takes the question back")
  func anotherName() async {
    let clock = TestClock()
    let store = store {
      $0.fetchWishes = Run.once { _ in
        try await clock.sleep(for: .seconds(10))
        return []
      }
    }
    await store.send(.binding(.set(\.name, "Stef"))) {
      $0.name = "Stef"
      $0.discoverButtonState = .enabled
    }
    await store.send(.discoverWishesTapped) { $0.discoverButtonState = .loading }
    await store.send(.binding(.set(\.name, "Stefan"))) {
      $0.name = "Stefan"
      $0.discoverButtonState = .enabled
    }
    await clock.advance(by: .seconds(10))
    await store.finish()
  }

  @Test("a wish that cannot be saved says why, and another can be tried")
  func notSaved() async {
    let health = health
    let store = store {
      $0.fetchWishes = Run.once { _ in [health] }
      $0.save = Run.once { _ in throw WishServiceError("The book is full.") }
    }
    store.exhaustivity = .off
    await store.send(.binding(.set(\.name, "Stefan")))
    await store.send(.discoverWishesTapped)
    await store.receive(.case(\.wishesResponse))

    store.exhaustivity = .on
    await store.send(.destination(.presented(.submit(.save))))
    await store.send(.destination(.presented(.submit(.wishSelected(health.id))))) {
      $0.$destination[case: \.submit]?.selectedWish = health
    }
    await store.send(.destination(.presented(.submit(.save)))) {
      $0.$destination[case: \.submit]?.isSaving = true
    }
    await store.receive(.case(\.destination.presented.submit.saveWishResponse)) {
      $0.$destination[case: \.submit]?.isSaving = false
      $0.$destination[case: \.submit]?.message = "The book is full."
    }
    await store.send(.destination(.presented(.submit(.wishSelected(health.id))))) {
      $0.$destination[case: \.submit]?.message = nil
    }
    await store.send(.destination(.presented(.submit(.cancelTapped))))
    await store.receive(.destination(.dismiss)) { $0.destination = nil }
  }

  @Test("leaving the sheet while a wish is being saved ends the saving")
  func leftWhileSaving() async {
    let clock = TestClock()
    let health = health
    let store = store {
      $0.fetchWishes = Run.once { _ in [health] }
      $0.save = Run.once { wish in
        try await clock.sleep(for: .seconds(5))
        return wish
      }
    }
    store.exhaustivity = .off
    await store.send(.binding(.set(\.name, "Stefan")))
    await store.send(.discoverWishesTapped)
    await store.receive(.case(\.wishesResponse))
    await store.send(.destination(.presented(.submit(.wishSelected(health.id)))))
    await store.send(.destination(.presented(.submit(.save))))

    store.exhaustivity = .on
    await store.send(.destination(.dismiss)) { $0.destination = nil }
    await clock.advance(by: .seconds(5))
    await store.finish()
  }

  @Test("screens on the stack keep their ids")
  func stack() async {
    var state = Wishes.State()
    state.path.append(.result(WishResult.State(wish: health)))
    state.path.append(.result(WishResult.State(wish: garden)))
    let store = TestStore(initialState: state) { Wishes() }
    await store.send(.path(.element(id: 1, action: .result(.shareTapped)))) {
      $0.path[id: 1, case: \.result]?.isShared = true
    }
    await store.send(.path(.popFrom(id: 0))) { $0.path.removeAll() }
  }
}
