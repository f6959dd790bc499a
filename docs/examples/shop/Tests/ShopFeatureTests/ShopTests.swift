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
