import StoreCore

/// A counter for primes: whether a number is one, the nth one, and favourites.
package struct Primes: Reducer {
  package struct State: Codable, Hashable, Sendable {
    package var count = 0
    package var favourites: [Int] = []
    package var isNthPrimeLoading = false
    package var isFavouritesShown = false
    @PresentationState package var alert: AlertState<AlertAction>?
    @PresentationState package var isPrime: IsPrime.State?

    package init() {}

    package var isNthPrimeButtonDisabled: Bool { isNthPrimeLoading || count < 1 }
  }

  package enum Action: Codable, Hashable, Sendable, CasePathable {
    case decrementTapped
    case incrementTapped
    case isThisPrimeTapped
    case nthPrimeTapped
    case nthPrimeResponse(number: Int, prime: TaskResult<Int>)
    case favouritesTapped
    case favouriteRemoved(at: Int)
    case alert(PresentationAction<AlertAction>)
    case isPrime(PresentationAction<IsPrime.Action>)

    package struct AllCasePaths: Sendable {
      package let alert = CasePath(Action.alert)
      package let isPrime = CasePath(Action.isPrime)
    }
    package static let allCasePaths = AllCasePaths()
  }

  package enum AlertAction: Codable, Hashable, Sendable {
    case saveTapped(Int)
    case tryAgainTapped
  }

  @Dependency(\.primeClient) private var primeClient

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .decrementTapped: state.count -= 1
      case .incrementTapped: state.count += 1
      case .isThisPrimeTapped:
        state.isPrime = IsPrime.State(
          number: state.count, isFavourite: state.favourites.contains(state.count))
      case .nthPrimeTapped, .alert(.presented(.tryAgainTapped)): return askNthPrime(&state)
      case .nthPrimeResponse(let number, let prime): answered(&state, number, prime)
      case .favouritesTapped: state.isFavouritesShown.toggle()
      case .favouriteRemoved(let index):
        if state.favourites.indices.contains(index) { state.favourites.remove(at: index) }
      case .alert(.presented(.saveTapped(let prime))): state.like(prime)
      case .isPrime(.presented(.delegate(.liked(let number)))): state.like(number)
      case .isPrime(.presented(.delegate(.disliked(let number)))):
        state.favourites.removeAll { $0 == number }
      case .alert, .isPrime: break
      }
      return .none
    }
    .ifLet(\.$alert, action: \.alert)
    .ifLet(\.$isPrime, action: \.isPrime) { IsPrime() }
  }

  private func askNthPrime(_ state: inout State) -> Effect<Action> {
    guard !state.isNthPrimeButtonDisabled else { return .none }
    state.isNthPrimeLoading = true
    return .run(name: "nthPrime") { [number = state.count, primeClient] send in
      let prime = await TaskResult { try await primeClient.nthPrime(number) }
      await send(.nthPrimeResponse(number: number, prime: prime))
    }
  }

  private func answered(_ state: inout State, _ number: Int, _ prime: TaskResult<Int>) {
    state.isNthPrimeLoading = false
    switch prime {
    case .success(let prime):
      state.alert = AlertState(
        title: "The \(ordinal(number)) prime is \(prime).",
        buttons: [ButtonState("Save it", action: .saveTapped(prime)), .cancel("OK")])
    case .failure(let failure):
      state.alert = AlertState(
        title: "There is no answer", message: failure.description,
        buttons: [ButtonState("Try again", action: .tryAgainTapped), .cancel("Leave it")])
    }
  }
}

extension Primes.State {
  mutating func like(_ number: Int) {
    guard !favourites.contains(number) else { return }
    favourites.append(number)
    favourites.sort()
  }
}

func ordinal(_ number: Int) -> String {
  let ending =
    switch (number % 10, number % 100) {
    case (_, 11...13): "th"
    case (1, _): "st"
    case (2, _): "nd"
    case (3, _): "rd"
    default: "th"
    }
  return "\(number)\(ending)"
}
