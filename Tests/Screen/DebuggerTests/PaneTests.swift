import SessionWords
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("The pane")
struct PaneTests {
  @Test("opens and closes values, and h leaves it for the steps")
  func folding() async throws {
    var debugger = TestDebugger(at: 7)
    debugger.type("⇥l")
    try await debugger.bringMoment()
    #expect(debugger.state.pane == .state)
    #expect(debugger.state.paneSet.focus == .pane)
    debugger.type("jj")
    #expect(debugger.state.view.row?.text == "items  [2]")
    debugger.type("h")
    #expect(debugger.state.view.row?.fold == .closed)
    debugger.type("l")
    #expect(debugger.state.view.row?.fold == .open)
    debugger.type("hh")
    #expect(debugger.state.paneSet.focus == .steps)
  }

  @Test("a case that took the place of another is told without the names of its payload")
  func cases() {
    let difference = ValueDifference(
      from: ["destination": ["alert": ["_0": ["title": "No wishes"]]]],
      to: ["destination": ["submit": ["_0": ["wishes": ["Tea", "Lamp"], "isSaving": false]]]])
    var writer = PaneWriter(width: 40)
    writer.write(difference, same: "")
    let rows = writer.content.rows.map { String(repeating: " ", count: $0.indent) + $0.text }
    #expect(
      rows == [
        "destination", " alert: {title: \"No wishes\"}", " submit  {2}",
        "  wishes: [\"Tea\", \"Lamp\"]", "  isSaving: false",
      ])
  }

  @Test("a message that was added has its role, six lines of text and its calls")
  func messages() throws {
    let words = (1...9).map { "line \($0)" }.joined(separator: "\n")
    let added: Value = [
      "role": "assistant", "text": .string(words),
      "tools": [["name": "price", "args": ["item": "tea"], "id": "c1"]], "id": "#2",
    ]
    let asked: Value = ["role": "user", "text": "How much?", "id": "#1"]
    let difference = ValueDifference(
      from: ["messages": [asked]], to: ["messages": [asked, added]])
    var writer = PaneWriter(width: 40)
    writer.write(difference, same: "")
    #expect(
      writer.content.rows.map(\.text) == ["messages[1]: assistant"]
        + (1...6).map { "line \($0)" } + ["… more text", #"price(item: "tea")"#])
    let place = try #require(writer.content.rows.first?.path)
    writer.folds.open[place] = true
    let start = writer.outline(added, at: place)
    #expect(
      writer.content.rows[start...].map(\.text) == ["assistant"]
        + (1...9).map { "line \($0)" } + [#"price(item: "tea")"#, ##"id: "#2""##])
    writer.folds.open[place] = false
    let folded = writer.outline(added, at: place)
    #expect(writer.content.rows.count == folded + 1)
    let short = writer.outline(["asked": asked])
    #expect(writer.content.rows[short...].map(\.text) == [#"asked: user: "How much?""#])
  }

  @Test("Effects shows the caches of RTK Query, with ages, subscribers and tags")
  func queries() {
    var moment = Moment(
      position: Position(step: 1), step: Step(number: 1, label: "a", action: .null))
    moment.clock = 10_000
    moment.state = [
      "n": 1,
      "api": [
        "queries": [
          "posts(1)": ["status": "fulfilled", "endpointName": "posts", "fulfilledTimeStamp": 4000],
          "user()": ["status": "pending", "endpointName": "user", "startedTimeStamp": 9600],
        ],
        "mutations": ["x7": ["status": "rejected", "endpointName": "addPost"]],
        "provided": [
          "tags": ["Post": ["1": ["posts(1)"], "__internal_without_id": ["posts(1)"]]],
          "keys": [:],
        ],
        "subscriptions": ["posts(1)": ["a": [:], "b": [:]]],
        "config": ["reducerPath": "api"],
      ],
    ]
    var writer = PaneWriter(width: 60)
    writer.writeEffects(of: moment)
    #expect(
      writer.content.rows.map(\.text) == [
        "RTK Query: api", "posts(1)  fulfilled  6.0s ago  2 subscribers  Post 1, Post",
        "user()  pending  400ms ago", "addPost  rejected",
      ])
  }

  @Test("y copies the value, its key or its path, with controls made visible")
  func copying() async throws {
    var debugger = TestDebugger(at: 8)
    debugger.type("l")
    try await debugger.bringMoment()
    debugger.work = []
    debugger.type("yvykyp")
    #expect(
      debugger.work == [
        .output(.copy("-8.36")), .output(.copy("total")), .output(.copy("total")),
      ])
  }

  @Test("two long values are not shown as the same text")
  func longNumbers() {
    let digits = String(repeating: "1234567890", count: 400)
    func lines(_ old: Value, _ new: Value) -> [String] {
      ValueDifference(from: ["n": old], to: ["n": new]).lines(width: 96)
    }
    #expect(
      lines(.number(.digits(digits + "1")), .number(.digits(digits + "23"))) == [
        "~ n  …89012345678901234567890123e4000 → …89012345678901234567890123e4001"
      ])
  }

  @Test("the cursor stays on its value when time moves")
  func staying() async throws {
    var debugger = TestDebugger(at: 7)
    debugger.type("⇥l")
    try await debugger.bringMoment()
    debugger.type("G")
    #expect(debugger.state.view.row?.path?.text == "checked")
    debugger.type("J")
    try await debugger.bringMoment()
    #expect(debugger.step == 8)
    #expect(debugger.state.view.row?.path?.text == "checked")
  }

  @Test("that told of a fork before it had run is made anew once it has")
  func ran() async throws {
    var debugger = TestDebugger(at: 6, host: .ready("WishesHost"))
    var fork = Branch(
      "try", script: Script(leavesAt: 5, edits: []), steps: 0...33, progress: .running)
    debugger.state.branches.append(fork)
    debugger.state.go(to: Position(branch: "try", step: 6))
    let here = debugger.state.here
    func lines() -> [String] { debugger.state.paneSet[.diff].content.rows.map(\.text) }
    debugger.send(.momentRead(.unknown(at: here, because: "it has not run")))
    #expect(!lines().isEmpty && !lines().contains("checked  false → true"))
    fork.progress = .complete
    debugger.work = []
    debugger.send(.forkGrew(fork))
    #expect(debugger.work.contains(.readMoment(here, comparedWith: "main")))
    var moment = try await Wishes.session.moment(at: Position(step: 6))
    moment.position = here
    // One that was read while the fork ran comes late: it is read once more.
    moment.isEarly = true
    debugger.work = []
    debugger.send(.momentRead(moment))
    #expect(debugger.work.contains(.readMoment(here, comparedWith: "main")))
    moment.isEarly = false
    debugger.send(.momentRead(moment))
    #expect(lines().contains("checked  false → true"))
  }

  @Test("what was opened or closed by hand stays so, at every step and size")
  func folds() async throws {
    var debugger = TestDebugger(at: 7)
    debugger.type("⇥l")
    try await debugger.bringMoment()
    debugger.type("jjjh")
    #expect(debugger.state.view.row?.path?.text == "items[0]")
    #expect(debugger.state.view.row?.fold == .closed)
    debugger.type("J")
    try await debugger.bringMoment()
    #expect(debugger.state.view.row?.fold == .closed)
    debugger.type("l")
    for width in [60, 110, 200] {
      debugger.send(.input(.resize(Size(width: width, height: 24))))
      #expect(debugger.state.view.row?.text == "0  {3}")
      #expect(debugger.state.view.row?.fold == .open)
    }
    debugger.type("K")
    #expect(debugger.state.view.row?.fold == .open)
  }

  @Test("a click on the sign before a value opens and closes it")
  func clicking() async throws {
    var debugger = TestDebugger(at: 7)
    debugger.type("⇥")
    try await debugger.bringMoment()
    #expect(debugger.state.view.content.rows[2].fold == .open)
    debugger.send(.input(.mouse(Mouse(.press, column: 35, row: 7))))
    #expect(debugger.state.view.content.rows[2].fold == .closed)
    #expect(debugger.state.paneSet.focus == .pane)
    debugger.send(.input(.mouse(Mouse(.press, column: 39, row: 7))))
    #expect(debugger.state.view.content.rows[2].fold == .closed)
  }

  @Test("a long array is told a page at a time, to its last element and back")
  func pages() {
    let elements = (0..<450).map { Value.object(["n": .number(Number($0))]) }
    var moment = Moment(
      position: Position(step: 1), step: Step(number: 1, label: "a", action: .null))
    moment.state = ["all": .array(ValueArray(elements))]
    var view = PaneView()
    func show() { view.refresh(moment, pane: .state, watched: [], in: [], width: 60) }
    show()
    #expect(
      view.content.rows.map(\.text) == [
        "all: [450] [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 5}, {n:…"
      ])
    view.turn(view.content.rows[0])
    show()
    for last in [200, 400] {
      view.moveCursor(by: 1_000)
      #expect(view.row?.text == "↓ \(450 - last) more")
      view.turn(view.content.rows[view.cursor])
      show()
      #expect(view.row?.path?.text == "all[\(last)]")
    }
    view.moveCursor(by: 1_000)
    #expect(view.row?.path?.text == "all[449]")
    view.turn(view.content.rows[1])
    show()
    #expect(view.row?.path?.text == "all[399]")
    #expect(view.content.rows[1].text == "↑ 200 before")
  }
}
