import ShopFeature
import StoreCore
import StoreTesting
import Testing

@Test("the search waits until typing stops")
func search() async {
  let clock = TestClock()
  let cheese = Article(id: 3, name: "cheese", price: 300)
  let store = TestStore(initialState: Shop.State()) {
    Shop()
  } withDependencies: {
    $0.continuousClock = clock
    $0.shop.search = { _ in [cheese] }
  }

  await store.send(.queryChanged("c")) { $0.query = "c" }
  await clock.advance(by: .milliseconds(200))
  await store.send(.queryChanged("ch")) { $0.query = "ch" }
  await clock.advance(by: .milliseconds(300))
  await store.receive(.searchDue)
  await store.receive(.found(.success([cheese]))) { $0.found = [cheese] }
}

@Test("the currency is shared with the page of settings")
func currency() async {
  let store = TestStore(initialState: Shop.State()) { Shop() }

  await store.send(.settingsTapped) {
    $0.path[id: 0] = .settings(SettingsForm.State(currency: $0.$currency))
  }
  await store.send(\.path[id: 0].settings.binding.draft, "chf") {
    $0.path[id: 0, case: \.settings]?.draft = "chf"
  }
  await store.send(\.path[id: 0].settings.saveTapped) {
    $0.$currency.withLock { $0 = "CHF" }
  }
  await store.receive(\.path.popFrom) { $0.path = StackState() }
}
