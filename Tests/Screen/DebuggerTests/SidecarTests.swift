import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("What is kept beside a session")
struct SidecarTests {
  @Test("marks, notes and forks are there again; a saved fork runs when somebody looks at it")
  func keeping() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/wishes.retcon"
    let size = Size(width: 100, height: 24)
    func open() -> OpenSession {
      OpenSession(
        Wishes.recording, host: FakeHost(recording: Wishes.recording),
        sidecar: Sidecar(session: path))
    }
    _ = await DebuggerApp.print(
      open(), size: size, position: Position(step: 8),
      events: [
        .key(.character("m")), .key(.character("G")), .key(.character("M")), .paste("look here"),
        .key(.enter), .key(.character("[")), .key(.character("f")), .key(.character("i")),
        .paste(#"{"add": 40}"#), .key(.enter),
      ])
    let again = open()
    #expect(again.marks == [Position(step: 8): "", Position(step: 33): "look here"])
    #expect(again.branches.map(\.name) == ["main", "fork 1"])
    #expect(again.branch("fork 1")?.progress == .notRun)
    let canvas = await DebuggerApp.print(
      again, size: size, position: Position(step: 0),
      events: [.key(.character("B")), .key(.character("j")), .key(.enter)])
    #expect(canvas.text.contains(" fork 1   9/34"))
    #expect(again.branch("fork 1")?.progress == .complete)
    _ = await DebuggerApp.print(
      again, size: size,
      events: [.key(.character("B")), .key(.character("j")), .key(.character("d"))])
    #expect(open().branches.map(\.name) == ["main"])
  }

  @Test("marks go along with the steps that are written, those of a fork's parent included")
  func travelling() throws {
    let folder = try TemporaryFolder()
    let session = OpenSession(
      Wishes.recording, host: FakeHost(recording: Wishes.recording),
      sidecar: Sidecar(session: folder("wishes.retcon")))
    let fork = try session.addFork("fork 1", Script(leavesAt: 10, edits: [])).id
    for (position, note) in [
      (Position(step: 4), "before"), (Position(step: 9), ""),
      (Position(step: 12), "not of the fork"),
      (Position(branch: fork, step: 11), "of the fork"),
    ] {
      #expect(session.setMark(position, note) == nil)
    }
    #expect(
      try session.copyMarks(along: fork, in: 8...20, to: folder("part.retcon")).words
        == ", 2 marks beside it")
    #expect(
      Sidecar(session: folder("part.retcon")).contents.marks == [
        Mark(step: 9), Mark(step: 11, note: "of the fork"),
      ])
    #expect(try session.copyMarks(along: "main", in: 5...8, to: folder("none.retcon")).words == "")
    #expect(!Sidecar(session: folder("none.retcon")).exists)
    // A note may tell what is taken out.
    for (redaction, words, notes) in [
      (try Redaction(patterns: ["nothing like it"]), "", ["before", nil, "not of the fork"]),
      (try Redaction(patterns: ["fore"]), ", 1 without its note", [nil, nil, "not of the fork"]),
      (Redaction(keys: ["token"]), ", 2 without their notes", [nil, nil, nil]),
    ] {
      let path = folder("\(words.count).retcon")
      let copied = try session.copyMarks(along: "main", in: 0...20, to: path, without: redaction)
      #expect(copied.words == ", 3 marks beside it\(words)")
      #expect(Sidecar(session: path).contents.marks.map(\.note) == notes)
    }
  }
}
