import SessionFile
import StoreCore
import TestSupport
import Testing
import ValueTree

@testable import Samples

@Suite("The primes sample")
struct PrimesSampleTests {
  @Test("its demo is recorded, with alerts, favourites and a refusal")
  func demo() async throws {
    let folder = try TemporaryFolder()
    let path = folder("demo.retcon")
    let statistics = await PrimesSample.recordDemo(to: path)
    #expect(statistics.lostSteps == 0)
    let session = try SessionReader(path: path)
    let labels = try (1...session.stepCount).map { try session.step($0).label }
    #expect(
      labels.filter { $0 != "incrementTapped" } == [
        "isThisPrimeTapped", "isPrime.presented.favouriteTapped",
        "isPrime.presented.delegate.liked", "isPrime.presented.closeTapped", "isPrime.dismiss",
        "nthPrimeTapped", "nthPrimeTapped", "nthPrimeResponse", "alert.presented.saveTapped",
        "nthPrimeTapped", "nthPrimeResponse", "alert.presented.tryAgainTapped",
        "nthPrimeResponse", "alert.dismiss",
        "nthPrimeTapped", "nthPrimeResponse", "alert.presented.saveTapped",
        "favouritesTapped", "favouriteRemoved", "favouritesTapped", "decrementTapped",
        "isThisPrimeTapped", "isPrime.dismiss",
      ])
    let last = try session.state(after: session.stepCount)
    #expect(last["favourites"] == [11, 29])
    #expect(last["count"] == 9)
  }

  @Test("the button is disabled while the answer is on its way, and the answer is an alert")
  func nthPrime() async {
    var initial = Primes.State()
    initial.count = 2
    let store = Store(initialState: initial) {
      Primes()
    } withDependencies: {
      $0.primeClient.nthPrime = { $0 + 1 }
    }
    #expect(!store.state.isNthPrimeButtonDisabled)
    let task = store.send(.nthPrimeTapped)
    #expect(store.state.isNthPrimeButtonDisabled)
    await task.finish()
    #expect(!store.state.isNthPrimeButtonDisabled)
    #expect(store.state.alert?.title == "The 2nd prime is 3.")
    store.send(.alert(.presented(.saveTapped(3))))
    #expect(store.state.alert == nil)
    #expect(store.state.favourites == [3])
  }
}
