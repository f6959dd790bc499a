import Samples
import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("What somebody new types first")
struct NewcomerTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    await WishesSample.recordDemo(to: folder("wishes.retcon"))
  }

  private func demo(
    _ keys: String, columns: Int = 80, rows: Int = 24, hasHost: Bool = true
  ) async throws -> DebuggerApp {
    let reader = try SessionReader(path: folder("wishes.retcon"))
    let app = DebuggerApp(
      session: OpenSession(
        SessionRecording(reader), host: hasHost ? try EngineHost<WishesSample>(reader) : nil),
      size: Size(width: columns, height: rows), output: { _ in }, onChange: {})
    await app.start().finish()
    for key in keys { await app.handle(.key(.typed(key))).finish() }
    return app
  }

  private func lines(_ app: DebuggerApp) -> [Substring] { app.frame.text.split(separator: "\n") }

  @Test("a path as the screen shows it is found; one that no state has is said")
  func paths() async throws {
    var app = try await demo(":0⏎;destination.submit.isSaving⏎")
    #expect(app.state.searches.asked?.count ?? 0 > 0, "\(app.frame.text)")
    let state = try #require(app.state.moment?.state)
    #expect(
      TypedPlace.completions(of: "destination.submit.isS", in: state)
        == ["destination.submit.isSaving"])
    #expect(
      TypedPlace.path("destination.submit.isSaving", in: state)?.text
        == "destination.submit._0.isSaving")
    app = try await demo(":0⏎;destination.submit.isSaving⏎:blame destination.submit.isSaving⏎")
    #expect(app.frame.text.contains("submit.save"), "\(app.frame.text)")
    app = try await demo(";destination.nowhere == 1⏎")
    #expect(app.frame.text.contains("no state has state.destination.nowhere"), "\(app.frame.text)")
    for keys in [":rule ", ":filter ", ":minimize ", ":why ", ":explore "] {
      app = try await demo(keys + "state.destination.nowhere != 1⏎")
      #expect(
        app.frame.text.contains("no state has state.destination.nowhere"), "\(app.frame.text)")
    }
    for keys in [";", ":rule ", ":filter ", ":minimize ", ":why ", ":explore "] {
      app = try await demo(keys + "cause.nmae != 1⏎")
      #expect(app.frame.text.contains("no step has cause.nmae"), "\(keys) \(app.frame.text)")
      app = try await demo(keys + "action.nowhere != 1⏎")
      #expect(app.frame.text.contains("no step has action.nowhere"), "\(keys) \(app.frame.text)")
    }
    app = try await demo(":minimize destination.submit.isSaving⏎")
    #expect(app.state.overlay != nil, "\(app.frame.text)")
  }

  @Test(
    "a word that a step lacks is refused at each door, with the right word",
    arguments: [";", ":rule ", ":filter ", ":minimize ", ":why ", ":explore "])
  func refusedWord(door: String) async throws {
    let app = try await demo(door + "state.name != before.name⏎")
    #expect(app.frame.text.contains("did you mean “previous”?"), "\(app.frame.text)")
  }

  @Test("Esc keeps the marks of failures")
  func marks() async throws {
    let app = try await demo("j⎋⎋")
    #expect(app.state.searches.errors?.count ?? 0 > 0)
    #expect(lines(app)[3].contains("✗"))
  }

  @Test(
    "the selected step stays in sight above a card, and the slider shows it",
    arguments: [
      (60, 15), (40, 10),
    ])
  func card(columns: Int, rows: Int) async throws {
    let app = try await demo("x", columns: columns, rows: rows)
    let lines = lines(app)
    #expect(app.state.branch.name == "fork 1")
    #expect(lines.contains { $0.contains("▸ 5") }, "\(app.frame.text)")
    #expect(lines[1...2].contains { $0.contains("●") && $0.contains("✗") }, "\(app.frame.text)")
    #expect(lines.contains { $0.contains("Step 5 was skipped") }, "\(app.frame.text)")
  }

  @Test("C shows the comparison where one pane fits, and its title names it")
  func compare() async throws {
    let small = try await demo("xC", columns: 40, rows: 10)
    #expect(small.state.paneSet.focus == .pane)
    #expect(small.frame.text.contains("−  main 6"), "\(small.frame.text)")
    let wider = try await demo("xC", columns: 60, rows: 15)
    #expect(lines(wider)[3].contains("Compare"), "\(wider.frame.text)")
  }

  @Test("each count stands in its own title")
  func counts() async throws {
    let app = try await demo("", columns: 120, rows: 36)
    let title = try #require(lines(app).first { $0.contains("Diff") })
    #expect(title.contains("2 changes"), "\(app.frame.text)")
    let below = try #require(lines(app).first { $0.contains("2 State") })
    #expect(!below.contains("change"), "\(app.frame.text)")
  }

  @Test("a hint is shown where its key works")
  func hints() async throws {
    #expect(!(try await demo(":12⏎", hasHost: false)).frame.text.contains("f what if"))
    #expect(!(try await demo(":1⏎4q⏎")).frame.text.contains("Enter answer"))
    let fork = try await demo(":9⏎x⎋", columns: 120)
    #expect(fork.frame.text.contains("f what if") && fork.frame.text.contains("z undo"))
    #expect(fork.state.whatFits.contains { $0.key == .character("f") })
    let pane = try await demo(":9⏎⏎x")
    #expect(pane.frame.text.contains("q goes to their list"))
  }

  @Test("the number of a pane goes there at once, with or without Alt")
  func paneByNumber() async throws {
    for key in [Key.alt("2"), .character("2")] {
      let app = try await demo("", columns: 120, rows: 36)
      await app.handle(.key(key)).finish()
      #expect(app.state.pane == .state && app.state.paneSet.focus == .pane)
    }
    let small = try await demo("3", columns: 80)
    #expect(small.state.pane == .action && small.state.paneSet.focus == .pane)
    // Compare belongs to forks.
    let noFork = try await demo("7")
    #expect(noFork.state.paneSet.focus == .steps)
  }

  @Test("a number before a motion or another digit was a count, and the focus goes back")
  func paneNumberOrCount() async throws {
    let start = try await demo("")
    let motion = try await demo("2j")
    #expect(motion.state.here.step == start.state.here.step + 2)
    #expect(motion.state.paneSet.focus == .steps && motion.state.pane == start.state.pane)
    let goto = try await demo("13G")
    #expect(goto.state.here.step == 13 && goto.state.paneSet.focus == .steps)
    let digits = try await demo("13")
    #expect(digits.state.pane == start.state.pane && digits.state.paneSet.focus == .steps)
    // In a pane the count moves its own cursor.
    let inside = try await demo("2hl2j")
    #expect(inside.state.here.step == start.state.here.step)
    #expect(inside.state.pane == .state && inside.state.view.cursor == 2)
    // Another key is pressed in the pane.
    let left = try await demo("2q")
    #expect(left.state.paneSet.focus == .steps)
    let command = try await demo("2:4⏎")
    #expect(command.state.here.step == 4)
  }

  @Test("what a command takes stands grey behind it; a suggested name is replaced by the first key")
  func ghosts() async throws {
    let shown = try await demo(":1⏎S")
    #expect(shown.state.prompt?.problem == nil)
    #expect(shown.frame.text.contains(":minimize what happens, as in state.total < 0"))
    let empty = try await demo(":1⏎S⏎")
    #expect(empty.state.prompt?.problem == "type a condition first")
    // At a failure the smallest session is one that fails so, and the search finds it.
    let failure = try await demo("S")
    #expect(failure.state.prompt?.shownGhost == "state.destination.alert")
    let found = try await demo("S⏎")
    #expect(
      found.state.branch.name == "fork 1" && found.frame.text.contains("the smallest session"),
      "\(found.frame.text)")
    let asked = try await demo(";name == 'Stef'⏎S")
    #expect(asked.state.searches.finding == nil)
    #expect(asked.state.prompt?.shownGhost == "state.name == 'Stef'")
    let test = try await demo("x:test⏎")
    #expect(test.frame.text.contains(":test Fork1Tests.swift"), "\(test.frame.text)")
    await test.handle(.key(.character("A"))).finish()
    #expect(test.state.prompt?.line.text == "test A" && test.state.prompt?.shownGhost == "")
    #expect((try await demo(":trim")).frame.text.contains(":trim 8-12 FILE"))
    #expect((try await demo(":5⏎Vjs")).state.prompt?.shownGhost == "wishes-5-6.retcon")
    let trim = try await demo(":save r⏎")
    #expect(trim.state.prompt?.shownGhost == "8-12 FILE", "\(trim.frame.text)")
  }

  @Test("a value that is missing where you are is found by its name, and is told from null")
  func missing() async throws {
    let alert = try await demo(":0⏎;destination.alert⏎")
    #expect(alert.state.searches.asked?.count ?? 0 > 0, "\(alert.frame.text)")
    let null = try await demo(";destination.alert == null⏎")
    #expect(
      null.frame.text.contains("A value that is missing is not null"), "\(null.frame.text)")
    #expect(try await demo(":0⏎;nme⏎").state.prompt?.problem?.contains("state.name") == true)
  }

  @Test("a condition behind / is offered to ;")
  func condition() async throws {
    let app = try await demo("/name == 'Stef'⏎")
    #expect(app.frame.text.contains("; asks it as a condition"), "\(app.frame.text)")
    for key in ";⏎" { await app.handle(.key(.typed(key))).finish() }
    #expect(app.state.here.step == 9)
  }
}
