import TerminalDriver
import TestSupport
import Testing

@Suite("A file nobody should trust")
struct HostileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The sequences that the file tries to send to the terminal.
  private static let attacks = [
    "\u{1B}]", "\u{1B}P", "\u{1B}c", "\u{1B}[2J", "\u{1B}[3J", "\u{1B}[8m", "\u{1B}[5m",
    "\u{1B}[6n", "\u{9B}", "\u{9D}", "\u{202E}", "\u{200B}",
  ]

  @Test("no control in it reaches the terminal, from whatever pane")
  func panes() throws {
    let file = try folder.write(CartSession.hostile, to: "hostile.retcon")
    let terminal = try PseudoTerminal(Retcon.path, [file], columns: 120, rows: 40)
    try terminal.wait(for: " help")
    // The first frame clears the screen, which is the program's own doing.
    let start = terminal.output.count
    terminal.type("gj")
    for pane in 1...6 { terminal.type("j\u{1B}\(pane)") }
    terminal.type("\u{1B}2")
    try terminal.wait(for: "␛", after: start)
    // Back from the pane, whose help begins otherwise.
    terminal.type("q?")
    try terminal.wait(for: "move in time", after: start)
    terminal.type("qq")
    #expect(try terminal.waitForExit() == .exited(0))
    let written = String(decoding: terminal.output, as: UTF8.self)
    for attack in Self.attacks where attack != "\u{1B}[2J" {
      #expect(!written.unicodeScalars.contains(attack), "\(attack.debugDescription)")
    }
    #expect(written.unicodeScalars.count(of: "\u{1B}[2J") <= 1)
  }

  @Test("what is printed without a terminal is as safe")
  func print() throws {
    let file = try folder.write(CartSession.hostile, to: "hostile.retcon")
    let terminal = try PseudoTerminal(Retcon.path, [file + "@1", "--print", "100x30"])
    #expect(try terminal.waitForExit() == .exited(0))
    let written = String(decoding: terminal.output, as: UTF8.self)
    #expect(written.contains("␛]52;c;b3duZWQ=␇"))
    #expect(
      written.unicodeScalars.allSatisfy { scalar in
        scalar == "\r" || scalar == "\n"
          || ![.control, .format, .privateUse].contains(scalar.properties.generalCategory)
      })
  }

  @Test("a file that cannot be read gives one sentence on standard error, and exit status 2")
  func troubles() throws {
    let cases = [
      ("missing.retcon", nil, ": there is no such file. Check the name."),
      (
        "empty.retcon", "",
        ": the file is empty. Nothing was recorded; check that the app called the recorder and "
          + "finished it."
      ),
      ("prose.retcon", "Dear reader,\nthis is a letter.\n", ", line 1: this is not a session"),
    ]
    for (name, text, words) in cases {
      let file = folder(name)
      if let text { _ = try folder.write(text, to: name) }
      let terminal = try PseudoTerminal(Retcon.path, [file], columns: 250)
      #expect(try terminal.waitForExit() == .exited(2), "\(name)")
      // The screen may have been taken to say that the file is being opened.
      #expect(terminal.privateModes.isDisjoint(with: [1049, 1000, 1002, 1006, 2004]))
      #expect(terminal.modes == terminal.modesBefore)
      let written = terminal.visibleOutput
      let sentence = written.split(separator: "retcon: \(file)").last ?? ""
      #expect(sentence.hasPrefix(words), "\(written)")
      #expect(!sentence.contains("␛"), "\(written)")
      #expect(sentence.split(whereSeparator: \.isNewline).count <= 2, "\(written)")
    }
  }

  @Test("a file that is cut in the middle opens with a notice", .needs(.tmux))
  func cut() throws {
    let cut = String(CartSession.text.dropLast(200))
    let file = try folder.write(cut, to: "cut.retcon")
    let session = try Retcon.inTmux([file], columns: 120, rows: 40)
    let screen = try session.wait(for: "? help")
    #expect(screen.contains("cut.retcon   main"))
    try session.type(":notices\n")
    try session.wait(for: "incomplete")
    try session.press("q", "q")
  }
}

extension String.UnicodeScalarView {
  fileprivate func contains(_ text: String) -> Bool { count(of: text) > 0 }

  /// How often the scalars of a text stand here one after the other.
  fileprivate func count(of text: String) -> Int {
    let wanted = Array(text.unicodeScalars)
    let all = Array(self)
    guard all.count >= wanted.count else { return 0 }
    return (0...all.count - wanted.count).count { start in
      all[start] == wanted[0] && all[start..<start + wanted.count].elementsEqual(wanted)
    }
  }
}
