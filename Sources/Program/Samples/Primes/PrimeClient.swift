import StoreCore

package struct PrimeClient: Sendable {
  package var nthPrime: @Sendable (_ number: Int) async throws -> Int

}

package struct PrimeServiceError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

extension PrimeClient: DependencyKey {
  /// A built-in service: it takes its time, and refuses every ninth number.
  package static var liveValue: PrimeClient {
    PrimeClient { number in
      @Dependency(\.continuousClock) var clock
      try await clock.sleep(for: .milliseconds(600 + 40 * number))
      guard number > 0, !number.isMultiple(of: 9) else {
        throw PrimeServiceError("The service is closed for number \(number).")
      }
      return prime(number: number)
    }
  }
}

extension DependencyValues {
  package var primeClient: PrimeClient {
    get { self[PrimeClient.self] }
    set { self[PrimeClient.self] = newValue }
  }
}

func prime(number: Int) -> Int {
  var candidate = 1
  for _ in 0..<number {
    repeat { candidate += 1 } while !candidate.isPrime
  }
  return candidate
}

extension Int {
  var isPrime: Bool {
    guard self > 1 else { return false }
    var divisor = 2
    while divisor * divisor <= self {
      if isMultiple(of: divisor) { return false }
      divisor += 1
    }
    return true
  }
}
