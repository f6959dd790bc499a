import Platform
import TerminalDriver
import TestSupport
import Testing

@Suite("In a real terminal", .needs(.tmux))
struct TmuxTests {
  @Test("wide, joined and hostile text stands in its cells, and what follows it too")
  func difficultText() throws {
    let session = try Probe.inTmux()
    let screen = try session.wait(for: "line 2")
    let rows = screen.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rows[0] == "┌ probe 80x24 \(String(repeating: "─", count: 65))┐")
    #expect(rows[1].hasPrefix("│日本 e\u{301} "))
    #expect(rows[1].contains("| ␛[31m ‹U+202E›"))
    #expect(rows[1].hasSuffix("│"))
    #expect(rows[23] == "└\(String(repeating: "─", count: 78))┘")
    let styled = try session.styledScreen()
    #expect(styled.contains("\u{1B}[7mselected\u{1B}[0m"))
    #expect(styled.contains("\u{1B}[31mred"))
    #expect(styled.contains("\u{1B}[1mbold"))
  }

  @Test(
    "keys arrive by their names",
    arguments: [
      ("Up", "key up"), ("PageDown", "key pageDown"), ("F5", "key function(5)"),
      ("Escape", "key escape"), ("M-x", "key alt(\"x\")"), ("C-d", "key control(\"d\")"),
      ("BTab", "key backTab"),
      ("Enter", "key enter"), ("BSpace", "key backspace"), ("é", "key character(\"é\")"),
      ("Home", "key home"),
      ("DC", "key delete"), ("Space", "key character(\" \")"),
    ])
  func keys(name: String, event: String) throws {
    let session = try Probe.inTmux()
    try session.press(name)
    try session.wait(for: event)
  }

  @Test("an unknown sequence of keys is left out as a whole")
  func unknownSequence() throws {
    let session = try Probe.inTmux()
    try session.type("\u{1B}[1;9Zj")
    let screen = try session.wait(for: "key character(\"j\")")
    #expect(!screen.contains("character(\"1\")"))
  }

  @Test("the mouse is pressed, dragged, released and turned, as tmux sends it")
  func mouseInTmux() throws {
    let session = try Probe.inTmux()
    #expect(try session.fact("mouse_button_flag") == "1")
    try session.type(MouseInput.screen(.left, column: 4, row: 2))
    try session.wait(for: "mouse press 4,2")
    try session.type(MouseInput.screen(.drag, column: 9, row: 3))
    try session.wait(for: "mouse drag 9,3")
    try session.type(MouseInput.screen(.left, column: 9, row: 3, isRelease: true))
    try session.wait(for: "mouse release 9,3")
    try session.type(MouseInput.screen(.wheelDown, column: 1, row: 1))
    try session.wait(for: "mouse wheelDown 1,1")
    try session.press("m")
    try session.wait(until: "the mouse is off") { _ in
      try session.fact("mouse_any_flag") == "0"
    }
  }

  @Test(
    "the mouse is understood beyond column 223, under tmux too",
    arguments: ["xterm-256color", "tmux-256color", "screen-256color"])
  func mouseFarRight(terminal: String) throws {
    let session = try Probe.inTmux(terminal: terminal, columns: 250, rows: 30)
    try session.wait(until: "reports of any column are asked for") { _ in
      try session.fact("mouse_sgr_flag") == "1"
    }
    try session.type(MouseInput.xterm(.left, column: 240, row: 2))
    try session.wait(for: "mouse press 240,2")
    try session.type(MouseInput.xterm(.drag, column: 241, row: 3))
    try session.wait(for: "mouse drag 241,3")
    try session.type(MouseInput.xterm(.left, column: 241, row: 3, isRelease: true))
    try session.wait(for: "mouse release 241,3")
    try session.type(
      MouseInput.xterm(.left, column: 5, row: 5)
        + MouseInput.xterm(.left, column: 5, row: 5, isRelease: true)
        + MouseInput.xterm(.left, column: 5, row: 5))
    try session.wait(for: "mouse doubleClick 5,5")
  }

  @Test("what is pasted arrives as one text")
  func paste() throws {
    let session = try Probe.inTmux()
    try session.paste("two\nlines q")
    try session.wait(for: #"paste "two\nlines q""#)
  }

  @Test("a new size is told, and the picture fills it")
  func resize() throws {
    let session = try Probe.inTmux()
    try session.resize(columns: 100, rows: 30)
    try session.wait(until: "the frame is new and the size is told") { screen in
      screen.contains("probe 100x30") && screen.contains("resize 100x30")
    }
    try session.resize(columns: 10, rows: 3)
    try session.wait(for: "┌ prob")
    try session.resize(columns: 80, rows: 24)
    try session.wait(for: "probe 80x24")
  }

  @Test("drawing again takes away what another program wrote over the picture")
  func redraw() throws {
    let session = try Probe.inTmux()
    let tty = open(try session.fact("pane_tty"), O_WRONLY | O_NOCTTY)
    defer { close(tty) }
    let text = Array("\u{1B}[3;1Hsomebody else wrote this".utf8)
    #expect(text.withUnsafeBytes { WholeTransfer.write($0, to: tty) })
    try session.wait(for: "somebody else")
    try session.press("l")
    try session.wait(until: "it is gone") { !$0.contains("somebody else") }
  }

  @Test("Ctrl-Z leaves a whole shell, and coming back draws everything again")
  func suspend() throws {
    let session = try TmuxSession(
      "/bin/bash", ["--norc", "--noprofile", "-i"], columns: 80, rows: 24)
    try session.type("PS1='ready> '; stty -a | head -1\n")
    try session.wait(for: "ready>")
    try session.type("\(Probe.path)\n")
    try session.wait(for: "probe 80x24")
    try session.press("z")
    try session.wait(for: "Stopped")
    #expect(try session.fact("alternate_on") == "0")
    #expect(try session.fact("mouse_any_flag") == "0")
    #expect(try session.fact("cursor_flag") == "1")
    try session.type("echo $((40 + 2))\n")
    try session.wait(for: "42")
    try session.type("fg\n")
    try session.wait(for: "probe 80x24")
    #expect(try session.fact("alternate_on") == "1")
    try session.wait(until: "the mouse is back") { _ in
      try session.fact("mouse_button_flag") == "1"
    }
    try session.press("Up")
    try session.wait(for: "key up")
    try session.press("q")
    try session.wait(for: "ready>")
  }

  @Test("a terminal without a second screen is empty afterwards")
  func cleared() throws {
    let session = try TmuxSession(
      "/bin/bash", ["--norc", "--noprofile", "-i"], columns: 80, rows: 24)
    try session.type("PS1='ready> '; TERM=vt100 \(Probe.path)\n")
    try session.wait(for: "line 2")
    try session.press("q")
    try session.wait(until: "only the prompt is there") { screen in
      screen.hasPrefix("ready>") && !screen.contains("probe")
    }
  }

  @Test("one fg is enough after kill -TSTP, whatever a thread is doing when it comes")
  func stoppedFromOutside() throws {
    let session = try TmuxSession(
      "/bin/bash", ["--norc", "--noprofile", "-i"], columns: 80, rows: 24)
    try session.type("PS1='ready> '; clear\n")
    try session.wait(for: "ready>")
    try session.type("'\(Probe.path)' --holds-stop\n")
    try session.wait(for: "probe 80x24")
    for _ in 0..<20 {
      try session.press("S")
      try session.wait(for: "Stopped")
      try session.type("clear; fg\n")
      try session.wait(for: "probe 80x24")
    }
    try session.press("q")
    try session.wait(for: "ready>")
  }

  @Test("an editor gets a whole terminal, Ctrl-C included, and the picture comes back after it")
  func editor() throws {
    let session = try Probe.inTmux()
    try session.press("e")
    try session.wait(for: "edited")
    #expect(try session.fact("mouse_any_flag") == "0")
    #expect(try session.fact("alternate_on") == "0")
    try session.press("Enter")
    try session.wait(until: "the frame is back") { screen in
      screen.hasPrefix("┌ probe 80x24") && screen.contains("left 0")
    }
    #expect(try session.fact("alternate_on") == "1")
    try session.press("e")
    try session.wait(for: "edited")
    try session.press("C-c")
    try session.wait(for: "left 2")
  }

  @Test("after a crash the shell has its terminal as it was")
  func crash() throws {
    let session = try TmuxSession(
      "/bin/sh", ["-c", "\(Probe.path); echo ended with $?; read line"], columns: 80, rows: 24)
    try session.wait(for: "probe 80x24")
    try session.press("t")
    let screen = try session.wait(for: "ended with 13")
    #expect(!screen.contains("probe 80x24"))
    #expect(try session.fact("alternate_on") == "0")
    #expect(try session.fact("mouse_any_flag") == "0")
    #expect(try session.fact("cursor_flag") == "1")
  }

  @Test(
    "after an end that nobody can handle the shell has its terminal as it was",
    arguments: ["kill -KILL", "stack overflow"])
  func unhandled(end: String) throws {
    let session = try TmuxSession(
      "/bin/sh", ["-c", "\(Probe.path); read line; stty -a"], columns: 80, rows: 24)
    try session.wait(for: "probe 80x24")
    if end == "stack overflow" {
      try session.press("o")
    } else {
      try session.press("K")
    }
    try session.wait(until: "the terminal is restored") { _ in
      try session.fact("alternate_on") == "0"
    }
    #expect(try session.fact("mouse_any_flag") == "0")
    #expect(try session.fact("cursor_flag") == "1")
    try session.press("Enter")
    let screen = try session.wait(for: "echoctl")
    #expect(screen.contains(" icanon"))
    #expect(screen.contains(" echo "))
  }

  @Test("without a Unicode locale everything is ASCII")
  func ascii() throws {
    var environment = TestEnvironment.variables(terminal: "screen-256color")
    environment["LANG"] = "C"
    environment["LC_ALL"] = "C"
    let session = try TmuxSession(Probe.path, columns: 80, rows: 24, environment: environment)
    let screen = try session.wait(until: "the whole frame is drawn") { screen in
      screen.split(separator: "\n").last?.hasPrefix("+----") == true
    }
    #expect(screen.utf8.allSatisfy { $0 < 0x7F })
    #expect(screen.hasPrefix("+ probe 80x24 -----"))
  }

  @Test("NO_COLOR means no colours, while bold and selection stay")
  func noColor() throws {
    var environment = TestEnvironment.variables(terminal: "screen-256color")
    environment["NO_COLOR"] = "1"
    let session = try TmuxSession(Probe.path, columns: 80, rows: 24, environment: environment)
    try Probe.wait(forWholeFrameOf: session)
    let styled = try session.styledScreen()
    #expect(!styled.contains("\u{1B}[31m"))
    #expect(styled.contains("\u{1B}[1mbold"))
    #expect(styled.contains("\u{1B}[7mselected"))
  }
}
