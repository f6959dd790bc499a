import Samples
import StoreCore
import StoreRecording
import ValueTree

@testable import Replay

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The samples, and an app with one of everything, each with a user who mostly does what makes sense.
enum RandomApps {
  static let counter = RandomApp<Counter.State, Counter.Action>(
    name: "counter", reducer: Counter(), state: Counter.State(),
    action: { state, random in
      var taps: [Counter.Action] = [
        .incrementTapped, .incrementTapped, .incrementTapped, .incrementTapped, .decrementTapped,
        .decrementTapped, .randomizeTapped, .randomizeTapped, .messageDismissed, .factTapped,
      ]
      taps += Array(repeating: .timerTapped, count: state.isTimerOn ? 6 : 1)
      if state.isFactLoading { taps += [.factCancelTapped, .factCancelTapped] }
      if state.message != nil { taps += [.messageDismissed, .messageDismissed] }
      return random.one(of: taps)
    },
    otherAnswer: { action, random in
      switch action {
      case .factReceived, .factFailed:
        random.one(of: [.factReceived("other"), .factFailed("it is closed")])
      default: nil
      }
    },
    setting: { _, random in
      random.one(of: [
        (["count"], .number(Number(Int.random(in: 0...99, using: &random)))),
        (["message"], "set"), (["isTimerOn"], .bool(Bool.random(using: &random))),
      ])
    },
    services: { dependencies, world in
      dependencies.factClient.fact = { "fact \(try await world.call("fact", "\($0)") % 100)" }
    },
    tapes: { CounterSample.putDependenciesOnTape(&$0, $1) },
    reply: { question, world in
      world.reply(to: question) { .string("fact \($0 % 100)") }
    })

  static let primes = RandomApp<Primes.State, Primes.Action>(
    name: "primes", reducer: Primes(), state: Primes.State(),
    action: { state, random in
      if state.alert != nil, Int.random(in: 0..<4, using: &random) > 0 {
        return .alert(
          random.one(of: [
            .presented(.saveTapped(state.count)), .presented(.tryAgainTapped), .dismiss,
          ]))
      }
      if state.isPrime != nil, Int.random(in: 0..<4, using: &random) > 0 {
        return .isPrime(
          random.one(of: [.presented(.favouriteTapped), .presented(.closeTapped), .dismiss]))
      }
      return random.one(of: [
        .incrementTapped, .incrementTapped, .incrementTapped, .decrementTapped, .isThisPrimeTapped,
        .nthPrimeTapped, .nthPrimeTapped, .favouritesTapped, .favouriteRemoved(at: 0),
        .isPrime(.presented(.favouriteTapped)),
      ])
    },
    otherAnswer: { action, random in
      guard case .nthPrimeResponse(let number, _) = action else { return nil }
      return .nthPrimeResponse(
        number: number,
        prime: random.one(of: [.success(97), .failure(TaskFailure(WorldError(description: "no")))]))
    },
    setting: { state, random in
      random.one(of: [
        (["count"], .number(Number(Int.random(in: 0...9, using: &random)))),
        (["favourites"], [2, 3]), (["isFavouritesShown"], .bool(!state.isFavouritesShown)),
        (["alert"], .null), (["isPrime"], .null),
      ])
    },
    services: { dependencies, world in
      dependencies.primeClient.nthPrime = {
        Int(try await world.call("nthPrime", "\($0)") % 1_000)
      }
    },
    tapes: { PrimesSample.putDependenciesOnTape(&$0, $1) },
    reply: { question, world in
      world.reply(to: question) { .number(Number(Int($0 % 1_000))) }
    })

  static let wishes = RandomApp<Wishes.State, Wishes.Action>(
    name: "wishes", reducer: Wishes(), state: Wishes.State(),
    action: { state, random in wish(state, &random) },
    otherAnswer: { action, random in
      switch action {
      case .wishesResponse:
        .wishesResponse(
          random.one(of: [
            .success([Wish(id: UUID(77), title: "Another")]),
            .failure(TaskFailure(WorldError(description: "no"))),
          ]))
      case .destination(.presented(.submit(.saveWishResponse))):
        .destination(
          .presented(
            .submit(.saveWishResponse(.failure(TaskFailure(WorldError(description: "no")))))))
      default: nil
      }
    },
    setting: { _, random in
      random.one(of: [
        (["name"], "Set"), (["discoverButtonState"], "enabled"), (["destination"], .null),
      ])
    },
    services: { dependencies, world in
      dependencies.wishClient.fetchWishes = {
        wishes(try await world.call("fetchWishes", $0))
      }
      dependencies.wishClient.save = { wish in
        _ = try await world.call("save", "\(wish.id)")
        return wish
      }
    },
    tapes: { WishesSample.putDependenciesOnTape(&$0, $1) },
    reply: { question, world in
      let wish = question.arguments?.first
      guard question.key == "save", case .string(let id)? = wish?["id"] else {
        return world.reply(to: question) { (try? .encoding(wishes($0))) ?? .null }
      }
      return world.reply(to: question, id) { _ in wish ?? .null }
    })

  @Sendable private static func wishes(_ number: UInt64) -> [Wish] {
    (0..<3).map { Wish(id: UUID(number % 1_000 + $0), title: "wish \(number % 7) \($0)") }
  }

  @Sendable private static func wish(
    _ state: Wishes.State, _ random: inout SeededRandomNumberGenerator
  ) -> Wishes.Action {
    let kind = Int.random(in: 0..<8, using: &random)
    switch state.destination {
    case .alert? where kind > 0:
      return .destination(random.one(of: [.presented(.alert(.tryAgainTapped)), .dismiss]))
    case .submit(let submit)? where kind > 0:
      let wish = random.one(of: submit.wishes.map(\.id) + [UUID(0)])
      if submit.selectedWish == nil, kind > 2 {
        return .destination(.presented(.submit(.wishSelected(wish))))
      }
      return .destination(
        random.one(of: [
          .presented(.submit(.save)), .presented(.submit(.save)),
          .presented(.submit(.wishSelected(wish))),
          .presented(.submit(.cancelTapped)), .dismiss,
        ]))
    default: break
    }
    if let top = state.path.ids.last, kind > 3 {
      return .path(
        random.one(of: [
          .element(id: top, action: .result(.shareTapped)),
          .element(id: top, action: .result(.doneTapped)), .popFrom(id: top),
        ]))
    }
    if state.name.isEmpty || kind == 1 {
      return .binding(.set(\.name, random.one(of: ["St", "Stefan", "Bo", ""])))
    }
    return .discoverWishesTapped
  }

  static let shop = RandomApp<Shop.State, Shop.Action>(
    name: "shop", reducer: Shop(), state: Shop.State(),
    action: { state, random in
      let number = Int.random(in: 0..<5, using: &random)
      return switch Int.random(in: -8..<22, using: &random) {
      case ...2: .add(number)
      case 3: .crash(number)
      case 4: .clear
      case 5: .roll
      case 6: .dice
      case 7, 8: .rate
      case 9, 10: .announce
      case 11: .noted("note \(number)")
      case 12, 13: .fetch(number)
      case 14: .cancelFetch
      case 15: .fan
      case 16: .poll
      case 17: .stopPolling
      case 18: .noisy
      case 19: .settle("settled \(number)")
      case 20: .type("text \(number)")
      default: .chain
      }
    },
    otherAnswer: { action, random in
      switch action {
      case .fetched, .failed: random.one(of: [.fetched("other"), .failed("it is closed")])
      case .found: .found("other")
      case .polled: .polled(77)
      case .fanned: .fanned(77)
      default: nil
      }
    },
    setting: { _, random in
      random.one(of: [
        (["total"], .number(Number(Int.random(in: 0...9, using: &random)))),
        (["query"], "set"), (["log"], []),
      ])
    },
    services: { dependencies, world in
      dependencies.shop.answer = { "answer \(try await world.call("answer", "\($0)") % 100)" }
      dependencies.shop.rate = { Int(world.read("rate") % 1_000_000) }
    },
    tapes: { RecordedShop.tapes(&$0, $1) },
    reply: { question, world in
      world.reply(to: question) { .string("answer \($0 % 100)") }
    })

  static let navigation = RandomApp<Navigation.State, Navigation.Action>(
    name: "navigation", reducer: Navigation(), state: Navigation.State(),
    action: { state, random in
      let number = Int.random(in: 0..<4, using: &random)
      if let id = state.path.ids.randomElement(using: &random), number > 1 {
        return .path(
          random.one(of: [
            .element(id: id, action: .load), .element(id: id, action: .load),
            .element(id: id, action: .rename("page \(number)")), .popFrom(id: id),
          ]))
      }
      if let note = state.note, number > 0 {
        return .note(random.one(of: [.presented(.wait), .presented(.wait), .dismiss]))
      }
      return random.one(of: [
        .open("page"), .count, .count, .count, .replace(["a", "b"]), .present(number),
      ])
    },
    otherAnswer: { action, _ in
      guard case .path(.element(let id, action: .loaded)) = action else { return nil }
      return .path(.element(id: id, action: .loaded("other")))
    },
    setting: { _, random in random.one(of: [(["count"], 5), (["note"], .null)]) },
    services: { _, _ in }, tapes: { _, _ in })
}

extension SeededRandomNumberGenerator {
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }
}
