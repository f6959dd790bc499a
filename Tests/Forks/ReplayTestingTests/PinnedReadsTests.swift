import ReplayTesting
import StoreCore
import StoreTesting
import Testing

private struct Dice: Reducer {
  struct State: Codable, Equatable, Sendable {
    var face = 0
  }

  enum Action: Equatable {
    case rolled
    case forgotten
  }

  @Dependency(\.withRandomNumberGenerator) var generator

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if action == .rolled { state.face = Int(truncatingIfNeeded: generator { $0.next() }) }
    return .none
  }
}

@Suite("Pinned reads")
struct PinnedReadsTests {
  @Test("a reducer reads what is pinned")
  func pinned() async {
    let reads = PinnedReads()
    let store = TestStore(initialState: Dice.State()) {
      Dice()
    } withDependencies: {
      $0.replay(reads)
    }
    reads.pin("random", 4)
    await store.send(.rolled) { $0.face = 4 }
    await store.finish()
  }

  @Test("a test of a rule may leave what is pinned: a mended reducer reads other things")
  func left() {
    let failures = collectFailures {
      let reads = PinnedReads(strict: false)
      reads.pin("random", 4)
      reads.pin("random", 5)
    }
    #expect(failures.isEmpty)
  }

  @Test("what is pinned and not read fails, and so does what is read and not pinned")
  func unread() async {
    let failures = await collectFailures {
      let reads = PinnedReads()
      let store = TestStore(initialState: Dice.State()) {
        Dice()
      } withDependencies: {
        $0.replay(reads)
      }
      store.exhaustivity = .off
      await store.send(.rolled)
      reads.pin("random", 4)
      await store.send(.forgotten)
      await store.finish()
    }
    #expect(
      failures.map(\.message) == [
        "The reducer reads “random”, and no value is pinned for it.",
        "Pinned, but not read: “random”. Is it on tape here?",
      ])
  }

  @Test("what is pinned is the answer to one question, and another question fails")
  func questions() throws {
    let failures = try collectFailures {
      let reads = PinnedReads()
      let fare = reads.tape.closure("fare") { @Sendable (zone: Int) -> Int in zone }
      try reads.pin("fare", asked: "[1]", json: "4")
      try reads.pin("fare", asked: "[2]", json: "6")
      try reads.pin("fare", asked: "[3]", json: "9")
      #expect(fare(2) == 6)
      #expect(fare(1) == 4)
      #expect(fare(4) == 9)
    }
    #expect(
      failures.map(\.message) == [
        "The reducer asks fare(4), but the pinned answer is for fare(3)."
      ])
  }

  @Test("a rule that does not hold fails with the values that it is about")
  func rule() throws {
    let failures = try collectFailures {
      try expectHolds("state.face > 0", Dice.State())
      try expectHolds("state.face >= 0", Dice.State())
      try expectHolds("label != 'rolled'", Dice.State(), label: "rolled")
      try expectHolds("label != 'rolled'", Dice.State(), label: "kept")
      try expectHolds("label != 'rolled'", Dice.State())
    }
    #expect(
      failures.map(\.message) == [
        "The rule does not hold: state.face > 0\n\nstate/face is 0",
        "The rule does not hold: label != 'rolled'\n",
        "The rule asks about label, which a test does not know: label != 'rolled'\n",
      ])
  }

  @Test("a value is changed by operations where its parts cannot be set")
  func changes() throws {
    var state = Dice.State(face: 1)
    try change(&state, by: #"[{"op":"replace","path":"/face","value":3}]"#)
    #expect(state == Dice.State(face: 3))
    #expect(try decoded(#"{"face":3}"#) == state)
  }
}
