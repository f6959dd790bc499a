import StoreCore

package struct FactClient: Sendable {
  package var fact: @Sendable (_ number: Int) async throws -> String

}

package struct FactServiceError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

extension FactClient: DependencyKey {
  /// A built-in service: it takes its time, and refuses thirteens.
  package static var liveValue: FactClient {
    FactClient { number in
      @Dependency(\.continuousClock) var clock
      try await clock.sleep(for: .milliseconds(800))
      guard !number.isMultiple(of: 13) || number == 0 else {
        throw FactServiceError("The service gave no answer for \(number).")
      }
      return arithmeticFact(about: number)
    }
  }
}

extension DependencyValues {
  package var factClient: FactClient {
    get { self[FactClient.self] }
    set { self[FactClient.self] = newValue }
  }
}

func arithmeticFact(about number: Int) -> String {
  let size = number.magnitude
  let divisors = size < 2 ? [] : (2..<max(3, size)).filter { size.isMultiple(of: $0) }
  switch (size, divisors.isEmpty) {
  case (0, _): return "0 is the only number that nothing can be divided by."
  case (1, _): return "1 is neither prime nor composite."
  case (_, true): return "\(number) is prime."
  default:
    let list = divisors.prefix(4).map(String.init).joined(separator: ", ")
    return "\(number) can be divided by \(list)."
  }
}
