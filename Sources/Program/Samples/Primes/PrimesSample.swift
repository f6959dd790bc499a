import SessionLog
import StoreCore

package enum PrimesSample: Sample {
  package static let name = "primes"
  package static let title = "Primes"

  package static func app() -> Primes { Primes() }
  package static func initialState() -> Primes.State { Primes.State() }

  package static func putDependenciesOnTape(_ dependencies: inout DependencyValues, _ tape: Tape) {
    dependencies.primeClient.nthPrime = tape.closure(
      "nthPrime", dependencies.primeClient.nthPrime)
  }

  /// Saves a prime and an answer, then meets a closed service.
  package static func demo() -> [DemoMove<Primes.Action>] {
    let count = Array(
      repeating: DemoMove<Primes.Action>(after: .milliseconds(310), .incrementTapped), count: 4)
    return [DemoMove(after: .milliseconds(1_200), .incrementTapped)] + count + [
      DemoMove(after: .milliseconds(1_900), .isThisPrimeTapped),
      DemoMove(after: .milliseconds(1_400), .isPrime(.presented(.favouriteTapped))),
      DemoMove(after: .milliseconds(800), .isPrime(.presented(.closeTapped))),
      DemoMove(after: .milliseconds(1_500), .nthPrimeTapped),
      DemoMove(after: .milliseconds(300), .nthPrimeTapped),
      DemoMove(after: .milliseconds(2_700), .alert(.presented(.saveTapped(11)))),
    ] + count + [
      DemoMove(after: .milliseconds(1_100), .nthPrimeTapped),
      DemoMove(after: .milliseconds(3_000), .alert(.presented(.tryAgainTapped))),
      DemoMove(after: .milliseconds(400), .incrementTapped),
      DemoMove(after: .milliseconds(2_800), .alert(.dismiss)),
      DemoMove(after: .milliseconds(900), .nthPrimeTapped),
      DemoMove(after: .milliseconds(2_600), .alert(.presented(.saveTapped(29)))),
      DemoMove(after: .milliseconds(1_300), .favouritesTapped),
      DemoMove(after: .milliseconds(1_700), .favouriteRemoved(at: 0)),
      DemoMove(after: .milliseconds(1_200), .favouritesTapped),
      DemoMove(after: .milliseconds(700), .decrementTapped),
      DemoMove(after: .milliseconds(900), .isThisPrimeTapped),
      DemoMove(after: .milliseconds(1_100), .isPrime(.dismiss)),
    ]
  }
}
