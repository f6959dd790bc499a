import ReplayTesting
import StoreCore
import StoreRecording
import StoreTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import struct FoundationEssentials.URL
#else
  import struct Foundation.URL
#endif

/// Paths to actions as they are brought along, on the main actor.
@MainActor @Suite(.checkedAtEnd) struct LendingTests {
  let book = Book(id: 0, title: "Blob")

  private func store(_ clock: TestClock = TestClock()) -> TestStoreOf<Lending> {
    TestStore(initialState: Lending.State(rows: [BookRow.State(book: book)])) {
      Lending()
    } withDependencies: {
      $0.continuousClock = clock
    }
  }

  @Test func presented() async {
    let store = store()
    await store.send(.addTapped) {
      $0.destination = .add(BookForm.State(book: Book(id: 1)))
    }
    await store.send(\.destination.add.binding.rating, 3) {
      $0.destination?.modify(\.add) {
        $0.rating = 3
        $0.isRead = true
      }
    }
    await store.send(.destination(.presented(.add(.binding(.set(\.book.title, "Jr.")))))) {
      $0.$destination[case: \.add]?.book.title = "Jr."
    }
    await store.send(.saveTapped) {
      $0.rows.append(BookRow.State(book: Book(id: 1, title: "Jr.")))
      $0.$lent.withLock { $0 = 1 }
      $0.destination = nil
    }
    await store.send(.deleteTapped(1)) {
      $0.destination = .alert(
        AlertState {
          TextState("Delete?")
        } actions: {
          ButtonState(role: .destructive, action: .confirmDelete(1)) { TextState("Delete") }
        })
    }
    await store.send(\.destination.alert.confirmDelete, 1) {
      $0.rows.remove(id: 1)
      $0.destination = nil
    }
  }

  @Test func elements() async {
    let store = store()
    await store.send(\.rows[id: 0].lent, true) { $0.rows[id: 0]?.book.isLent = true }
    await store.send(\.rows[id: 0].tapped) {
      $0.path[id: 0] = .form(BookForm.State(book: Book(id: 0, title: "Blob", isLent: true)))
    }
    await store.send(\.path[id: 0].form.binding.rating, 5) {
      $0.path[id: 0]?.modify(\.form) { ($0.rating, $0.isRead) = (5, true) }
    }
    await store.send(\.path[id: 0].form.binding.book, Book(id: 0)) {
      $0.path[id: 0, case: \.form]?.book = Book(id: 0)
      $0.path[id: 0, case: \.form]?.rating = 0
    }
    await store.send(\.path.popFrom, 0) { $0.path = StackState() }
  }

  @Test func debounced() async {
    let clock = TestClock()
    let store = store(clock)
    await store.send(\.binding.query, "B") { $0.query = "B" }
    await clock.advance(by: .milliseconds(200))
    await store.send(.binding(.set(\.query, "Bl"))) { $0.query = "Bl" }
    await clock.advance(by: .milliseconds(300))
    await store.receive(\.searchResponse.success) { $0.found = [Book(id: 0, title: "Bl")] }
  }

  @Test func receivedFromAnElement() async {
    let failures = await collectFailures {
      let store = store()
      store.exhaustivity = .off
      await store.send(\.rows[id: 0].tapped)
      await store.receive(\.path[id: 7].form)
    }
    #expect(failures.map(\.message).first?.hasPrefix("Nothing was received") == true)
  }

  @Test func recordedAndReplayed() async throws {
    let folder = try TemporaryFolder()
    let path = folder("lending.retcon")
    let recorder = StoreRecorder<Lending.State, Lending.Action>(to: path)
    do {
      let store = Store(initialState: Lending.State(), hooks: recorder) { Lending() }
      store.send(.addTapped)
      store.send(\.destination.add.binding.rating, 3)
      store.send(.destination(.presented(.add(.binding(.set(\.book.title, "Blob"))))))
      store.send(.saveTapped)
      store.send(\.rows[id: 0].tapped)
      store.send(\.path[id: 0].form.binding.rating, 1)
    }
    recorder.finish()
    try await expectReplays(URL(filePath: path), Lending())
  }
}
