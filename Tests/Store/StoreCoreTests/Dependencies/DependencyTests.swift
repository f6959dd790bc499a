import StoreCore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Dependencies")
struct DependencyTests {
  struct Greeter: DependencyKey {
    var greeting: @Sendable () -> String

    static let liveValue = Greeter { "live" }
    static let previewValue = Greeter { "preview" }
    static let replayValue = Greeter { "replay" }
  }

  struct Untested: DependencyKey {
    var number: Int
    static let liveValue = Untested(number: 1)
  }

  struct Reads: Reducer {
    @Dependency(\.greeter) var greeter

    func reduce(into state: inout [String], action: String) -> Effect<String> {
      state.append(greeter.greeting())
      guard action == "run" else { return .none }
      return .run { send in await send(greeter.greeting()) }
    }
  }

  @Test(
    "the context picks the value",
    arguments: [
      (DependencyContext.live, "live"), (.preview, "preview"), (.replay, "replay"),
    ])
  func contexts(context: DependencyContext, expected: String) {
    let store = Store(initialState: [String]()) {
      Reads()
    } withDependencies: {
      $0.context = context
    }
    store.send("read")
    #expect(store.state == [expected])
  }

  @Test("a store, a reducer and a scope override, the innermost wins")
  func overriding() {
    func store(_ reducer: some Reducer<[String], String>) -> Store<[String], String> {
      Store(initialState: [String]()) {
        reducer.erased()
      } withDependencies: {
        $0.greeter.greeting = { "store" }
      }
    }
    let plain = store(Reads())
    plain.send("read")
    #expect(plain.state == ["store"])

    let inner = store(Reads().dependency(\.greeter, Greeter { "reducer" }))
    inner.send("read")
    #expect(inner.state == ["reducer"])

    let transformed = store(
      Reads().transformDependency(\.greeter) { greeter in
        let outer = greeter.greeting
        greeter.greeting = { "more than \(outer())" }
      })
    transformed.send("read")
    #expect(transformed.state == ["more than store"])

    let scoped = withDependencies {
      $0.greeter.greeting = { "scope" }
    } operation: {
      Store(initialState: [String]()) { Reads() }
    }
    scoped.send("read")
    #expect(scoped.state == ["scope"])
  }

  @Test("an effect keeps the dependencies that were in force where it was made")
  func captured() async {
    let store = Store(initialState: [String]()) {
      Reads().dependency(\.greeter, Greeter { "reducer" })
    }
    await withDependencies {
      $0.greeter.greeting = { "sender" }
    } operation: {
      await store.send("run").finish()
    }
    #expect(store.state == ["reducer", "reducer"])
  }

  @Test("reading a dependency without a test value names it and the place")
  func missingTestValue() {
    let issues = IssueLog()
    let line: UInt = #line + 2
    struct Uses: Reducer {
      @Dependency(\.untested) var untested
      func reduce(into state: inout Int, action: Int) -> Effect<Int> {
        state = untested.number
        return .none
      }
    }
    let store = Store(initialState: 0) {
      Uses()
    } withDependencies: {
      $0.issueReporter = issues.reporter
    }
    store.send(1)
    #expect(
      issues.messages == [
        "\\.untested has no test value, but a test reads it. "
          + "Override it for this test, or give its key a testValue."
      ])
    #expect(issues.places == ["StoreCoreTests/DependencyTests.swift:\(line)"])
  }

  @Test("overriding a part of a dependency reads it without an issue")
  func partialOverride() {
    let issues = IssueLog()
    let number = withDependencies {
      $0.issueReporter = issues.reporter
      $0.untested.number = 5
    } operation: {
      DependencyValues.current.untested.number
    }
    #expect(number == 5)
    #expect(issues.messages == [])
  }

  @Test("dates, ids and random numbers are the same in every test")
  func deterministic() {
    struct State: Equatable, Sendable {
      var ids: [UUID] = []
      var numbers: [Int] = []
      var date: Date?
    }
    struct Draws: Reducer {
      @Dependency(\.uuid) var uuid
      @Dependency(\.date.now) var now
      @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator

      func reduce(into state: inout State, action: Int) -> Effect<Int> {
        state.ids.append(uuid())
        state.numbers.append(withRandomNumberGenerator { Int.random(in: 1...100, using: &$0) })
        state.date = now
        return .none
      }
    }
    let stores = (0..<2).map { _ in Store(initialState: State()) { Draws() } }
    for store in stores { for _ in 0..<3 { store.send(0) } }
    #expect(stores[0].state == stores[1].state)
    #expect(stores[0].state.ids == [UUID(0), UUID(1), UUID(2)])
    #expect(stores[0].state.numbers == [89, 44, 3])
    #expect(stores[0].state.date == Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test("the initial state is made where the store's dependencies are in force")
  func initialState() {
    struct State: Sendable {
      var id: UUID
      init() {
        @Dependency(\.uuid) var uuid
        id = uuid()
      }
    }
    let store = Store(initialState: State()) {
      EmptyReducer<State, Int>()
    } withDependencies: {
      $0.uuid = .constant(UUID(7))
    }
    #expect(store.state.id == UUID(7))
  }

  @Test("on an immediate clock nobody waits")
  func immediateClock() async {
    let store = traceStore {
      $0.continuousClock = ImmediateClock()
    } effects: { action in
      guard action == "go" else { return .none }
      return .run { send in
        @Dependency(\.continuousClock) var clock
        try await clock.sleep(for: .seconds(3_600))
        await send("later")
      }
    }
    await store.send("go").finish()
    #expect(store.state == ["go", "later"])
  }
}

extension DependencyValues {
  fileprivate var greeter: DependencyTests.Greeter {
    get { self[DependencyTests.Greeter.self] }
    set { self[DependencyTests.Greeter.self] = newValue }
  }

  fileprivate var untested: DependencyTests.Untested {
    get { self[DependencyTests.Untested.self] }
    set { self[DependencyTests.Untested.self] = newValue }
  }

  @Test("random numbers asked for inside such work come from the same generator, in between")
  func nestedRandomNumbers() {
    let random = WithRandomNumberGenerator(SeededRandomNumberGenerator(seed: 7))
    let numbers = random { outer -> [UInt64] in
      let first = outer.next()
      let second = random { $0.next() }
      return [first, second, outer.next()]
    }
    var plain = SeededRandomNumberGenerator(seed: 7)
    #expect(numbers == [plain.next(), plain.next(), plain.next()])
  }

  @Test("work can put another generator in the place of the one it is given")
  func replacedGenerator() {
    let random = WithRandomNumberGenerator(SeededRandomNumberGenerator(seed: 7))
    random { $0 = SeededRandomNumberGenerator(seed: 9) }
    var plain = SeededRandomNumberGenerator(seed: 9)
    #expect(random { $0.next() } == plain.next())
  }
}
