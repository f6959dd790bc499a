import TerminalDriver
import TestSupport
import Testing

/// The demo, five minutes, no manual; then one's own export.
@Suite("Somebody new", .needs(.tmux))
struct SomebodyNewTests {
  @Test(
    "sees what went wrong, who changed a value, and what would have been; and takes it back",
    arguments: Extent.both)
  func demo(extent: Extent) throws {
    let session = try Retcon.inTmux(["demo"], columns: extent.columns, rows: extent.rows)
    try session.wait(until: "a sentence says what to press, and the fork has run") { screen in
      [
        "main   26/34", "The service gave no answer here. C shows a fork in which it did",
        "Counter ●",
        "○", "f what if", "? help", "q quit",
      ].allSatisfy(screen.contains)
    }
    // The words of the sentence.
    try session.type("C")
    try session.wait(until: "both are compared") { screen in
      screen.contains("−  main 26 factFailed") && screen.contains("+  it answers 26 factReceived")
    }
    try session.type("[")
    try session.wait(for: "main   26/34")
    try drag(session, from: 50, to: 20)
    try session.wait(forNo: "main   26/34")
    try session.type("[")
    try session.wait(for: "main   26/34")
    // Who changed the count?
    try session.type("2q")
    try session.press("Enter")
    try session.wait(for: "by 24 incrementTapped")
    try session.type("g#")
    try session.wait(for: "count  142 → 143; 143 was held for 2 steps")
    try session.type("h[")
    try session.wait(for: "main   26/34")
    // A fork of one's own, with an action that can be read.
    try session.type("fi")
    try session.wait(until: "the actions are listed") { screen in
      screen.contains("fork at step 26 of main") && screen.contains("timerTapped  step 18")
    }
    try session.type("prime")
    try session.wait(until: "what was typed is found in what an action carries") { screen in
      screen.contains("factReceived \"3 is prime.\"  step 5")
        && !screen.contains("timerTapped  step")
    }
    try session.press("Enter")
    try session.wait(until: "the fork has run to its end") { screen in
      screen.contains("fork 1   27/35") && screen.contains("“fork 1” ran")
    }
    // It was not meant.
    try session.type("z")
    try session.wait(until: "it is gone, and the way back is told") { screen in
      screen.contains("main   26/34") && screen.contains("Z redoes it")
    }
    try session.type("?")
    try session.wait(for: "┌ help")
    try session.type("qq")
    #expect(try session.waitForExit() == .exited(0))
  }

  private func drag(_ session: TmuxSession, from start: Int, to end: Int) throws {
    for (button, column, isRelease) in [
      (MouseInput.Button.left, start, false), (.drag, end, false), (.left, end, true),
    ] {
      try session.type(
        MouseInput.screen(button, column: column, row: 3, isRelease: isRelease))
    }
  }

  @Test("opens an export of their own, and it has states", .needs(.node, .samples))
  func export() throws {
    let folder = try TemporaryFolder()
    let export = try folder.write(
      TemporaryFolder.bytes(of: SampleFiles.path("redux-shop.default.json")), to: "shop.json")
    let session = try Retcon.inTmux(
      [export, "--reducer", SampleFiles.path("redux-shop.reducer.mjs")])
    try session.wait(for: "/602")
    try session.type("4G")
    try session.wait(for: "total  27.14 → -0.75")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }
}
