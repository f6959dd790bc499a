import StoreCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A drawn app: a number in the state decides what an action does to the state, what it reads, and
/// what its effects do. Its children and theirs work in the same way. By the last bits of that
/// number some apps draw dates, ids and random numbers, and some name cancel ids in effects.
struct Chance: Reducer {
  struct State: Codable, Equatable, Sendable, Identifiable {
    var id = 0
    var program: UInt64 = 0
    /// Below it.
    var levels = 2
    /// Debounces and throttles last as long as the state and the action say.
    var hasOwnPauses = false
    var numbers = [0, 0, 0]
    var log: [String] = []
    @PresentationState var inner: State?
    var children: IdentifiedArrayOf<State> = []
  }

  indirect enum Action: Codable, Equatable, CasePathable, Sendable {
    /// A piece of the program, with its number. The user sends the first four, these
    /// send the next four, and those send the actions that change the state alone.
    case act(piece: Int, Int)
    case inner(PresentationAction<Action>)
    case children(IdentifiedAction<Int, Action>)

    struct AllCasePaths: Sendable {
      let inner = CasePath(Action.inner)
      let children = CasePath(Action.children)
    }
    static let allCasePaths = AllCasePaths()
  }

  @Dependency(\.desk) var desk
  @Dependency(\.continuousClock) var clock
  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid
  @Dependency(\.dismiss) var dismiss
  @Dependency(\.withRandomNumberGenerator) var random

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .act(let piece, let number): run(piece, number, &state)
      // The parent observes the child: the state may change, and the child may go.
      case .inner: run(8, 0, &state)
      case .children(.element(let id, _)): run(9, id, &state)
      }
    }
    .forEach(\.children, action: \.children) { Chance() }
    .ifLet(\.$inner, action: \.inner) { Chance() }
  }

  private func run(_ piece: Int, _ number: Int, _ state: inout State) -> Effect<Action> {
    var draw = Draw(seed: state.program &+ UInt64(piece) &* 0x9E37_79B9)
    for _ in 0...draw.below(2) { change(&state, number, &draw) }
    guard piece < 8, draw.below(3) > 0 else { return .none }
    return effect(state, number, next: piece / 4 * 4 + 4, depth: 3, &draw)
  }

  private func change(_ state: inout State, _ number: Int, _ draw: inout Draw) {
    let (one, other, some) = (draw.below(3), draw.below(3), draw.below(4))
    let child = State(
      id: some, program: draw.next(like: state.program), levels: state.levels - 1,
      hasOwnPauses: state.hasOwnPauses)
    let isDrawing = state.program & 1 == 0
    switch draw.below(20) {
    case 0...4:
      state.numbers[one] = (state.numbers[one] + state.numbers[other] + number + some) % 9
    case 5, 6: state.log.append("\(number) \(state.numbers[one])")
    case 7: if state.numbers[one] > some { state.numbers[other] = some }
    case 8 where isDrawing: state.log.append("\(date.now.timeIntervalSince1970)")
    case 9 where isDrawing: state.numbers[one] = random { Int.random(in: 0..<9, using: &$0) }
    case 10, 11: state.numbers[one] = Int(desk.price(state.numbers[other])) % 9
    case 12 where isDrawing: state.log.append("\(uuid())")
    case 13, 14: if child.levels >= 0 { state.inner = child }
    case 15: state.inner = nil
    case 16, 17: if child.levels >= 0 { state.children[id: some] = child }
    case 18: state.children.remove(id: some)
    default: break
    }
    state.log = state.log.suffix(5)
  }

  /// `next` is the first of the pieces that it may send.
  private func effect(
    _ state: State, _ number: Int, next: Int, depth: Int, _ draw: inout Draw
  ) -> Effect<Action> {
    let (id, length) = (draw.below(3), draw.below(9))
    let more = state.hasOwnPauses ? state.numbers[id].magnitude + number.magnitude : 0
    let time = Duration.milliseconds((length + Int(more)) * 100 + 50)
    func part(_ draw: inout Draw) -> Effect<Action> {
      effect(state, number, next: next, depth: depth - 1, &draw)
    }
    func parts(_ draw: inout Draw) -> [Effect<Action>] {
      (0..<2 + draw.below(2)).map { _ in part(&draw) }
    }
    switch draw.below(depth > 0 ? 22 : 9) {
    case 0, 1: return .none
    case 2: return .send(.act(piece: next + id, state.numbers[draw.below(3)]))
    case 3:
      let action = Action.act(piece: next + id, number)
      return .send(
        draw.isTrue ? .inner(.presented(action)) : .children(.element(id: id, action: action)))
    case 4...8: return work(state, number, next: next, &draw)
    case 9: return .cancel(id: id)
    case 10, 11: return .merge(parts(&draw))
    case 12, 13: return .concatenate(parts(&draw))
    case 14...17: return part(&draw).cancellable(id: id, cancelInFlight: draw.isTrue)
    case 18, 19: return part(&draw).debounce(id: id, for: time)
    default: return part(&draw).throttle(id: id, for: time, latest: draw.isTrue)
    }
  }

  private func work(
    _ state: State, _ number: Int, next: Int, _ draw: inout Draw
  ) -> Effect<Action> {
    let name = draw.isTrue ? "load" : "save"
    let (place, seed, isCaught) = (draw.below(3), draw.next(like: state.program), draw.isTrue)
    let asks = Work.Dependencies(desk: desk, clock: clock, date: date, dismiss: dismiss)
    let body: @Sendable (Send<Action>) async throws -> Void
    switch draw.below(4) {
    // Its question depends on nothing, on the action, on the state, or it takes along more than it
    // asks.
    case 0: body = { [asks] in try await Work.run(seed, place, next, asks, $0) }
    case 1: body = { [asks, number] in try await Work.run(seed, number, next, asks, $0) }
    case 2:
      body = { [asks, number = state.numbers[place]] in
        try await Work.run(seed, number, next, asks, $0)
      }
    default:
      body = { [asks, state] in try await Work.run(seed, state.numbers[place], next, asks, $0) }
    }
    guard isCaught else { return .run(name: name, body) }
    return .run(name: name, body) { error, send in
      await send(.act(piece: next + place, "\(error)".utf8.count % 9))
    }
  }
}

extension Chance {
  /// Numbers that are the same whenever they are drawn from the same one.
  struct Draw: RandomNumberGenerator, Sendable {
    private var generator: SeededRandomNumberGenerator

    init(seed: UInt64) { generator = SeededRandomNumberGenerator(seed: seed) }

    var isTrue: Bool { mutating get { below(2) == 0 } }

    mutating func next() -> UInt64 { generator.next() }
    /// For an app with the same traits.
    mutating func next(like seed: UInt64) -> UInt64 { next() & ~7 | seed & 7 }
    mutating func below(_ end: Int) -> Int { Int(next() % UInt64(end)) }
  }

  /// The work of an effect: a few of all the kinds of work, one after the other. Each gets the
  /// number that came out of the work before.
  struct Work: Sendable {
    struct Dependencies: Sendable {
      var desk: DeskClient
      var clock: any Clock<Duration>
      var date: DateGenerator
      var dismiss: DismissEffect
    }

    private var draw: Draw
    private let namesIDs: Bool
    private var number: Int
    private let next: Int
    private let asks: Dependencies
    private let send: Send<Action>

    static func run(
      _ seed: UInt64, _ number: Int, _ next: Int, _ asks: Dependencies, _ send: Send<Action>
    ) async throws {
      var body = Work(
        draw: Draw(seed: seed), namesIDs: seed & 6 == 6, number: number, next: next, asks: asks,
        send: send)
      try await body.run(depth: 2)
    }

    private mutating func run(depth: Int) async throws {
      for _ in 0...draw.below(4) { try await act(depth) }
    }

    private mutating func act(_ depth: Int) async throws {
      let (id, desk) = (draw.below(3), asks.desk)
      let time = Duration.milliseconds(draw.below(15) * 100 + 10)
      switch draw.below(depth > 0 ? 24 : 14) {
      case 0, 1: try await asks.clock.sleep(for: time)
      case 2...4: number = Int(try await desk.quote(number)) % 9
      case 5: number = try await desk.confirm("\(number)") ? 1 : number
      case 6:
        async let one = desk.quote(number)
        async let other = desk.search("\(number)")
        number = Int(try await one + Double(other.count)) % 9
      case 7: number = (try? await desk.quote(number + id)).map { Int($0) % 9 } ?? id
      case 8...12: await send(.act(piece: next + id, number))
      case 13: if number.isMultiple(of: 3) { throw WorldError(description: "no \(number)") }
      case 14:
        for tick in 0..<3 {
          try await asks.clock.sleep(for: time)
          await send(.act(piece: next + id, number + tick))
        }
      case 15 where namesIDs:
        let part = self
        number = try await withTaskCancellation(id: id, cancelInFlight: draw.isTrue) {
          var part = part
          try await part.run(depth: depth - 1)
          return part.number
        }
      case 16 where namesIDs: Task.cancel(id: id)
      case 17: number = Int(asks.date.now.timeIntervalSince1970 * 1_000) % 9
      case 18: await asks.dismiss()
      default: try await asks.clock.sleep(for: time)
      }
    }
  }
}
