import ReplayTesting
import StoreCore
import StoreRecording
import StoreTesting
import TestSupport
import Testing

/// A feature built test by test, in the words that people bring along.
@Suite(.checkedAtEnd) struct BakeryTests {
  @Test func counterWithFact() async {
    let clock = TestClock()
    let store = TestStore(initialState: Scale.State()) {
      Scale()
    } withDependencies: {
      $0.continuousClock = clock
      $0.recipes.find = Run.once { "\($0) g of flour" }
    }
    await store.send(.moreTapped) { $0.grams = 1 }
    await store.send(.recipeTapped) { $0.isAsking = true }
    await store.receive(\.recipeResponse.success) {
      $0.isAsking = false
      $0.recipe = "1 g of flour"
    }
    await store.send(.lessTapped) {
      $0.grams = 0
      $0.recipe = nil
    }
    await store.send(.lessTapped) { $0.grams = -1 }
    await clock.advance(by: .seconds(1))
    await store.receive(\.settled) { $0.grams = 0 }
  }

  @Test func severalDestinations() async {
    let store = TestStore(initialState: Kitchen.State()) { Kitchen() }
    await store.send(.shelfTapped) { $0.destination = .shelf(Scale.State()) }
    await store.send(\.destination.presented.shelf.moreTapped) {
      $0.$destination[case: \.shelf]?.grams = 1
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
  }

  @Test func detailWithAlertAndForm() async {
    let loaf = Loaf(id: 1, name: "Rye")
    let store = TestStore(initialState: LoafDetail.State(loaf: loaf)) {
      LoafDetail()
    } withDependencies: {
      $0.oven.isReady = { false }
    }
    await store.send(.editTapped) { $0.destination = .edit(LoafForm.State(loaf: loaf)) }
    await store.send(\.destination.presented.edit.binding, .set(\.name, "Spelt")) {
      $0.$destination[case: \.edit]?.name = "Spelt"
      $0.$destination[case: \.edit]?.loaf.name = "Spelt"
    }
    await store.send(.doneEditingTapped) {
      $0.loaf.name = "Spelt"
      $0.destination = nil
    }
    await store.send(.bakeTapped) { $0.destination = .alert(.cold) }
    await store.send(\.destination.presented.alert, .continueWithoutTimer) { $0.destination = nil }
    await store.receive(\.delegate.bake)
    await store.send(.deleteTapped) { $0.destination = .alert(.delete) }
    await store.send(\.destination.presented.alert, .confirmDeletion) { $0.destination = nil }
    await store.receive(\.delegate.remove)
    #expect(store.isDismissed)
  }

  @Test func appWithStack() async {
    let loaf = Loaf(id: 1, name: "Rye")
    let store = TestStore(initialState: Bakery.State()) {
      Bakery()
    } withDependencies: {
      $0.oven.isReady = { true }
    }
    await store.send(.counter(.moreTapped)) { $0.counter.grams = 1 }
    await store.send(.path(.push(id: 0, state: .detail(LoafDetail.State(loaf: loaf))))) {
      $0.path[id: 0] = .detail(LoafDetail.State(loaf: loaf))
    }
    await store.send(.path(.element(id: 0, action: .detail(.bakeTapped))))
    await store.receive(.path(.element(id: 0, action: .detail(.delegate(.bake(loaf)))))) {
      $0.path[id: 1] = .bake(Scale.State())
    }
    await store.send(.path(.popFrom(id: 0))) { $0.path = StackState() }
  }

  @Test func paths() {
    expectCasePaths(Bakery.Action.self)
    #expect(Kitchen.Destination.State.shelf(Scale.State()).is(\.shelf))
  }

  @Test func recordedAndReplayed() async throws {
    let folder = try TemporaryFolder()
    let path = folder("bakery.retcon")
    let recorder = StoreRecorder<Bakery.State, Bakery.Action>(to: path)
    do {
      let store = Store(initialState: Bakery.State(), hooks: recorder) { Bakery() }
      store.send(\.counter.moreTapped)
      store.send(.path(.push(id: 0, state: .bake(Scale.State()))))
      store.send(.path(.element(id: 0, action: .bake(.moreTapped))))
    }
    recorder.finish()
    try await expectReplays(URL(filePath: path), Bakery())
  }
}

#if canImport(FoundationEssentials)
  import struct FoundationEssentials.URL
#else
  import struct Foundation.URL
#endif
