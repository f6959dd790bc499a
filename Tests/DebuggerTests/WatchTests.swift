import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("Watching")
struct WatchTests {
  @Test("a watched value is shown at every step, with what it was before")
  func watching() async throws {
    var desk = Desk(at: 7)
    desk.type("l")
    try await desk.bringMoment()
    desk.type("Gw")
    #expect(desk.state.paneSet.watched.map(\.text) == ["total"])
    desk.press(.alt("6"))
    desk.type("J")
    try await desk.bringMoment()
    #expect(desk.state.view.content.rows.map(\.text) == ["total: -8.36   was 31.64"])
    desk.type("w")
    #expect(desk.state.paneSet.watched.isEmpty)
  }
}
