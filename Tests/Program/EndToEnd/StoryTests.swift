import TerminalDriver
import TestSupport
import Testing

/// Who disabled the button? A person's way from a bug report to two forks that answer it.
@Suite("Who disabled the button?", .needs(.tmux))
struct StoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "the request that never came back is found, answered in two ways, compared and exported",
    arguments: Extent.both)
  func story(extent: Extent) throws {
    let session = try Retcon.inTmux(
      ["demo", "wishes", "-o", folder("wishes.retcon")], columns: extent.columns, rows: extent.rows)
    try session.wait(for: "●")
    try session.type("G")
    try session.wait(until: "the button's last change is shown") { screen in
      screen.contains("main   28/28") && screen.contains("\"loading\"")
    }
    // Its effect is flagged, and answered with a failure that was recorded before.
    try session.type("4q")
    try session.wait(until: "the effect is flagged") { screen in
      screen.contains("!    fetchWishes  28 → …  never ended")
    }
    try answer(session, named: "api fails", moves: 0)
    try session.wait(until: "the fork shows the alert and the button enabled") { screen in
      screen.contains("api fails   29/29") && screen.contains("new step, after your edit")
    }
    try session.press("M-1")
    try session.wait(until: "the alert is there, and the button enabled") { screen in
      screen.contains("\"enabled\"") && screen.contains("alert  {3}")
    }
    try session.type("D")
    try session.wait(until: "main's last step is compared") { screen in
      screen.contains("“main” does not have this step")
        && screen.contains("−  main 28 discoverWishesTapped")
        && screen.contains("“main” has no step here")
    }
    // The answer is taken back and given again; then, in a fork beside it, another one.
    try session.type("z")
    try session.wait(for: "“api fails” was taken back")
    try session.type("Z")
    try session.wait(for: "api fails   29/29")
    try session.type("B")
    try session.wait(for: "fetchWishes sends wishesResponse")
    try session.press("Up", "Enter")
    try session.wait(for: "main   28/28")
    try answer(session, named: "api works", moves: 2)
    try session.wait(for: "api works   29/29")
    try session.type("CC")
    try session.wait(for: "−  api fails 29 wishesResponse")
    try note(session)
    try export(session)
    // If the diff has a pane of its own, Alt-1 went into it, and `q` would only go back.
    try session.type(":q\n")
    #expect(try session.waitForExit() == .exited(0))
  }

  private func answer(_ session: TmuxSession, named name: String, moves: Int) throws {
    try session.type("a")
    try session.wait(until: "the recorded answers are offered") { screen in
      screen.contains("wishesResponse success") && screen.contains("finishes  step 5")
    }
    for _ in 0..<moves { try session.press("Down") }
    // The name stands before the word.
    try session.press("Tab", "C-a", "M-f")
    try session.type(" --name \"\(name)\"\n")
  }

  private func note(_ session: TmuxSession) throws {
    try session.type("B")
    try session.wait(for: "M note")
    try session.type("M")
    try session.wait(for: "note on “api works”:")
    try session.type("so the reducer is right\n")
    try session.wait(until: "both forks are listed, one with its note") { screen in
      screen.contains("api fails  leaves main at 28, 1 step")
        && screen.contains("api works  “so the reducer is right”")
    }
    try session.press("q")
  }

  private func export(_ session: TmuxSession) throws {
    try session.type(":export \(folder("works.retcon"))\n")
    try session.wait(for: "with 29 steps.")
    let verify = try PseudoTerminal(
      Retcon.path,
      ["verify", folder("works.retcon"), "--host", "\(Retcon.path) serve-sample wishes"])
    #expect(try verify.waitForExit() == .exited(0))
    #expect(folder.text("works.retcon").contains(#""standing":["edited","new"]"#))
    try session.type(":export-state \(folder("state.json"))\n")
    try session.wait(for: "The state after api works/29 is in")
    #expect(folder.text("state.json").contains(#""discoverButtonState": "enabled""#))
    // Existing files are never replaced.
    try session.type(":export-state \(folder("state.json"))\n")
    try session.wait(for: "remove it first.")
  }

  @Test("a value is set, a step is skipped and moved, and each is taken back")
  func editing() throws {
    let session = try Retcon.inTmux(["demo"], columns: 120, rows: 40)
    // The message about the demo's fork covers the hints of keys that the test waits for below.
    try session.wait(for: "○")
    try session.type("3G")
    try session.wait(for: "main   3/34")
    // The second pane is the state; opened, its first value is the count.
    try session.type("2q")
    try session.press("Enter")
    try session.wait(for: "= set")
    try session.type("l")
    try session.wait(for: "count: 3")
    try session.type("=")
    try session.wait(for: "was 3")
    try session.press("C-w")
    try session.type("[4x\n")
    try session.wait(for: "this is not JSON: ")
    // The cursor is at the mistake.
    try session.press("C-k", "C-w")
    try session.type("40\n")
    try session.wait(until: "the fork has the value") { screen in
      screen.contains("fork 1   4/") && screen.contains("state set by hand")
    }
    try session.type("hx")
    try session.wait(forNo: "state set by hand")
    try session.type("z")
    try session.wait(for: "state set by hand")
    try session.type("B")
    try session.wait(for: "sets /")
    try session.type("q")
    try session.wait(forNo: "sets /")
    try session.type("6G>")
    try session.wait(for: "fork 1   7/")
    try session.type("B")
    try session.wait(for: "moves 6 ")
    try session.type("q")
    try session.type("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("a large value is changed in the person's editor, and kept when it is no JSON")
  func editor() throws {
    let script = try folder.write(
      "#!/bin/sh\nif grep -q oops \"$1\"; then echo '{\"decrementTapped\":{}}' > \"$1\"\n"
        + "else printf '{\\n  oops\\n}\\n' > \"$1\"; fi\n", to: "editor.sh")
    var environment = TestEnvironment.variables(terminal: "screen-256color")
    environment["EDITOR"] = "sh \(script)"
    environment["VISUAL"] = nil
    let session = try Retcon.inTmux(
      ["demo"], columns: 100, rows: 30, environment: environment)
    try session.wait(for: "●")
    try session.type("3G")
    try session.wait(for: "main   3/34")
    try session.type("=")
    try session.wait(for: ":fork replace incrementTapped")
    try session.press("C-o")
    try session.wait(for: "expected a key or }, found o")
    try session.press("C-o")
    try session.wait(for: "{\"decrementTapped\":{}}")
    try session.press("Enter")
    try session.wait(for: "fork 1   3/31")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }
}
