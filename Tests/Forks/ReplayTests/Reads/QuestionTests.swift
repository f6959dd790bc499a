import Recorder
import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// Asks a price of what its counter says.
struct Pricing: Reducer {
  struct State: Codable, Hashable, Sendable {
    var counter = 0
    var total = 0.0
    var answers: [Double] = []
  }

  enum Action: Codable, Hashable, Sendable {
    case add(Int)
    case priceTapped
    /// Asks for several at once.
    case pricesTapped([Int])
    /// Asks for this number.
    case ask(Int)
  }

  /// Another reducer than the recorded one: it asks for one more.
  var asksForNext = false
  var price: @Sendable (Int) -> Double

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number): state.counter += number
    case .priceTapped: state.total = price(state.counter + (asksForNext ? 1 : 0))
    case .pricesTapped(let numbers): state.answers = numbers.map(price)
    case .ask(let number): state.answers.append(price(number))
    }
    return .none
  }
}

@Suite struct QuestionTests {
  typealias Act = Pricing.Action

  @Sendable static func live(_ number: Int) -> Double { 6.875 - Double(number) * 0.5 }

  private func session(
    _ actions: [Act], isOld: Bool = false
  ) throws -> (session: SessionReader, file: TemporaryFile) {
    let file = TemporaryFile()
    var options = RecordingOptions()
    options.clock = { .zero }
    let recorder = StoreRecorder<Pricing.State, Act>(to: file.path, options: options)
    let tape = recorder.tape
    // An older version did it like this: it records no arguments.
    let old: @Sendable (Int) -> Double = { (number: Int) -> Double in
      tape.value("price") { () -> Double in Self.live(number) }
    }
    let price = isOld ? old : tape.closure("price", Self.live)
    let store = Store(initialState: Pricing.State(), hooks: recorder) { Pricing(price: price) }
    for action in actions { store.send(action) }
    recorder.finish()
    return (try SessionReader(path: file.path), file)
  }

  private func setup(asksForNext: Bool = false) -> ReplaySetup<Pricing.State, Act> {
    ReplaySetup(
      Pricing(asksForNext: asksForNext, price: Tape().closure("price") { (_: Int) -> Double in -1 })
    )
  }

  private func run(
    _ session: SessionReader, leavesAt: Int = 0, _ edits: Edit...
  ) throws -> [BranchStep] {
    var steps: [BranchStep] = []
    _ = try SessionReplay(session, setup()).run([Script(leavesAt: leavesAt, edits: edits)]) {
      steps.append($0)
    }
    return steps
  }

  @Test("counterexample 2: a question with other arguments is not known, and says which it is")
  func otherArguments() throws {
    let recorded = try session([.add(3), .priceTapped, .add(1)])
    #expect(
      try recorded.session.step(2).reads == [Read(key: "price", arguments: [3], value: 5.375)])
    let steps = try run(recorded.session, .skip(step: 1))
    #expect(
      steps.map(\.line) == ["1 priceTapped ←2 assumed/different", "2 add ←3 assumed/different"])
    #expect(
      steps[0].standing.assumptions.map(\.sentence) == [
        "price(0) is asked, but price(3) was recorded: that answer is used"
      ])
    #expect(steps[0].step.reads == [Read(key: "price", arguments: [0], value: 5.375)])
  }

  @Test("the same question is known in another state, in another order, and in an edited action")
  func sameArguments() throws {
    let recorded = try session([.add(3), .pricesTapped([1, 2, 1]), .ask(4)])
    #expect(
      try run(recorded.session, .skip(step: 1)).map(\.line) == [
        "1 pricesTapped ←2 recorded/different", "2 ask ←3 recorded/different",
      ])
    let turned: Value = try .encoding(Act.pricesTapped([2, 1]))
    let steps = try run(recorded.session, .replace(step: 2, action: turned))
    #expect(steps[1].line == "2 pricesTapped ←2 edited/different")
    #expect(steps[1].step.reads.map(\.outcome) == [.value(5.875), .value(6.375)])
    #expect(steps[1].remarks == ["the recorded “price” was not read"])
    #expect(steps[2].line == "3 ask ←3 recorded/different")
  }

  @Test("a question that nobody asked is not known, whatever the edited action was")
  func newQuestion() throws {
    let recorded = try session([.ask(4), .add(1)])
    let other: Value = try .encoding(Act.ask(5))
    let steps = try run(recorded.session, .replace(step: 1, action: other))
    #expect(steps.map(\.line) == ["1 ask ←1 assumed/equal", "2 add ←2 assumed/equal"])
  }

  @Test("verify names a question with other arguments at its step, both in their columns")
  func verify() throws {
    let recorded = try session([.add(3), .priceTapped, .add(1), .priceTapped])
    let report = try SessionReplay(recorded.session, setup(asksForNext: true)).verify(.all)
    #expect(report.divergences.map(\.step) == [2, 4])
    #expect(report.divergences.allSatisfy { $0.kind == .read })
    #expect(
      try SessionReplay(recorded.session, setup(asksForNext: true)).verify().text(title: "x") == """
        x: 2 steps were run again, and the re-run differs from step 2 on.

        step 2  priceTapped, sent by the user: different read
          recorded  re-run
          price(3)  price(4)
          (the reducer asks with other arguments)
        """)
  }

  @Test("a session without arguments verifies, and where its branch differs they are in doubt")
  func old() throws {
    let recorded = try session([.add(3), .priceTapped, .add(1)], isOld: true)
    #expect(try recorded.session.step(2).reads == [Read(key: "price", value: 5.375)])
    #expect(try SessionReplay(recorded.session, setup()).verify(.all).isEqual)
    // Up to here all is the same, so the question is.
    let action: Value = try .encoding(Act.add(7))
    #expect(
      try run(recorded.session, .insert(after: 2, action: action)).map(\.line) == [
        "1 add ←1 recorded/equal", "2 priceTapped ←2 recorded/equal", "3 add new edited/new",
        "4 add ←3 recorded/different",
      ])
    let steps = try run(recorded.session, .skip(step: 1))
    #expect(steps[0].line == "1 priceTapped ←2 assumed/different")
    #expect(
      steps[0].standing.assumptions.map(\.sentence) == [
        "“price” may be asked differently: the recorded answer is used"
      ])
  }
}
