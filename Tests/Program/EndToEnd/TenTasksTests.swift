import TerminalDriver
import TestSupport
import Testing

/// Ten tasks of a user with a session, each with the keys that a newcomer tries first.
@Suite("Ten tasks without a manual", .needs(.tmux))
struct TenTasksTests {
  @Test("each is done with the first keys", arguments: Extent.both)
  func tasks(extent: Extent) throws {
    let folder = try TemporaryFolder()
    let session = try Retcon.inTmux(
      ["demo", "wishes", "-o", folder("wishes.retcon")], columns: extent.columns, rows: extent.rows)
    // 1. What went wrong?
    try session.wait(until: "it opens at the failure, with a sentence") { screen in
      screen.contains("main   5/28") && screen.contains("✗ wishesR")
        && screen.contains("Step 5 is the ")
    }
    // 2. Why?
    try session.type("c")
    try session.wait(for: "main   4/28")
    try session.type("[")
    try session.wait(for: "main   5/28")
    // 3. What if it had worked?
    try session.type("f")
    try session.wait(for: "succeeds instead")
    try session.type("s")
    try session.wait(until: "the fork has run, and its card says what differs") { screen in
      screen.contains("fork 1") && screen.contains("first difference from main at 5")
    }
    // 4. What is different?
    try session.type("C")
    try session.wait(for: "−  main 5 wishesResponse")
    // 5. Back.
    try session.type("z")
    try session.wait(for: "main   5/28")
    // 6. Who set this value?
    try session.type("12G2q")
    try session.press("Enter")
    try session.wait(for: "by 9 binding.name")
    try session.press("Enter")
    try session.wait(for: "main   9/28")
    try session.type("h")
    // 7. Without this step? Not meant.
    try session.type("x")
    try session.wait(for: "Step 9 was skipped")
    try session.type("x")
    try session.wait(for: "main   9/28")
    // 8. When was it so?
    try session.type(";name == 'Stef'\n")
    try session.wait(for: ";state.name == 'Stef'")
    // 9. Save a part of it.
    try session.type(":save")
    try session.wait(until: "all that saves is offered") { screen in
      [":trim 8-12 FILE", ":export FILE", ":export-state FILE"].allSatisfy(screen.contains)
    }
    try session.press("Escape")
    try session.wait(forNo: ":export-state FILE")
    // 10. The smallest session that shows it, kept as a test.
    try session.type(":minimize destination.alert\n")
    try session.wait(for: "the smallest session")
    try session.wait(for: "Enter keep it as a test")
    try session.press("Enter")
    try session.wait(for: ":test Fork")
    try session.press("C-u")
    try session.type("test \(folder("AlertTests.swift"))\n")
    try session.wait(for: "v opens it")
    #expect(folder.text("AlertTests.swift").contains("struct AlertTests"))
    #expect(
      folder.text("AlertTests.swift").contains("rule: !(state.destination.alert"),
      "it fails while the bug is there")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }
}
