import Platform
import StoreCore
import StoreTesting
import Testing
import XCTest

/// Calls in the spelling that people bring along.
@Suite(.checkedAtEnd) struct SpellingTests {
  struct Dice: Reducer {
    struct State: Equatable, Sendable { var rolled: [Int] = [] }
    enum Action: Equatable, Sendable { case rollTapped, rolled(Int) }
    @Dependency(\.withRandomNumberGenerator) var rng

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .rollTapped:
        let number = rng { Int.random(in: 1...6, using: &$0) }
        return .run { send in await send(.rolled(number)) }
      case .rolled(let number):
        state.rolled.append(number)
        return .none
      }
    }
  }

  @Test func randomNumbers() async {
    let first = WithRandomNumberGenerator(SeededRandomNumberGenerator(seed: 7))
    let expected = first { Int.random(in: 1...6, using: &$0) }
    let store = TestStore(initialState: Dice.State()) {
      Dice()
    } withDependencies: {
      $0.withRandomNumberGenerator = .init(SeededRandomNumberGenerator(seed: 7))
    }
    await store.send(.rollTapped)
    await store.receive(.rolled(expected)) { $0.rolled = [expected] }
  }

  @Test func script() async {
    let rng = WithRandomNumberGenerator(SeededRandomNumberGenerator(seed: 0))
    let number = rng { Int.random(in: 1...6, using: &$0) }
    await assert(
      initialValue: Dice.State(),
      reducer: Dice(),
      steps: Step(.send, .rollTapped),
      Step(.receive, .rolled(number)) { $0.rolled = [number] }
    )
  }

  struct Client: Sendable {
    var none: @Sendable () -> Void
    var one: @Sendable (Int) -> Int
    var two: @Sendable (Int, String) throws -> String
    var three: @Sendable (Int, String, Bool) async throws -> [String]
  }

  @Test func countedCalls() async throws {
    let client = Client(
      none: Run.once {}, one: Run.atLeastOnce { $0 + 1 }, two: Run.once { "\($0)\($1)" },
      three: Run.atLeastOnce { number, text, flag in [text] })
    client.none()
    #expect(client.one(1) == 2)
    #expect(client.one(2) == 3)
    #expect(try client.two(1, "a") == "1a")
    #expect(try await client.three(1, "a", true) == ["a"])
  }

  @Test func equalityByReflection() {
    final class Oven { var degrees: Int; init(_ degrees: Int) { self.degrees = degrees } }
    expectReflectivelyEqual([Oven(220)], [Oven(220)])
    let failures = collectFailures { expectReflectivelyEqual(Oven(220), Oven(180)) }
    #expect(
      failures.map(\.message) == ["1 difference (− expected, + actual):\n\ndegrees\n− 220\n+ 180"])
  }

  @Test func dependencies() async {
    await withDependencies {
      $0.uuid = .incrementing
      $0.date.now = .init(timeIntervalSince1970: 0)
      $0.continuousClock = ImmediateClock()
    } operation: {
      @Dependency(\.uuid) var uuid
      @Dependency(\.date.now) var now
      @Dependency(\.continuousClock) var clock
      #expect(uuid() != uuid())
      #expect(now.timeIntervalSince1970 == 0)
      try? await clock.sleep(for: .seconds(1_000))
    }
  }

  struct Weather: Sendable { var degrees: @Sendable () -> Int }

  @Test func testDependencyKeys() {
    let values = LockIsolated<[Int]>([])
    func read(_ context: DependencyContext) {
      withDependencies {
        $0.context = context
      } operation: {
        @Dependency(Weather.self) var weather
        let degrees = weather.degrees()
        values.withValue { $0.append(degrees) }
      }
    }
    for context in [DependencyContext.test, .preview, .live, .replay] { read(context) }
    #expect(values.value == [1, 20, 20, 20])
    #expect(values.count == 4)
    values.setValue([])
    #expect(values.isEmpty)

    let failures = collectFailures {
      withDependencies {
        $0.context = .live
      } operation: {
        @Dependency(OnlyInTests.self) var number
        #expect(number == 7)
      }
    }
    #expect(failures.first?.message.contains("has no live value here") == true)
  }

  @Test func uncheckedSendable() async {
    final class Box { var number = 1 }
    let box = UncheckedSendable(Box())
    await Task { box.value.number += 1 }.value
    #expect(box.wrappedValue.number == 2)
  }
}

extension SpellingTests.Weather: TestDependencyKey {
  static let testValue = Self { 1 }
}

extension SpellingTests.Weather: DependencyKey {
  static let liveValue = Self { 20 }
}

private enum OnlyInTests: TestDependencyKey { static let testValue = 7 }
