import StoreTesting
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("Watching")
struct WatchTests {
  @Test("a watched value is shown at every step, with what it was before")
  func watching() async throws {
    var debugger = TestDebugger(at: 7)
    debugger.type("l")
    try await debugger.bringMoment()
    debugger.type("Gw")
    #expect(debugger.state.watch.places.map(\.text) == ["total"])
    debugger.press(.alt("6"))
    debugger.type("J")
    try await debugger.bringMoment()
    #expect(debugger.state.view.content.rows.map(\.text) == ["total: -8.36   was 31.64"])
    debugger.type("w")
    #expect(debugger.state.watch.places.isEmpty)
  }

  @Test(
    "the column of a watched value never shows another number",
    arguments: [
      (23143356958377796, "2.314e16"), (1234567890, "1.2345e9"), (0.1428571428, "0.14285…"),
      (-8.36, "-8.36"),
    ])
  func column(number: Double, words: String) {
    #expect(WatchedValue.number(number).words(in: 8) == words)
  }

  @Test("a branch is looked through once, and on where it grows; what is no longer watched ends")
  func feature() async throws {
    let store = TestStore(Watch.State(), on: Wishes.session) { Watch() }
    store.exhaustivity = .off
    let total = ValuePath([.key("total")])
    var branch = Branch("main", steps: 0...20)
    let id = WatchSeries.ID(path: total, branch: branch.id)
    await store.send(.turned(total))
    #expect(!store.state.isCurrent(for: [branch]))
    await store.send(.looked(at: [branch], from: 5))
    #expect(store.state.isCurrent(for: [branch]))
    await store.receive(.ended(id, failure: nil))
    #expect(store.state.series.first?.value(at: 20) == .number(-8.36))
    #expect(store.state.series.first?.value(at: 33) == nil)
    branch.steps = 0...33
    #expect(!store.state.isCurrent(for: [branch]))
    await store.send(.looked(at: [branch], from: 5))
    await store.receive(.ended(id, failure: nil))
    #expect(store.state.series.first?.value(at: 33) == .number(-8.36))
    #expect(store.state.series.first?.lastChange(at: 33) == 8)
    branch.run = 1
    await store.send(.looked(at: [branch], from: 5))
    #expect(store.state.series.map(\.run) == [1])
    await store.send(.turned(total))
    await store.send(.looked(at: [branch], from: 5))
    #expect(store.state.series.isEmpty)
    await store.finish()
  }
}
