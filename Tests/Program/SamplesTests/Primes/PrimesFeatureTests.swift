import Samples
import StoreCore
import StoreTesting
import Testing

/// The primes as their users meet them.
@Suite(.checkedAtEnd) struct PrimesFeatureTests {
  func store(
    count: Int = 0, favourites: [Int] = [],
    nthPrime: @escaping @Sendable (Int) async throws -> Int = Run.never { _ in 0 }
  ) -> TestStore<Primes.State, Primes.Action> {
    var state = Primes.State()
    state.count = count
    state.favourites = favourites
    return TestStore(initialState: state) {
      Primes()
    } withDependencies: {
      $0.primeClient.nthPrime = nthPrime
    }
  }

  @Test("counting up and down")
  func counting() async {
    let store = store()
    await store.send(.incrementTapped) { $0.count = 1 }
    await store.send(.incrementTapped) { $0.count = 2 }
    await store.send(.decrementTapped) { $0.count = 1 }
  }

  @Test("the nth prime is asked for once, while the button is disabled, and can be kept")
  func nthPrime() async {
    let store = store(count: 5, nthPrime: Run.once { _ in 11 })
    await store.send(.nthPrimeTapped) { $0.isNthPrimeLoading = true }
    #expect(store.state.isNthPrimeButtonDisabled)

    await store.receive(.nthPrimeResponse(number: 5, prime: .success(11))) {
      $0.isNthPrimeLoading = false
      $0.alert = AlertState(
        title: "The 5th prime is 11.",
        buttons: [ButtonState("Save it", action: .saveTapped(11)), .cancel("OK")])
    }
    #expect(!store.state.isNthPrimeButtonDisabled)

    await store.send(.alert(.presented(.saveTapped(11)))) {
      $0.favourites = [11]
      $0.alert = nil
    }
    await store.finish()
  }

  @Test("tapping twice asks once")
  func tappingTwice() async {
    let clock = TestClock()
    let store = store(
      count: 2,
      nthPrime: Run.once { _ in
        try await clock.sleep(for: .seconds(1))
        return 3
      })
    await store.send(.nthPrimeTapped) { $0.isNthPrimeLoading = true }
    await store.send(.nthPrimeTapped)
    await clock.advance(by: .seconds(1))
    await store.receive(.nthPrimeResponse(number: 2, prime: .success(3))) {
      $0.isNthPrimeLoading = false
      $0.alert = AlertState(
        title: "The 2nd prime is 3.",
        buttons: [ButtonState("Save it", action: .saveTapped(3)), .cancel("OK")])
    }
    await store.send(.alert(.dismiss)) { $0.alert = nil }
  }

  @Test("a service that does not answer can be asked again")
  func failure() async {
    let closed = PrimeServiceError("The service is closed.")
    let store = store(count: 9, nthPrime: Run.once { _ in throw closed })
    await store.send(.nthPrimeTapped) { $0.isNthPrimeLoading = true }
    await store.receive(.nthPrimeResponse(number: 9, prime: .failure(TaskFailure(closed)))) {
      $0.isNthPrimeLoading = false
      $0.alert = AlertState(
        title: "There is no answer", message: "The service is closed.",
        buttons: [ButtonState("Try again", action: .tryAgainTapped), .cancel("Leave it")])
    }

    store.dependencies.primeClient.nthPrime = Run.once { _ in 23 }
    await store.send(.alert(.presented(.tryAgainTapped))) {
      $0.alert = nil
      $0.isNthPrimeLoading = true
    }
    await store.receive(.nthPrimeResponse(number: 9, prime: .success(23))) {
      $0.isNthPrimeLoading = false
      $0.alert = AlertState(
        title: "The 9th prime is 23.",
        buttons: [ButtonState("Save it", action: .saveTapped(23)), .cancel("OK")])
    }
    await store.send(.alert(.dismiss)) { $0.alert = nil }
  }

  @Test("nobody is asked for the prime before the first")
  func noSuchPrime() async {
    let store = store()
    #expect(store.state.isNthPrimeButtonDisabled)
    await store.send(.nthPrimeTapped)
  }

  @Test("a prime becomes a favourite in the sheet, and is one no longer")
  func favourites() async {
    let store = store(count: 7, favourites: [2, 11])
    await store.send(.isThisPrimeTapped) {
      $0.isPrime = IsPrime.State(number: 7, isFavourite: false)
    }
    await store.send(.isPrime(.presented(.favouriteTapped))) { $0.isPrime?.isFavourite = true }
    await store.receive(.case(\.isPrime.presented, .delegate(.liked(7)))) {
      $0.favourites = [2, 7, 11]
    }
    await store.send(.isPrime(.presented(.favouriteTapped))) { $0.isPrime?.isFavourite = false }
    await store.receive(.case(\.isPrime.presented, .delegate(.disliked(7)))) {
      $0.favourites = [2, 11]
    }
    await store.send(.isPrime(.presented(.closeTapped)))
    await store.receive(.isPrime(.dismiss)) { $0.isPrime = nil }
  }

  @Test("what is not prime is no favourite")
  func notPrime() async {
    let store = store(count: 8)
    await store.send(.isThisPrimeTapped) {
      $0.isPrime = IsPrime.State(number: 8, isFavourite: false)
    }
    await store.send(.isPrime(.presented(.favouriteTapped)))
    await store.send(.isPrime(.dismiss)) { $0.isPrime = nil }
  }

  @Test("the list of favourites is shown, and shortened")
  func list() async {
    let store = store(favourites: [2, 3, 5])
    await store.send(.favouritesTapped) { $0.isFavouritesShown = true }
    await store.send(.favouriteRemoved(at: 1)) { $0.favourites = [2, 5] }
    await store.send(.favouriteRemoved(at: 7))
    await store.send(.favouritesTapped) { $0.isFavouritesShown = false }
  }

  @Test("the same as a script")
  func script() async {
    var state = Primes.State()
    state.count = 2
    await assert(
      initialValue: state, reducer: Primes(),
      withDependencies: { $0.primeClient.nthPrime = Run.once { _ in 5 } },
      steps: Step(.send, .incrementTapped) { $0.count = 3 },
      Step(.send, .nthPrimeTapped) { $0.isNthPrimeLoading = true },
      Step(.receive, .nthPrimeResponse(number: 3, prime: .success(5))) {
        $0.isNthPrimeLoading = false
        $0.alert = AlertState(
          title: "The 3rd prime is 5.",
          buttons: [ButtonState("Save it", action: .saveTapped(5)), .cancel("OK")])
      },
      Step(.send, .alert(.presented(.saveTapped(5)))) {
        $0.alert = nil
        $0.favourites = [5]
      }
    )
  }
}
