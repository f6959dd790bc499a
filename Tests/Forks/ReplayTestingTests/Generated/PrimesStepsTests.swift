// Written by retcon test.
// swift-format-ignore-file

import ReplayTesting
import StoreCore
import StoreTesting
import Testing

@testable import Samples

@Suite(.checkedAtEnd) struct PrimesStepsTests {
  @Test("primes.retcon, steps 1 to 10") func session() async throws {
    let state: Primes.State = try decoded(
      #"{"count":0,"favourites":[],"isNthPrimeLoading":false,"isFavouritesShown":false,"alert":null,"isPrime":null}"#
    )
    await assert(
      initialValue: state,
      reducer: Primes(),
      withDependencies: {
        $0.replay()
      },
      steps: Step(.send, .incrementTapped) { $0.count = 1 },
      Step(.send, .incrementTapped) { $0.count = 2 },
      Step(.send, .incrementTapped) { $0.count = 3 },
      Step(.send, .incrementTapped) { $0.count = 4 },
      Step(.send, .incrementTapped) { $0.count = 5 },
      Step(.send, .isThisPrimeTapped) {
        $0.isPrime = IsPrime.State(number: 5, isFavourite: false)
      },
      Step(.send, .isPrime(.presented(.favouriteTapped))) { $0.isPrime?.isFavourite = true },
      Step(.receive, .isPrime(.presented(.delegate(.liked(5))))) { $0.favourites.append(5) },
      Step(.send, .isPrime(.presented(.closeTapped))),
      Step(.receive, .isPrime(.dismiss), from: "close") { $0.isPrime = nil }
    )
  }
}
