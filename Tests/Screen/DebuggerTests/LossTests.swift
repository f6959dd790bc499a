import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

@Suite("Why something cannot be shown")
struct LossTests {
  @Test("the reason stands whole in the pane, and in the bottom line, on as many lines as it takes")
  func wrapped() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      """
      {"retcon":"1.0","states":"every","state":{"n":0}}
      {"step":1,"label":"inc","action":1,"patch":[{"op":"replace","path":"/n","value":1}]}
      {"step":2,"label":"inc","action":1,"patch":[{"op":"replace","path":"/zz","value":1}]}
      {"step":3,"label":"inc","action":1,"patch":[{"op":"replace","path":"/n","value":3}]}

      """, to: "badpatch.retcon")
    let session = OpenSession(SessionRecording(try SessionReader(path: path)))
    let app = DebuggerApp(
      session: session, size: Size(width: 80, height: 14), position: Position(step: 3),
      output: { _ in }, onChange: {})
    await app.start().finish()
    let words = app.frame.text.split(separator: "\n").dropFirst(4)
      .compactMap { $0.split(separator: "│").dropFirst().first }
      .joined().split(separator: " ").joined(separator: " ")
    #expect(words.contains("the state after step 3 is lost: the line of step 2 cannot be used"))
    #expect(words.contains("Choose a step before the loss, or after the next whole state."))
    let sentence =
      "line 7: steps 6 to 9 are missing before it; states are unknown from there to the next "
      + "keyframe."
    app.say(sentence)
    let shown = app.frame.text.split(separator: "\n").suffix(2).joined()
    #expect(
      shown.hasPrefix(
        " line 7: steps 6 to 9 are missing before it; states are unknown from there to"))
    #expect(shown.contains(" the next keyframe.  "))
  }

  @Test("a text is shortened by cells, not by characters")
  func cells() {
    #expect("short".shortened(to: 12) == "short")
    #expect("one two three four".shortened(to: 12) == "one two…four")
    #expect("ああああああああああ".shortened(to: 13) == "ああああ…ああ")
  }

  @Test("marks and forks that do not fit the session are not shown, which is said")
  func strays() throws {
    let folder = try TemporaryFolder()
    let path = folder("wishes.retcon")
    let sidecar = Sidecar(session: path)
    try sidecar.update { contents in
      contents.marks = [Mark(step: 3), Mark(step: 9_999), Mark(branch: "gone", step: 1)]
      contents.branches = [
        SavedBranch(name: "f", script: Script(leavesAt: 3)),
        SavedBranch(name: "h", script: Script(parent: "h", leavesAt: 3)),
        SavedBranch(name: "late", script: Script(leavesAt: 9_999)),
      ]
    }
    let session = OpenSession(Wishes.recording, sidecar: sidecar)
    #expect(session.marks == [Position(step: 3): ""])
    #expect(session.branches.map(\.name) == ["main", "f"])
    #expect(
      session.summary.notices.suffix(3) == [
        "2 marks beside the session are on steps that it does not have; they are not shown.",
        "The fork “h” beside the session is not shown: there is no branch “h” that it could leave.",
        "The fork “late” beside the session is not shown: there is no step 9999 that it could "
          + "leave at.",
      ])
  }
}
