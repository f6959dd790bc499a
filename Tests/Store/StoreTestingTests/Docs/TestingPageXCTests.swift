import StoreTesting
import XCTest

final class SearchXCTests: CheckedTestCase {
  func testCancelling() async {
    let store = TestStore(initialState: Search.State()) { Search() }

    await store.send(.queryChanged("Be")) {
      $0.query = "Be"
      $0.isSearching = true
    }
    await store.send(.cancelled) { $0.isSearching = false }
    await store.finish()
  }
}
