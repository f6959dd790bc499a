import TerminalDriver
import Testing
import TextCanvas

@testable import TerminalKit

@Suite("Drawing")
struct DrawingTests {
  @Test("text for the clipboard is encoded as base64")
  func clipboard() {
    #expect(Clipboard.sequence(for: "") == "\u{1B}]52;c;\u{7}")
    #expect(Clipboard.sequence(for: "light work.") == "\u{1B}]52;c;bGlnaHQgd29yay4=\u{7}")
  }

  @Test("a style is selected from nothing, with the colours there are")
  func styles() {
    #expect(StyleSequence.text(for: .plain, colors: 256) == "\u{1B}[0m")
    let style = Style(foreground: .red, background: .palette(202)).bold.reverse
    #expect(StyleSequence.text(for: style, colors: 256) == "\u{1B}[0;1;7;31;48;5;202m")
    #expect(StyleSequence.text(for: style, colors: 8) == "\u{1B}[0;1;7;31;41m")
    #expect(StyleSequence.text(for: style, colors: 0) == "\u{1B}[0;1;7m")
  }

  @Test(
    "a colour that is missing becomes the nearest of eight",
    arguments: [
      (9, 1), (16, 0), (231, 7), (196, 1), (46, 2), (21, 4), (232, 0), (255, 7), (202, 1),
    ])
  func palette(color: UInt8, nearest: Int) {
    #expect(Palette.nearest(color, of: 8)?.number == nearest)
    #expect(Palette.nearest(color, of: 256)?.number == Int(color))
    #expect(Palette.nearest(color, of: 0) == nil)
  }

  @Test("a link is written once more around its cells, and ends")
  func links() {
    var canvas = Canvas(size: Size(width: 12, height: 1))
    canvas.write("at Cart:9", at: .origin, style: .plain.dim)
    canvas.link(
      Rectangle(column: 3, row: 0, width: 6, height: 1), to: .file("file://host/Cart.swift#9"))
    canvas.link(Rectangle(column: 0, row: 0, width: 2, height: 1), to: .choice(1))
    #expect(
      CellOverlay.links(canvas.links(ofRow: 0), in: canvas.row(0), row: 4, colors: 256)
        == "\u{1B}7\u{1B}[5;4H\u{1B}]8;;file://host/Cart.swift#9\u{1B}\\\u{1B}[0;2mCart:9"
        + "\u{1B}]8;;\u{1B}\\\u{1B}8")
  }

  @Test(
    "only terminals that are known to show links are sent any",
    arguments: [
      ("xterm-256color", [:], false), ("xterm-256color", ["VTE_VERSION": "7200"], true),
      ("xterm-256color", ["VTE_VERSION": "4205"], false), ("xterm-kitty", [:], true),
      ("xterm-256color", ["TERM_PROGRAM": "WezTerm"], true),
      ("xterm-256color", ["TERM_PROGRAM": "Apple_Terminal"], false),
      ("tmux-256color", ["TMUX": "/t,1,0", "VTE_VERSION": "7200", "TERM_PROGRAM": "tmux"], false),
      (
        "tmux-256color",
        ["TMUX": "/t,1,0", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"], false
      ),
      (
        "tmux-256color",
        ["TMUX": "/t,1,0", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.4"], true
      ),
      ("xterm-256color", ["FORCE_HYPERLINK": "1"], true),
      ("xterm-kitty", ["FORCE_HYPERLINK": "0"], false),
    ] as [(String, [String: String], Bool)])
  func knownTerminals(name: String, environment: [String: String], isKnown: Bool) {
    #expect(TerminalModes.knowsLinks(name: name) { environment[$0] ?? "" } == isKnown)
  }

  @Test("a screen in memory keeps what is shown and hands on what is done")
  func memory() async throws {
    let screen = MemoryScreen(size: Size(width: 5, height: 1))
    var canvas = Canvas(size: screen.size)
    canvas.write("hello", at: .origin)
    screen.present(canvas)
    screen.copy("a\u{1B}b")
    screen.send(.resize(Size(width: 9, height: 2)))
    screen.send(.key(.character("q")))
    await screen.suspend()
    #expect(try await screen.lend { 7 } == 7)
    screen.end()
    var events: [InputEvent] = []
    for await event in screen.events { events.append(event) }
    #expect(events == [.resize(Size(width: 9, height: 2)), .key(.character("q"))])
    #expect(screen.last?.text == "hello")
    #expect(screen.size == Size(width: 9, height: 2))
    #expect(screen.copied == ["a␛b"])
    #expect(screen.timesLeft == 1)
    #expect(screen.timesSuspended == 1)
    #expect(screen.hasEnded)
  }
}
