import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("Undo and results, after the session was left")
struct SavedUndoTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() async -> DebuggerApp {
    let session = OpenSession(
      Wishes.recording, host: FakeHost(recording: Wishes.recording),
      sidecar: Sidecar(session: folder.path + "/wishes.retcon"))
    let app = DebuggerApp(
      session: session, size: Size(width: 120, height: 30), output: { _ in }, onChange: {})
    await app.start().finish()
    return app
  }

  @Test("z takes back what was done before: marks, new forks, edits, deletions, names")
  func undo() async {
    let first = await open()
    await first.type(":goto 8⏎mx")
    await first.handle(.key(.enter)).finish()
    await first.type("x:goto 5⏎")
    #expect(first.state.branches.count == 2)
    await first.type("Bd")
    await first.handle(.key(.escape)).finish()
    #expect(first.state.branches.count == 1)
    let done = first.state.keeping.undo.done
    #expect(done.count == 3)

    let second = await open()
    #expect(second.state.keeping.undo.done.count == done.count)
    #expect(second.state.branches.count == 1)
    await second.type("z")
    #expect(second.state.branches.map(\.name) == first.fork.map { ["main", $0] } ?? [])
    await second.type("zz")
    #expect(second.state.branches.count == 1)
    #expect(second.state.keeping.marks.isEmpty)
    #expect(second.state.keeping.undo.done.isEmpty)
    await second.type("z")
    #expect(second.state.message?.text.hasPrefix("Nothing more to undo.") == true)

    let third = await open()
    #expect(third.state.keeping.undo.done.isEmpty)
  }

  @Test("a result is in :result again, and leads to its steps")
  func results() async {
    let first = await open()
    await first.type("m⏎:blame total⏎")
    let lines = first.lines
    #expect(!lines.isEmpty)
    let second = await open()
    #expect(second.state.searches.results.map(\.title) == first.state.searches.results.map(\.title))
    await second.type(":result⏎")
    #expect(second.lines == lines)
  }

  @Test("lines of a sidecar that nobody understands are left out")
  func garbage() {
    var state = DebuggerState(session: Wishes.session.summary, size: Size(width: 80, height: 24))
    var view = SavedView()
    view.undo = [
      .null, 4, [:], ["what": "forked"], ["what": "marked", "branch": "main", "step": -3],
      ["what": "renamed", "branch": "main", "old": "a", "new": "b"],
      ["what": "flown", "branch": "main"], ["what": "deleted", "forks": [["branch": "/"]]],
    ]
    view.results = [
      .null, ["title": 4], ["title": "a", "lines": [["text": "b", "branch": "gone"]]],
    ]
    state.restore(view)
    #expect(state.keeping.undo.done.isEmpty)
    #expect(state.searches.results.map(\.title) == ["a"])
    #expect(state.searches.results[0].lines == [ListLine("b")])
  }
}

extension DebuggerApp {
  fileprivate var lines: [ListLine] {
    if case .list(.text(_, let lines), _)? = state.overlay { lines } else { [] }
  }

  /// The name of the fork that was deleted last.
  fileprivate var fork: String? {
    guard case .deleted(let forks)? = state.keeping.undo.done.last else { return nil }
    return forks.first?.name
  }
}
