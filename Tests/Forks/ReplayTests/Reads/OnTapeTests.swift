import Recorder
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// An app with a child whose dependencies are replaced where it is composed.
private struct Overridden: Reducer {
  struct State: Codable, Hashable, Sendable {
    var numbers: [UInt64] = []
    var rates: [Int] = []
  }

  enum Action: Codable, Hashable, Sendable {
    case roll
    case rate
  }

  /// The numbers that the child draws and asks for, where they differ from the app's.
  var number: UInt64
  var rate: Int

  struct Child: Reducer {
    @Dependency(\.withRandomNumberGenerator) var random
    @Dependency(\.shop) var shop

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .roll: state.numbers.append(random { $0.next() })
      case .rate: state.rates.append(shop.rate())
      }
      return .none
    }
  }

  private struct Fixed: RandomNumberGenerator, Sendable {
    var number: UInt64
    mutating func next() -> UInt64 { number }
  }

  var body: some ReducerOf<Self> {
    Child()
      .dependency(\.withRandomNumberGenerator, WithRandomNumberGenerator(Fixed(number: number)))
      .transformDependency(\.shop) { [rate] in $0.rate = { rate } }
  }
}

@Suite struct OnTapeTests {
  private static func tapes(_ dependencies: inout DependencyValues, _ tape: Tape) {
    dependencies.putOnTape(\.shop) {
      $0.answer = tape.closure("answer", $0.answer)
      $0.rate = tape.closure("rate", $0.rate)
    }
  }

  @Test("counterexample 7: what a reducer is given in place of a dependency is on tape, too")
  func overrides() async throws {
    let (session, states, file) = try await record(
      Overridden(number: 7, rate: 40), from: Overridden.State(),
      [.send(.roll), .send(.rate), .send(.roll)]
    ) { Self.tapes(&$0, $1) }
    #expect(states.last == Overridden.State(numbers: [7, 7], rates: [40]))
    #expect(
      try session.steps.dropFirst().map { try session.step($0).reads } == [
        [Read(key: "random", value: 7)], [Read(key: "rate", value: 40)],
        [Read(key: "random", value: 7)],
      ])
    // Another day the same place is given something else, and the recorded answers hold.
    let setup = ReplaySetup(Overridden(number: 8, rate: 50)) { Self.tapes(&$0, Tape()) }
    let report = try SessionReplay(session, setup).verify(.all)
    #expect(report == VerifyReport(steps: 3))
    withExtendedLifetime(file) {}
  }

  @Test("a key that is on tape in one place only is said by its name")
  func otherKeys() async throws {
    let shop = try await RecordedShop([.send(.rate)])
    let setup = ReplaySetup(Shop()) { $0.shop.rate = Tape().closure("price", $0.shop.rate) }
    let sentences = [
      "“answer” is on tape in the recording, and the setup does not put it on tape here",
      "“rate” is on tape in the recording, and the setup does not put it on tape here",
      "“price” is on tape here and not in the recording, so it has no recorded answers",
    ]
    #expect(
      setup.differences(
        fromTape: shop.session.tape, registered: shop.session.header.tape) == sentences)
    #expect(
      RecordedShop.setup.differences(
        fromTape: shop.session.tape, registered: shop.session.header.tape) == [])
    let report = try SessionReplay(shop.session, setup).verify()
    #expect(
      report.remarks == sentences + [
        "“price” was really called, first at step 1: nothing was recorded for it there"
      ])
    #expect(
      report.text(title: "x").hasSuffix(
        "\n\n\(report.remarks.map { "\($0)." }.joined(separator: "\n"))"))
  }

  @Test("a dependency that is asked for real is said once, in a branch, too")
  func live() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.rate)])
    let rate: Edit = .insert(after: 1, action: try .encoding(Shop.Action.rate))
    let run = try shop.run(leavesAt: 1, rate, rate)
    #expect(
      run.report.remarks == [
        "“rate” was really called, first at step 2: nothing was recorded for it there"
      ])
    #expect(
      run.report.assumptions.first?.sentence
        == "no “rate” was recorded here: it was really asked")
    #expect(try shop.run(leavesAt: 0, .skip(step: 1)).report.remarks == [])
  }

  @Test("where nothing may run for real, the step that would ends its process and says why")
  func forbidden() async throws {
    let ended = await #expect(
      processExitsWith: .exitCode(70), observing: [\.standardErrorContent]
    ) {
      var setup = RecordedShop.setup
      setup.allowsLiveCalls = false
      let shop = try await RecordedShop([.send(.add(1))], setup: setup)
      _ = try shop.run(leavesAt: 1, .insert(after: 1, action: try .encoding(Shop.Action.rate)))
    }
    let words = String(decoding: ended?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      words.contains(
        "rate would run for real: nothing was recorded for it, and that is forbidden"))
  }
}
