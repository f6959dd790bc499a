import Platform
import SessionFile
import StoreCore
import TestSupport
import Testing
import ValueTree

@testable import Samples

@Suite("The wishes sample")
struct WishesSampleTests {
  @Test("its demo is recorded, every action with a readable label")
  func demo() async throws {
    let folder = try TemporaryFolder()
    let path = folder("demo.retcon")
    let statistics = await WishesSample.recordDemo(to: path)
    #expect(statistics.lostSteps == 0)
    let session = try SessionReader(path: path)
    let labels = try (1...session.stepCount).map { try session.step($0).label }
    #expect(
      labels == [
        "binding.name", "binding.name", "binding.name",
        "discoverWishesTapped", "wishesResponse", "destination.dismiss",
        "binding.name", "binding.name", "binding.name",
        "discoverWishesTapped", "wishesResponse",
        "destination.presented.submit.wishSelected", "destination.presented.submit.save",
        "destination.presented.submit.saveWishResponse",
        "destination.presented.submit.wishSelected", "destination.presented.submit.save",
        "destination.presented.submit.saveWishResponse",
        "destination.presented.submit.delegate.saved",
        "path.element.result.shareTapped", "path.element.result.doneTapped", "path.popFrom",
        "discoverWishesTapped", "wishesResponse",
        "destination.presented.submit.cancelTapped", "destination.dismiss",
        "binding.name", "binding.name", "discoverWishesTapped",
      ])
    let shared = try session.state(after: 19)
    #expect(shared["path"]?["elements"]?[0]?["result"]?["_0"]?["isShared"] == true)
    let last = try session.state(after: session.stepCount)
    #expect(last["discoverButtonState"] == "loading")
    #expect(last["path"]?["nextID"] == 1)
  }

  func store(
    _ fetch: @escaping @Sendable (String) async throws -> [Wish]
  ) -> StoreOf<Wishes> {
    Store(initialState: Wishes.State()) {
      Wishes()
    } withDependencies: {
      $0.wishClient.fetchWishes = fetch
      $0.wishClient.save = { $0 }
    }
  }

  @Test("a wish is discovered, selected, saved, shared and left")
  func story() async {
    let wish = Wish(id: .init(0), title: "Health")
    let store = store { _ in [wish] }
    #expect(store.state.discoverButtonState == .disabled)
    store.send(.binding(.set(\.name, "Blob")))
    #expect(store.state.discoverButtonState == .enabled)
    let discovery = store.send(.discoverWishesTapped)
    #expect(store.state.discoverButtonState == .loading)
    await discovery.finish()
    store.send(.destination(.presented(.submit(.wishSelected(wish.id)))))
    #expect(store.state.$destination[case: \.submit]?.selectedWish == wish)
    await store.send(.destination(.presented(.submit(.save)))).finish()
    #expect(store.state.destination == nil)
    #expect(store.state.path[id: 0, case: \.result]?.isShared == false)
    store.send(.path(.element(id: 0, action: .result(.shareTapped))))
    #expect(store.state.path[id: 0, case: \.result]?.isShared == true)
    await store.send(.path(.element(id: 0, action: .result(.doneTapped)))).finish()
    #expect(store.state.path.isEmpty)
  }

  @Test("a failure becomes an alert, from which one can try again")
  func failure() async {
    struct Offline: Error {}
    let attempts = Locked(0)
    let store = store { _ in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt == 1 { throw Offline() }
      return []
    }
    store.send(.binding(.set(\.name, "Blob")))
    await store.send(.discoverWishesTapped).finish()
    #expect(store.state.$destination[case: \.alert]?.message == "Offline()")
    #expect(store.state.discoverButtonState == .enabled)
    await store.send(.destination(.presented(.alert(.tryAgainTapped)))).finish()
    #expect(store.state.$destination[case: \.submit]?.wishes == [])
  }
}
