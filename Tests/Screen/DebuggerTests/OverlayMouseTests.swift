import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("The mouse in what stands over the panes")
struct OverlayMouseTests {
  /// A click on the first place of a text on the screen, so many cells into it.
  private func click(
    _ debugger: inout TestDebugger, on text: String, plus cells: Int = 0,
    _ action: Mouse.Action = .press
  ) throws {
    let picture = DebuggerView.draw(debugger.state)
    for (row, line) in picture.text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard let range = line.firstRange(of: text) else { continue }
      let column = line.distance(from: line.startIndex, to: range.lowerBound) + cells
      return debugger.send(.input(.mouse(Mouse(action, column: column, row: row))))
    }
    Issue.record("no \(text) in\n\(picture.text)")
  }

  private func deskWithLine() -> TestDebugger {
    var debugger = TestDebugger(at: 5, host: .ready("host"))
    debugger.type("fi")
    let templates = ["couponApplied", "nameChanged"].map {
      ActionTemplate(label: $0, action: .object([$0: [:]]), step: 4)
    }
    debugger.send(.forkLine(.found(templates, isDone: true)))
    return debugger
  }

  @Test(
    "a click takes an offer into the line of a fork, the wheel chooses, a click places the cursor")
  func clicks() throws {
    var debugger = deskWithLine()
    debugger.send(.input(.mouse(Mouse(.wheelDown, column: 30, row: 10))))
    #expect(debugger.forkLine?.selected == 1)
    debugger.send(.input(.mouse(Mouse(.wheelUp, column: 30, row: 10))))
    #expect(debugger.forkLine?.selected == 0)
    try click(&debugger, on: "nameChanged  step 4")
    #expect(debugger.line == "fork send nameChanged")
    try click(&debugger, on: "fork send nameChanged", plus: 10)
    debugger.type("x")
    #expect(debugger.line == "fork send xnameChanged")
    debugger.type("⎋")
    #expect(debugger.state.prompt == nil && debugger.state.forkLine == nil)
  }

  @Test("a click in a list selects, a double click looks at it; one in the palette does it")
  func lists() throws {
    var debugger = TestDebugger(at: 5)
    debugger.type("m3Gm'")
    try click(&debugger, on: "▲ 5  ")
    #expect(debugger.state.overlay == .list(.marks, at: 1))
    try click(&debugger, on: "▲ 5  ", .doubleClick)
    #expect(debugger.step == 5)
    #expect(debugger.state.overlay == nil)
    debugger.type(":marks")
    try click(&debugger, on: ":marks", .press)
    debugger.type("⎋")
    debugger.type(":notice")
    try click(&debugger, on: ":notices")
    #expect(debugger.state.prompt == nil)
    #expect(debugger.state.message?.text == "No problems with wishes.retcon.")
  }

  @Test("a click into a line that is typed places its cursor")
  func line() throws {
    var debugger = TestDebugger(at: 5)
    debugger.type("/tea")
    try click(&debugger, on: "/tea", plus: 2)
    debugger.type("x")
    #expect(debugger.state.prompt?.line.text == "txea")
  }

  @Test("pasted text goes into every field that is typed into, and says so where there is none")
  func paste() throws {
    for sign in ["/", ";", ":", "M", "F"] {
      var debugger = TestDebugger(at: 5)
      debugger.type(sign)
      debugger.send(.input(.paste("a\nb")))
      #expect(debugger.state.prompt?.line.text.hasSuffix("a b") == true, "\(sign)")
    }
    var debugger = deskWithLine()
    debugger.send(.input(.paste("note\nb")))
    #expect(debugger.line == "fork send note b")
  }
}
