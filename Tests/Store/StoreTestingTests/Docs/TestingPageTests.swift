import StoreCore
import StoreTesting
import Testing

// The examples of docs/testing.md. `TestingPageCheck` compares the two.

@Suite(.checkedAtEnd) struct SearchTests {
  @Test func search() async {
    let clock = TestClock()
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = clock
      $0.cities.find = { query in ["\(query)lin", "\(query)rn"] }
    }

    await store.send(.queryChanged("Be")) {
      $0.query = "Be"
      $0.isSearching = true
    }
    await clock.advance(by: .milliseconds(300))
    await store.receive(.found(["Belin", "Bern"])) {
      $0.cities = ["Belin", "Bern"]
      $0.isSearching = false
    }
    await store.finish()
  }

  @Test func byHand() async {
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.effects = .byHand
    }

    await store.send(.queryChanged("Be")) {
      $0.query = "Be"
      $0.isSearching = true
    }
    await store.receive(.found(["Bern"]), from: .last("search")) {
      $0.cities = ["Bern"]
      $0.isSearching = false
    }
    await store.finish()
  }

  @Test func cancelling() async {
    let store = TestStore(initialState: Search.State()) { Search() }

    await store.send(.queryChanged("Be")) {
      $0.query = "Be"
      $0.isSearching = true
    }
    await store.send(.cancelled) { $0.isSearching = false }
    await store.finish()
  }

  @Test func patterns() async {
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
      $0.cities.find = { query in [query] }
    }
    store.exhaustivity = .off

    await store.send(.queryChanged("A"))
    await store.receive(.found(["A"]))

    await store.send(.queryChanged("B"))
    await store.receive(.case(Search.Action.found))

    await store.send(.queryChanged("C"))
    await store.receive(.case(Search.Action.found, ["C"]))

    await store.send(.queryChanged("D"))
    await store.receive(.where("a city was found") { $0 != .found([]) })
  }

  @Test func newCities() async {
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
      $0.cities.find = { _ in [] }
    }
    store.exhaustivity = .off

    await store.send(.queryChanged("Be"))
    await store.receive(.found([]))
    store.dependencies.cities.find = { _ in ["Bern"] }
    await store.send(.queryChanged("Be"))
    await store.receive(.found(["Bern"])) { $0.cities = ["Bern"] }
  }

  @Test func script() async {
    await assert(
      initialValue: Search.State(),
      reducer: Search(),
      withDependencies: {
        $0.continuousClock = ImmediateClock()
        $0.cities.find = { _ in ["Bern"] }
      },
      steps: Step(.send, .queryChanged("Be")) {
        $0.query = "Be"
        $0.isSearching = true
      },
      Step(.receive, .found(["Bern"])) {
        $0.cities = ["Bern"]
        $0.isSearching = false
      }
    )
  }

  @Test func findsOnce() async {
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
      $0.cities.find = Run.once { query in [query] }
    }
    store.exhaustivity = .off
    await store.send(.queryChanged("Be"))
    await store.receive(.found(["Be"]))
  }

  struct Editor {
    var save: (String) -> Void
    func close() { save("draft") }
  }

  @Test func savesOnClosing() {
    let editor = Editor(save: Run.once { text in #expect(text == "draft") })
    editor.close()
  }

  final class Dish {
    var title: String
    var price: Int
    init(title: String, price: Int) {
      self.title = title
      self.price = price
    }
  }

  @Test func menu() {
    let menu = [Dish(title: "Soup", price: 4)]
    expectReflectivelyEqual([Dish(title: "Soup", price: 4)], menu)
  }

  @Test func difference() {
    let text = readableDifference(
      expected: Search.State(query: "Be", cities: ["Berlin", "Bern"]),
      actual: Search.State(query: "Be", cities: ["Bern"]))
    #expect(
      text == """
          Search.State(
            … (1 unchanged)
            cities: [
        −     [0]: "Berlin"
              … (1 unchanged)
            ]
            … (1 unchanged)
          )
        """)
  }

  @Test func failureTexts() async {
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
      $0.cities.find = { query in ["\(query)lin", "\(query)rn"] }
    }
    await store.send(.queryChanged("Be")) {
      $0.query = "Be"
      $0.isSearching = true
    }
    let failures = await collectFailures {
      await store.receive(.found(["Belin", "Bern"])) {
        $0.cities = ["Berlin", "Bern"]
        $0.isSearching = false
      }
      expectReflectivelyEqual(
        [Dish(title: "Soup", price: 4)], [Dish(title: "Salad", price: 5)])
    }
    #expect(
      failures.map(\.message) == [
        """
        The state is not as expected (− expected, + actual):

          Search.State(
            … (1 unchanged)
            cities: [
        −     [0]: "Berlin"
        +     [0]: "Belin"
              … (1 unchanged)
            ]
            … (1 unchanged)
          )
        """,
        """
        2 differences (− expected, + actual):

        [0].title
        − "Soup"
        + "Salad"

        [0].price
        − 4
        + 5
        """,
      ])
  }

  func expectOrdered(
    _ cities: [String],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) {
    guard cities != cities.sorted() else { return }
    FailureReporter.current.report(
      Failure(
        "These are not in order: \(cities)",
        place: SourcePlace(fileID: fileID, filePath: filePath, line: line)))
  }

  @Test func unordered() {
    expectFailure(matching: "not in order") {
      expectOrdered(["Bern", "Berlin"])
    }
  }
}
