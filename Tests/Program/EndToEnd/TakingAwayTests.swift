import TerminalDriver
import TestSupport
import Testing

@Suite("Taking something away")
struct TakingAwayTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(CartSession.text, to: "cart.retcon")
  }

  @Test("some steps are written as a session that opens again", .needs(.tmux))
  func trim() throws {
    let trimmed = folder("part.retcon")
    let session = try Retcon.inTmux([file], columns: 120, rows: 40)
    try session.wait(for: "? help")
    try session.type(":trim 2-4 \(trimmed)\n")
    try session.wait(until: "the part is written") { _ in
      folder.text("part.retcon").contains(#"{"end":4"#)
    }
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))

    let part = try Retcon.inTmux([trimmed + "@3"], columns: 120, rows: 40)
    try part.wait(until: "step 3 of the part is shown") { screen in
      screen.contains("part.retcon   main   3/4") && screen.contains("couponApplied")
        && screen.contains("32.14 → -7.86")
    }
  }

  @Test("what is named behind the file is left out of it; a wrong word is said", .needs(.tmux))
  func redacted() throws {
    let session = try Retcon.inTmux([file], columns: 120, rows: 40)
    try session.wait(for: "? help")
    try session.type(":export 1-4 \(folder("a.retcon")) --redact-word x\n")
    try session.wait(for: "there is no option --redact-word")
    try session.type(":trim 1-4 \(folder("b.retcon")) --redact /total --redact-text Tea|TENOFF\n")
    try session.wait(until: "the part is written") { _ in
      folder.text("b.retcon").contains(#"{"end":4"#)
    }
    let text = folder.text("b.retcon")
    for word in ["Tea", "TENOFF", "9.5", "32.14"] { #expect(!text.contains(word)) }
    #expect(text.contains("Lamp"))
    #expect(folder.text("a.retcon").isEmpty)
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("a frame is printed without a terminal")
  func print() throws {
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-c", "\(Retcon.path) \(file)@3 --print 80x24 > \(folder("frame.txt"))"])
    #expect(try terminal.waitForExit() == .exited(0))
    let rows = folder.text("frame.txt").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(rows.count == 25)
    #expect(rows[0].hasPrefix(" cart.retcon   main   3/5"))
    #expect(rows[1].hasPrefix("┌ timeline ") && rows[1].hasSuffix("──┐") && rows[1].count == 80)
    #expect(rows.contains { $0.contains("32.14 → -7.86") })
  }

  @Test("a value is copied to the terminal's clipboard as safe text", .needs(.tmux))
  func copy() throws {
    let hostile = try folder.write(CartSession.hostile, to: "hostile.retcon")
    let session = try Retcon.inTmux([hostile + "@1"], columns: 120, rows: 40)
    try session.wait(for: "? help")
    try session.acceptClipboard()
    // Into the pane, and the value under the cursor there.
    try session.press("Enter", "y")
    try session.press("v")
    let copied = try session.clipboard()
    #expect(copied.contains("␛") || copied.contains("\\u001b"), "\(copied)")
    #expect(!copied.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
  }

  @Test("a value is shown in the person's editor, and the screen comes back", .needs(.tmux))
  func editor() throws {
    let editor = try folder.write("cat \"$1\"; echo; echo editing; read line\n", to: "editor.sh")
    var environment = TestEnvironment.variables(terminal: "screen-256color")
    environment["EDITOR"] = "/bin/sh \(editor)"
    let session = try Retcon.inTmux(
      [file + "@3"], columns: 120, rows: 40, environment: environment)
    try session.wait(for: "? help")
    try session.press("Enter", "v")
    let shown = try session.wait(for: "editing")
    #expect(shown.contains("-7.86"))
    #expect(try session.fact("mouse_any_flag") == "0")
    try session.press("Enter")
    try session.wait(for: "main   3/5")
    #expect(try session.fact("alternate_on") == "1")
    try session.press("q", "q")
  }
}
