import Recorder
import StoreCore
import StoreRecording

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An app of many shapes: children with effects of their own, debounce, throttle, chained requests,
/// dates, a set, doubles, merged and cancelled effects, several sends. One fault can be planted in it.
struct Bazaar: Reducer {
  struct Stall: Codable, Hashable, Sendable, Identifiable {
    var id: Int
    var visits = 0
    var greeting = ""
  }

  struct State: Codable, Hashable, Sendable {
    var counter = 0
    var total = 0.0
    var seen = 0.0
    var note: String?
    var tags: Set<String> = ["amber", "coral", "jade", "onyx", "opal", "pearl", "ruby"]
    var walked: [String] = []
    var log: [String] = []
    var found: [String] = []
    var stalls = IdentifiedArray<Stall>(uniqueElements: [Stall(id: 1), Stall(id: 2)])
  }

  enum StallAction: Codable, Hashable, Sendable {
    case visit
    case greeted(String)
  }

  enum Action: Codable, Hashable, Sendable, CasePathable {
    case add(Int)
    case zero
    case price
    case offer(Int, String)
    case draw
    case stamp
    case tag(String)
    case walk
    case announce
    case noted(String)
    case type(String)
    case found([String])
    case scroll
    case scrolled
    case load(Int)
    case loaded(Int)
    case detail(String)
    case cancelLoad
    case pair
    case paired(String)
    case stall(IdentifiedAction<Int, StallAction>)

    struct AllCasePaths: Sendable { let stall = CasePath(Action.stall) }
    static let allCasePaths = AllCasePaths()
  }

  enum ID: Hashable, Sendable { case search, scroll, load, otherLoad }

  var fault: Fault?

  @Dependency(\.continuousClock) var clock
  @Dependency(\.withRandomNumberGenerator) var random
  @Dependency(\.date.now) var now
  @Dependency(\.uuid) var uuid
  @Dependency(\.bazaar) var bazaar

  func has(_ fault: Fault) -> Bool { self.fault == fault }

  var body: some ReducerOf<Self> {
    Reduce { state, action in reduce(&state, action) }
      .forEach(\.stalls, action: \.stall) { StallReducer(fault: fault) }
  }

  private func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .add(let number):
      state.counter += has(.addsOneMore) ? number + 1 : number
      if has(.countsGlobally) { state.log.append("\(Fault.globalCount())") }
      if has(.startsOneMore) {
        return .run(name: "extra") { [clock] _ in try await clock.sleep(for: .seconds(1)) }
      }
      if has(.cancelsMore) { return .cancel(id: ID.load) }
      return .none
    case .zero:
      state.total = has(.negativeZero) ? -0.0 : 0
      state.note = has(.emptyForNil) ? "" : nil
      if !has(.forgetsToEmpty) { state.log = [] }
    case .price, .offer, .draw, .stamp:
      read(&state, action)
    case .tag(let tag):
      state.tags.insert(has(.composes) ? tag + "\u{301}" : tag)
      state.note = has(.loses) ? nil : tag
    case .walk:
      state.walked = has(.walksTheSet) ? Array(state.tags) : state.tags.sorted()
      if has(.sortsBackwards) { state.walked.reverse() }
    case .noted(let text):
      if has(.prepends) { state.log.insert(text, at: 0) } else { state.log.append(text) }
    case .found(let found):
      state.found = has(.keepsOld) ? state.found + found : found
    case .scrolled: state.counter += has(.scrollsTwice) ? 2 : 1
    case .detail(let text), .paired(let text):
      state.note = has(.shouts) ? text.uppercased() : text
    default:
      return effects(&state, action)
    }
    return .none
  }

  private func read(_ state: inout State, _ action: Action) {
    switch action {
    case .price:
      if has(.asksNothing) { return state.total = 1 }
      var asked = state.counter
      if has(.asksOtherwise) { asked += 1 }
      if has(.asksOtherwiseWhenLarge), asked > 6 { asked = 6 }
      if has(.asksTwice) { _ = bazaar.price(asked) }
      state.total = bazaar.price(asked) * (has(.scales) ? 1.000_000_000_000_001 : 1)
      if has(.asksTheTime) { _ = now }
    case .offer(let count, let name):
      state.total = bazaar.offer(
        has(.offersOneMore) ? count + 1 : count, has(.offersInCapitals) ? name.uppercased() : name)
    case .draw:
      if has(.drawsAnother) { return state.note = uuid().uuidString }
      state.counter += Int(random { $0.next() % 6 }) + 1
      if has(.rollsOutside) { state.counter += Int.random(in: 1...1_000_000) }
    case .stamp:
      state.seen = now.timeIntervalSince1970
      if has(.rounds) { state.seen = state.seen.rounded() + 1 }
    default: break
    }
  }
}

/// A stall of its own, with an effect.
struct StallReducer: Reducer {
  var fault: Fault?

  @Dependency(\.continuousClock) var clock
  @Dependency(\.bazaar) var bazaar

  func reduce(
    into state: inout Bazaar.Stall, action: Bazaar.StallAction
  ) -> Effect<Bazaar.StallAction> {
    switch action {
    case .visit:
      state.visits += fault == .visitsTwice ? 2 : 1
      if fault == .stallIsSilent { return .none }
      let name = fault == .stallIsRenamed ? "welcome" : "greet"
      return .run(name: name) { [clock, bazaar, id = state.id] send in
        try await clock.sleep(for: .milliseconds(150))
        await send(.greeted(await bazaar.greeting(id)))
      }
    case .greeted(let text):
      state.greeting = text
      return .none
    }
  }
}

struct BazaarClient: Sendable {
  var price: @Sendable (Int) -> Double
  var offer: @Sendable (Int, String) -> Double
  var search: @Sendable (String) async throws -> [String]
  var load: @Sendable (Int) async throws -> Int
  var detail: @Sendable (Int) async -> String
  var greeting: @Sendable (Int) async -> String
}

extension BazaarClient: DependencyKey {
  static let liveValue = BazaarClient(
    price: { 6.875 - Double($0) * 0.25 },
    offer: { Double($0 * $1.count) / 3 },
    search: { [$0 + " green", $0 + " black"] },
    load: { $0 * 7 },
    detail: { "the detail of \($0)" },
    greeting: { "welcome to stall \($0)" })
  static let testValue: BazaarClient = liveValue

  func onTape(_ tape: Tape) -> BazaarClient {
    BazaarClient(
      price: tape.closure("price", price), offer: tape.closure("offer", offer),
      search: tape.closure("search", search), load: tape.closure("load", load),
      detail: tape.closure("detail", detail), greeting: tape.closure("greeting", greeting))
  }
}

extension DependencyValues {
  var bazaar: BazaarClient {
    get { self[BazaarClient.self] }
    set { self[BazaarClient.self] = newValue }
  }
}
