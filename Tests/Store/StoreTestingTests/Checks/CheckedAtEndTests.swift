import StoreCore
import StoreTesting
import Testing

@Suite struct CheckedAtEndTests {
  @Test("a plain store that reads a dependency without a test value fails the test")
  func missingTestValue() async {
    let failures = collectFailures {
      checkedAtEnd {
        let store = Store(initialState: Facts.State()) { Facts() }
        store.send(.now)
      }
    }
    #expect(
      failures.map(\.message) == [
        """
        \\.factClient has no test value, but a test reads it. \
        Override it for this test, or give its key a testValue.
        """
      ])
    #expect(failures.map { "\($0.place)" } == ["StoreTestingTests/Facts.swift:30"])
  }

  @Test("what is returned or thrown passes through")
  func results() async throws {
    struct Broken: Error, Equatable {}
    #expect(checkedAtEnd { 1 } == 1)
    #expect(throws: Broken()) { try checkedAtEnd { throw Broken() } }
    await #expect(throws: Broken()) {
      try await checkedAtEnd {
        await Task.yield()
        throw Broken()
      }
    }
  }
}
