import StoreCore

/// Asks a service for the nth prime.
public struct PrimeClient: Sendable {
  public var nthPrime: @Sendable (_ number: Int) async throws -> Int

  public init(nthPrime: @escaping @Sendable (_ number: Int) async throws -> Int) {
    self.nthPrime = nthPrime
  }
}

/// What the service says when it does not answer.
public struct PrimeServiceError: Error, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}

extension PrimeClient: DependencyKey {
  /// The sample brings its own service: it takes its time, and is closed for every ninth number.
  public static var liveValue: PrimeClient {
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
  public var primeClient: PrimeClient {
    get { self[PrimeClient.self] }
    set { self[PrimeClient.self] = newValue }
  }
}

/// The nth prime: 2 is the first.
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
