import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("The mouse in what stands over the panes")
struct OverlayMouseTests {
  /// A click on the first place of a text on the screen, so many cells into it.
  private func click(
    _ desk: inout Desk, on text: String, plus cells: Int = 0,
    _ action: Mouse.Action = .press
  ) throws {
    let picture = DebuggerView.draw(desk.state)
    for (row, line) in picture.text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard let range = line.firstRange(of: text) else { continue }
      let column = line.distance(from: line.startIndex, to: range.lowerBound) + cells
      return desk.send(.input(.mouse(Mouse(action, column: column, row: row))))
    }
    Issue.record("no \(text) in\n\(picture.text)")
  }

  private func deskWithForm() -> Desk {
    var desk = Desk(at: 5, host: .ready("host"))
    desk.type("fi")
    let templates = ["couponApplied", "nameChanged"].map {
      ActionTemplate(label: $0, action: .object([$0: [:]]), step: 4)
    }
    desk.send(.form(.found(templates, isDone: true)))
    return desk
  }

  @Test("a click in the form goes to a field, turns a choice, takes an offer, places the cursor")
  func clicks() throws {
    var desk = deskWithForm()
    try click(&desk, on: "change send")
    #expect(desk.form?.field == .change)
    try click(&desk, on: "‹ send", plus: 4)
    #expect(desk.form?.change == .replace)
    try click(&desk, on: "fork 1", plus: 4)
    #expect(desk.form?.field == .name)
    desk.type("x")
    #expect(desk.form?.name.text == "forkx 1")
    let offers = try #require(desk.form?.shownOffers)
    try #require(offers.count > 1)
    try click(&desk, on: offers[1].label)
    #expect(desk.form?.field == .template)
    #expect(desk.form?.selected == 1)
    desk.send(.input(.mouse(Mouse(.wheelUp, column: 30, row: 10))))
    #expect(desk.form?.selected == 0)
    try click(&desk, on: "Esc back")
    #expect(desk.state.overlay == nil)
  }

  @Test("a click in a list selects, a double click looks at it; one in the palette does it")
  func lists() throws {
    var desk = Desk(at: 5)
    desk.type("m3Gm'")
    try click(&desk, on: "▲ 5  ")
    #expect(desk.state.overlay == .marks(selected: 1))
    try click(&desk, on: "▲ 5  ", .doubleClick)
    #expect(desk.step == 5)
    #expect(desk.state.overlay == nil)
    desk.type(":marks")
    try click(&desk, on: ":marks", .press)
    desk.type("⎋")
    desk.type(":notice")
    try click(&desk, on: ":notices")
    #expect(desk.state.prompt == nil)
    #expect(desk.state.message?.text == "No problems with wishes.retcon.")
  }

  @Test("a click into a line that is typed places its cursor")
  func line() throws {
    var desk = Desk(at: 5)
    desk.type("/tea")
    try click(&desk, on: "/tea", plus: 2)
    desk.type("x")
    #expect(desk.state.prompt?.line.text == "txea")
  }

  @Test("pasted text goes into every field that is typed into, and says so where there is none")
  func paste() throws {
    for sign in ["/", ";", ":", "M", "F"] {
      var desk = Desk(at: 5)
      desk.type(sign)
      desk.send(.input(.paste("a\nb")))
      #expect(desk.state.prompt?.line.text.hasSuffix("a b") == true, "\(sign)")
    }
    var desk = deskWithForm()
    desk.send(.input(.paste("note")))
    #expect(desk.form?.filter.text == "note")
    desk.press(.backTab)
    desk.press(.backTab)
    desk.send(.input(.paste("a\nb")))
    #expect(desk.form?.name.text == "fork 1a b")
  }
}
