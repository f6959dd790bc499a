// Written by retcon test.
// swift-format-ignore-file

import ReplayTesting
import StoreCore
import StoreTesting
import Testing

@testable import Samples

@Suite(.checkedAtEnd) struct PrimesTests {
  @Test("primes.retcon, steps 1 to 33") func session() async throws {
    let state: Primes.State = try decoded(
      #"{"count":0,"favourites":[],"isNthPrimeLoading":false,"isFavouritesShown":false,"alert":null,"isPrime":null}"#
    )
    let store = TestStore(initialState: state) {
      Primes()
    } withDependencies: {
      $0.replay()
    }

    await store.send(.incrementTapped) { $0.count = 1 }
    await store.send(.incrementTapped) { $0.count = 2 }
    await store.send(.incrementTapped) { $0.count = 3 }
    await store.send(.incrementTapped) { $0.count = 4 }
    await store.send(.incrementTapped) { $0.count = 5 }
    await store.send(.isThisPrimeTapped) {
      $0.isPrime = IsPrime.State(number: 5, isFavourite: false)
    }
    await store.send(.isPrime(.presented(.favouriteTapped))) { $0.isPrime?.isFavourite = true }
    await store.receive(.isPrime(.presented(.delegate(.liked(5))))) { $0.favourites.append(5) }
    await store.send(.isPrime(.presented(.closeTapped)))
    await store.receive(.isPrime(.dismiss), from: "close") { $0.isPrime = nil }
    await store.send(.nthPrimeTapped) { $0.isNthPrimeLoading = true }
    await store.send(.nthPrimeTapped)
    await store.receive(
      .nthPrimeResponse(number: 5, prime: .success(11)),
      from: .last("nthPrime")
    ) {
      $0.isNthPrimeLoading = false
      $0.alert = AlertState<Primes.AlertAction>(
        title: "The 5th prime is 11.",
        message: nil,
        buttons: [
          try decoded(#"{"label":"Save it","action":{"saveTapped":{"_0":11}}}"#),
          try decoded(#"{"label":"OK","role":"cancel"}"#)
        ]
      )
    }
    await store.send(.alert(.presented(.saveTapped(11)))) {
      $0.favourites.append(11)
      $0.alert = nil
    }
    await store.send(.incrementTapped) { $0.count = 6 }
    await store.send(.incrementTapped) { $0.count = 7 }
    await store.send(.incrementTapped) { $0.count = 8 }
    await store.send(.incrementTapped) { $0.count = 9 }
    await store.send(.nthPrimeTapped) { $0.isNthPrimeLoading = true }
    await store.receive(
      .nthPrimeResponse(
        number: 9,
        prime: .failure(
          try decoded(
            #"{"type":"Samples.PrimeServiceError","description":"The service is closed for number 9."}"#
          )
        )
      ),
      from: .last("nthPrime")
    ) {
      $0.isNthPrimeLoading = false
      $0.alert = AlertState<Primes.AlertAction>(
        title: "There is no answer",
        message: "The service is closed for number 9.",
        buttons: [
          try decoded(#"{"label":"Try again","action":{"tryAgainTapped":{}}}"#),
          try decoded(#"{"label":"Leave it","role":"cancel"}"#)
        ]
      )
    }
    await store.send(.alert(.presented(.tryAgainTapped))) {
      $0.isNthPrimeLoading = true
      $0.alert = nil
    }
    await store.send(.incrementTapped) { $0.count = 10 }
    await store.receive(
      .nthPrimeResponse(
        number: 9,
        prime: .failure(
          try decoded(
            #"{"type":"Samples.PrimeServiceError","description":"The service is closed for number 9."}"#
          )
        )
      ),
      from: .last("nthPrime")
    ) {
      $0.isNthPrimeLoading = false
      $0.alert = AlertState<Primes.AlertAction>(
        title: "There is no answer",
        message: "The service is closed for number 9.",
        buttons: [
          try decoded(#"{"label":"Try again","action":{"tryAgainTapped":{}}}"#),
          try decoded(#"{"label":"Leave it","role":"cancel"}"#)
        ]
      )
    }
    await store.send(.alert(.dismiss)) { $0.alert = nil }
    await store.send(.nthPrimeTapped) { $0.isNthPrimeLoading = true }
    await store.receive(
      .nthPrimeResponse(number: 10, prime: .success(29)),
      from: .last("nthPrime")
    ) {
      $0.isNthPrimeLoading = false
      $0.alert = AlertState<Primes.AlertAction>(
        title: "The 10th prime is 29.",
        message: nil,
        buttons: [
          try decoded(#"{"label":"Save it","action":{"saveTapped":{"_0":29}}}"#),
          try decoded(#"{"label":"OK","role":"cancel"}"#)
        ]
      )
    }
    await store.send(.alert(.presented(.saveTapped(29)))) {
      $0.favourites.append(29)
      $0.alert = nil
    }
    await store.send(.favouritesTapped) { $0.isFavouritesShown = true }
    await store.send(.favouriteRemoved(at: 0)) {
      if $0.favourites.indices.contains(0) { $0.favourites.remove(at: 0) }
    }
    await store.send(.favouritesTapped) { $0.isFavouritesShown = false }
    await store.send(.decrementTapped) { $0.count = 9 }
    await store.send(.isThisPrimeTapped) {
      $0.isPrime = IsPrime.State(number: 9, isFavourite: false)
    }
    await store.send(.isPrime(.dismiss)) { $0.isPrime = nil }
    await store.finish()
  }
}
