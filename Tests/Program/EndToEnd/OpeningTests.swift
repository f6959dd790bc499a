import Platform
import TerminalDriver
import TestSupport
import Testing

@Suite("Opening and moving", .needs(.tmux))
struct OpeningTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(CartSession.text, to: "cart.retcon")
  }

  @Test("a session is shown, and keys move in it", arguments: Extent.both)
  func keys(extent: Extent) throws {
    let session = try Retcon.inTmux([file], columns: extent.columns, rows: extent.rows)
    let first = try session.wait(for: "? help")
    #expect(first.contains("cart.retcon   main"))
    #expect(first.contains("┌ timeline "))
    #expect(first.contains("├ steps "))
    try session.press("g")
    try session.wait(for: "main   0/5")
    try session.press("j", "j", "j")
    try session.wait(until: "step 3 and its change are shown") { screen in
      screen.contains("main   3/5") && screen.contains("▸3") && screen.contains("32.14 → -7.86")
    }
    try session.press("G")
    try session.wait(for: "main   5/5")
    try session.type("2G")
    try session.wait(for: "main   2/5")
    try session.press("Up")
    try session.wait(for: "main   1/5")
    try session.press("q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("the slider follows the mouse, as tmux and as xterm send it", arguments: Extent.both)
  func slider(extent: Extent) throws {
    for terminal in ["screen-256color", "xterm-256color"] {
      let session = try Retcon.inTmux(
        [file], columns: extent.columns, rows: extent.rows,
        environment: TestEnvironment.variables(terminal: terminal))
      try session.wait(for: "? help")
      // Coordinates beyond 94 need more than one byte in the old form.
      let right = terminal == "xterm-256color" ? extent.columns - 2 : 78
      let isAtEnd = right == extent.columns - 2
      func mouse(_ button: MouseInput.Button, _ column: Int, isRelease: Bool = false) throws {
        try session.type(
          terminal == "xterm-256color"
            ? MouseInput.xterm(button, column: column, row: 3, isRelease: isRelease)
            : MouseInput.screen(button, column: column, row: 3, isRelease: isRelease))
      }
      try mouse(.left, 1)
      try session.wait(for: "main   0/5")
      try mouse(.drag, right / 2)
      try session.wait(until: "the slider has moved") { !$0.contains("main   0/5") }
      try mouse(.drag, right)
      try mouse(.left, right, isRelease: true)
      if isAtEnd { try session.wait(for: "main   5/5") }
      // The button is up: moving without it does nothing.
      try mouse(.left, 1)
      try mouse(.left, 1, isRelease: true)
      try session.wait(for: "main   0/5")
    }
  }

  @Test("a new size is filled at once", arguments: Extent.both)
  func resize(extent: Extent) throws {
    let session = try Retcon.inTmux([file], columns: extent.columns, rows: extent.rows)
    try session.wait(for: "? help")
    try session.resize(columns: 100, rows: 30)
    try session.wait(until: "the frame is 100 wide and 30 high") { screen in
      let rows = screen.split(separator: "\n", omittingEmptySubsequences: false)
      return rows.count >= 30 && rows[1].hasPrefix("┌ timeline ") && rows[1].hasSuffix("──┐")
        && rows[1].count == 100 && rows[29].contains("? help")
    }
    try session.resize(columns: 12, rows: 4)
    try session.press("j")
    try session.resize(columns: extent.columns, rows: extent.rows)
    try session.wait(for: "? help")
  }

  @Test("Ctrl-C leaves when there is nothing to stop")
  func interrupt() throws {
    let session = try Retcon.inTmux([file])
    try session.wait(for: "? help")
    try session.press("C-c")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("Ctrl-Z in the editor gives the shell back, fg the editor, and its end the screen")
  func suspendEditor() throws {
    let editor = try folder.write(
      "#!/bin/sh\necho editing\nread line\necho \"read $line\"\n", to: "editor")
    chmod(editor, 0o755)
    let session = try Retcon.shell()
    try session.type("EDITOR='\(editor)' \(Retcon.path) \(file)@3\n")
    try session.wait(for: "main   3/5")
    try session.type("v")
    try session.wait(for: "editing")
    try session.press("C-z")
    try session.wait(for: "Stopped")
    try session.type("echo $((40 + 2))\n")
    try session.wait(for: "42")
    try session.type("fg\n")
    try session.wait(for: "editor")
    try session.type("\n")
    try session.wait(for: "main   3/5")
    try session.press("Up")
    try session.wait(for: "main   2/5")
    try session.press("q")
    try session.wait(until: "the shell is back") { $0.contains("ready>") }
  }

  @Test("Ctrl-Z gives the shell back, fg the same screen")
  func suspend() throws {
    let session = try Retcon.shell()
    try session.type("\(Retcon.path) \(file)@3\n")
    try session.wait(for: "main   3/5")
    try session.press("C-z")
    try session.wait(for: "Stopped")
    #expect(try session.fact("alternate_on") == "0")
    #expect(try session.fact("mouse_any_flag") == "0")
    #expect(try session.fact("cursor_flag") == "1")
    try session.type("fg\n")
    try session.wait(for: "main   3/5")
    try session.press("Up")
    try session.wait(for: "main   2/5")
    try session.press("q")
    try session.wait(until: "the shell is back") { $0.contains("ready>") }
    #expect(try session.fact("alternate_on") == "0")
  }
}
