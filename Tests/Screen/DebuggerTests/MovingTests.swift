import StoreCore
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("The keys that move in time")
struct MovingTests {
  @Test(
    "a place that is not there is said",
    arguments: [
      (":99⏎", "“main” has the steps 0 to 33."), ("99G", "“main” has the steps 0 to 33."),
      (":200%⏎", "100% is the last step."),
      (":goto nowhere/2⏎", "There is no branch “nowhere”: B lists them."),
    ])
  func notThere(_ keys: String, _ words: String) {
    var debugger = TestDebugger(at: 5)
    debugger.type(keys)
    #expect(debugger.message == words)
    #expect(debugger.step == (keys.contains("nowhere") ? 5 : 33))
  }

  @Test("q drops a range, as Esc does; what a list said goes with it; marks say where they wrap")
  func leaving() {
    var debugger = TestDebugger(at: 5)
    debugger.type("Vq")
    #expect(debugger.state.range == nil && !debugger.work.contains(.output(.quit)))
    debugger.type("?Q")
    #expect(debugger.message == "Q does nothing here: q goes back.")
    debugger.type("q")
    #expect(debugger.message == nil)
    debugger.type("m⏎u")
    #expect(debugger.message == "The search wrapped around.")
  }

  @Test("c calls no action the user's if the file does not say what sent it")
  func unknownCause() async throws {
    var debugger = TestDebugger(at: 5)
    var moment = try await Wishes.session.moment(at: debugger.state.here)
    (moment.step.cause, moment.outside) = (.user, .unknown)
    debugger.send(.momentRead(moment))
    debugger.type("c")
    #expect(debugger.message == "The file does not say what sent it.")
  }

  @Test(
    "go to the step that less and vim would go to",
    arguments: [
      ("j", 6), ("k", 4), ("3j", 8), ("2k", 3), ("g", 0), ("G", 33), ("12G", 12), ("0G", 0),
      ("12g", 12),
      (":+3⏎", 8), (":-3⏎", 2), (":+99⏎", 33), (":-99⏎", 0), (":+9223372036854775807⏎", 33),
      ("99G", 33), ("50%", 16), ("100%", 33), ("99j", 33), ("99k", 0), ("10j", 15),
    ])
  func moves(keys: String, step: Int) {
    var debugger = TestDebugger(at: 5)
    debugger.type(keys)
    #expect(debugger.step == step)
  }

  @Test("half pages and whole pages are those of the list that is seen")
  func pages() {
    var debugger = TestDebugger(at: 5)
    debugger.press(.control("d"))
    #expect(debugger.step == 13)
    debugger.press(.control("u"))
    #expect(debugger.step == 5)
    debugger.type(" ")
    #expect(debugger.step == 21)
    debugger.type("b")
    #expect(debugger.step == 5)
  }

  @Test("the step that is looked at stays in sight, in the middle after a jump")
  func scrolling() {
    var debugger = TestDebugger(at: 0)
    #expect(debugger.state.travel.listTop == 0)
    for _ in 0..<17 { debugger.type("j") }
    #expect(debugger.state.travel.listTop == 1)
    debugger.type("G")
    #expect(debugger.state.travel.listTop == 17)
    debugger.type("g")
    #expect(debugger.state.travel.listTop == 0)
  }

  @Test("a jump can be taken back and forward; single steps are no jumps")
  func history() {
    var debugger = TestDebugger(at: 5)
    debugger.type("jj20G")
    #expect(debugger.step == 20)
    debugger.type("[")
    #expect(debugger.step == 7)
    debugger.type("]")
    #expect(debugger.step == 20)
    debugger.type("[[")
    #expect(debugger.step == 7)
  }

  @Test("a key asks for what can be seen next and waits for nothing")
  func asking() async throws {
    var debugger = TestDebugger(at: 5)
    try await debugger.bringMoment()
    #expect(debugger.work == [.readAhead([6, 4, 7, 3].map { Position(step: $0) })])
    debugger.work = []
    debugger.type("j")
    #expect(debugger.work == [.readMoment(Position(step: 6))])
    #expect(debugger.state.view.isStale(at: debugger.state.here))
    debugger.type("j")
    #expect(debugger.work == [.readMoment(Position(step: 6)), .readMoment(Position(step: 7))])
    // A moment that comes late is kept, but not shown.
    debugger.send(.momentRead(try await Wishes.session.moment(at: Position(step: 6))))
    #expect(debugger.state.view.isStale(at: debugger.state.here))
    try await debugger.bringMoment()
    #expect(!debugger.state.view.isStale(at: debugger.state.here))
  }

  @Test("a key that comes before its moment is answered when the moment is there")
  func deferring() async throws {
    var debugger = TestDebugger(at: 5)
    debugger.type("c")
    #expect(debugger.step == 5)
    try await debugger.bringMoment()
    #expect(debugger.step == 3)
    debugger.type("yvj⎋")
    debugger.work = []
    try await debugger.bringMoment()
    // Escape forgets it, and what was typed behind it.
    #expect(!debugger.work.contains { $0.name == "output" })
    #expect(debugger.step == 3)
    debugger.type("8Gyvj")
    #expect(debugger.step == 8)
    debugger.work = []
    try await debugger.bringMoment()
    let copied = Effect<DebuggerAction>.output(
      .copy(
        """
        {
          "couponApplied": {
            "code": "TENOFF",
            "amount": 40
          }
        }
        """))
    #expect(debugger.work.contains(copied))
    #expect(debugger.step == 9)
  }

  @Test("the cause of a step is where its effect started")
  func cause() async throws {
    var debugger = TestDebugger(at: 5)
    try await debugger.bringMoment()
    debugger.type("c")
    #expect(debugger.step == 3)
    debugger = TestDebugger(at: 6)
    try await debugger.bringMoment()
    debugger.type("c")
    #expect(debugger.step == 5)
  }

  @Test("marks are set, visited, listed, and taken back")
  func marks() {
    var debugger = TestDebugger(at: 5)
    debugger.type("m20Gm10G")
    debugger.type("u")
    #expect(debugger.step == 20)
    debugger.type("u")
    #expect(debugger.step == 5)
    debugger.type("U")
    #expect(debugger.step == 20)
    debugger.type("'j⏎")
    #expect(debugger.step == 20)
    debugger.type("'⏎")
    #expect(debugger.step == 5)
    debugger.type("z")
    #expect(debugger.state.keeping.marks.keys.map(\.step) == [5])
    debugger.type("Z")
    #expect(debugger.state.keeping.marks.count == 2)
  }
}

@Suite("Labels where there is little room")
struct StepLabelTests {
  @Test(
    "keep their last part, and of that its beginning and its last word",
    arguments: [
      ("destination.presented.submit.save", 16, "…submit.save"),
      ("catalogue/fetch/fulfilled", 16, "…fetch/fulfilled"),
      ("discoverWishesTapped", 17, "discoverWi…Tapped"), ("quantityChanged", 15, "quantityChanged"),
      ("abcdefghijklmnop", 9, "abcd…mnop"), ("abcdefgh", 4, "abc…"),
    ])
  func shortening(label: String, width: Int, short: String) {
    #expect(StepLabels([label], width: width)[label] == short)
  }

  @Test("differ where the labels differ")
  func apart() {
    func short(_ labels: String..., width: Int) -> [String] {
      let short = StepLabels(labels, width: width)
      return labels.map { short[$0] }
    }
    #expect(short("cart.item.save", "user.form.save", width: 7) == ["c….save", "u….save"])
    #expect(
      short("catalogue/pending", "catalogue/fulfilled", width: 10)
        == ["…pending", "…fulfilled"])
    #expect(
      short("aaaaaaaaaaaaXbbbbbbbbbbbb", "aaaaaaaaaaaaYbbbbbbbbbbbb", width: 9)
        == ["…Xbbbbbb…", "…Ybbbbbb…"])
  }
}
