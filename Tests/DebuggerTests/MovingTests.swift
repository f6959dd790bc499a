import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("The keys that move in time")
struct MovingTests {
  @Test(
    "go to the step that less and vim would go to",
    arguments: [
      ("j", 6), ("k", 4), ("3j", 8), ("2k", 3), ("g", 0), ("G", 33), ("12G", 12), ("12g", 12),
      ("99G", 33), ("50%", 16), ("100%", 33), ("99j", 33), ("99k", 0), ("10j", 15),
    ])
  func moves(keys: String, step: Int) {
    var desk = Desk(at: 5)
    desk.type(keys)
    #expect(desk.step == step)
  }

  @Test("half pages and whole pages are those of the list that is seen")
  func pages() {
    var desk = Desk(at: 5)
    desk.press(.control("d"))
    #expect(desk.step == 13)
    desk.press(.control("u"))
    #expect(desk.step == 5)
    desk.type(" ")
    #expect(desk.step == 21)
    desk.type("b")
    #expect(desk.step == 5)
  }

  @Test("the step that is looked at stays in sight, in the middle after a jump")
  func scrolling() {
    var desk = Desk(at: 0)
    #expect(desk.state.travel.listTop == 0)
    for _ in 0..<17 { desk.type("j") }
    #expect(desk.state.travel.listTop == 1)
    desk.type("G")
    #expect(desk.state.travel.listTop == 17)
    desk.type("g")
    #expect(desk.state.travel.listTop == 0)
  }

  @Test("a jump can be taken back and forward; single steps are no jumps")
  func history() {
    var desk = Desk(at: 5)
    desk.type("jj20G")
    #expect(desk.step == 20)
    desk.type("[")
    #expect(desk.step == 7)
    desk.type("]")
    #expect(desk.step == 20)
    desk.type("[[")
    #expect(desk.step == 7)
  }

  @Test("a key asks for what can be seen next and waits for nothing")
  func asking() async throws {
    var desk = Desk(at: 5)
    try await desk.bringMoment()
    #expect(desk.work == [.readAhead([6, 4, 7, 3].map { Position(step: $0) })])
    desk.work = []
    desk.type("j")
    #expect(desk.work == [.readMoment(Position(step: 6))])
    #expect(desk.state.view.isStale(at: desk.state.here))
    desk.type("j")
    #expect(desk.work == [.readMoment(Position(step: 6)), .readMoment(Position(step: 7))])
    // A moment that comes late is kept, but not shown.
    desk.send(.momentRead(try await Wishes.session.moment(at: Position(step: 6))))
    #expect(desk.state.view.isStale(at: desk.state.here))
    try await desk.bringMoment()
    #expect(!desk.state.view.isStale(at: desk.state.here))
  }

  @Test("a key that comes before its moment is answered when the moment is there")
  func deferring() async throws {
    var desk = Desk(at: 5)
    desk.type("c")
    #expect(desk.step == 5)
    try await desk.bringMoment()
    #expect(desk.step == 3)
    desk.type("yvj⎋")
    desk.work = []
    try await desk.bringMoment()
    // Escape forgets it, and what was typed behind it.
    #expect(!desk.work.contains { if case .output = $0 { true } else { false } })
    #expect(desk.step == 3)
    desk.type("8Gyvj")
    #expect(desk.step == 8)
    desk.work = []
    try await desk.bringMoment()
    let copied = Work.output(
      .copy(
        """
        {
          "couponApplied": {
            "code": "TENOFF",
            "amount": 40
          }
        }
        """))
    #expect(desk.work.contains(copied))
    #expect(desk.step == 9)
  }

  @Test("the cause of a step is where its effect started")
  func cause() async throws {
    var desk = Desk(at: 5)
    try await desk.bringMoment()
    desk.type("c")
    #expect(desk.step == 3)
    desk = Desk(at: 6)
    try await desk.bringMoment()
    desk.type("c")
    #expect(desk.step == 5)
  }

  @Test("marks are set, visited, listed, and taken back")
  func marks() {
    var desk = Desk(at: 5)
    desk.type("m20Gm10G")
    desk.type("u")
    #expect(desk.step == 20)
    desk.type("u")
    #expect(desk.step == 5)
    desk.type("U")
    #expect(desk.step == 20)
    desk.type("'j⏎")
    #expect(desk.step == 20)
    desk.type("'⏎")
    #expect(desk.step == 5)
    desk.type("z")
    #expect(desk.state.keeping.marks.keys.map(\.step) == [5])
    desk.type("Z")
    #expect(desk.state.keeping.marks.count == 2)
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
