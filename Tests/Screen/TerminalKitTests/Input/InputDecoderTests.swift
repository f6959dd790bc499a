import CTerminal
import Testing
import TextCanvas

@testable import TerminalKit

@Suite("Input")
struct InputDecoderTests {
  /// The events of keys that all wait at once.
  private func events(_ keys: [RawKey], at milliseconds: Int = 0) -> [InputEvent] {
    var decoder = InputDecoder()
    return events(keys, at: milliseconds, by: &decoder)
  }

  private func events(
    _ keys: [RawKey], at milliseconds: Int = 0, by decoder: inout InputDecoder
  ) -> [InputEvent] {
    var waiting = keys[...]
    return decoder.events(at: milliseconds) { waiting.popFirst() }
  }

  private func characters(_ text: String) -> [RawKey] {
    text.unicodeScalars.map { .character($0.value) }
  }

  @Test("an escape by itself is a key, before a character it is alt")
  func escape() {
    #expect(events(characters("\u{1B}")) == [.key(.escape)])
    #expect(events(characters("\u{1B}x")) == [.key(.alt("x"))])
    #expect(events(characters("\u{1B}[")) == [.key(.alt("["))])
    #expect(events(characters("\u{1B}\u{1B}")) == [.key(.escape), .key(.escape)])
    #expect(events([.character(0x1B), .code(KEY_UP)]) == [.key(.escape), .key(.up)])
    #expect(events(characters("\u{1B}\r")) == [.key(.escape), .key(.enter)])
  }

  @Test("sequences that nobody knows are left out as a whole")
  func unknown() {
    #expect(events(characters("\u{1B}[1;9Zj")) == [.key(.character("j"))])
    #expect(events(characters("\u{1B}]11;rgb:0/0/0\u{7}j")) == [.key(.character("j"))])
    #expect(events(characters("\u{1B}]11;x\u{1B}\\j")) == [.key(.character("j"))])
  }

  @Test("mouse reports of mode 1006 are read where ncurses does not know them")
  func mouseReports() {
    let reports = "\u{1B}[<0;300;5M\u{1B}[<32;301;6M\u{1B}[<36;302;6M\u{1B}[<0;302;6m"
    #expect(
      events(characters(reports + "\u{1B}[<65;230;1Mj\u{1B}[<2;9;9M"))
        == [
          .mouse(Mouse(.press, column: 299, row: 4)), .mouse(Mouse(.drag, column: 301, row: 5)),
          .mouse(Mouse(.release, column: 301, row: 5)),
          .mouse(Mouse(.wheelDown, column: 229, row: 0)), .key(.character("j")),
          .mouse(Mouse(.rightPress, column: 8, row: 8)),
        ])
    for wrong in [
      "<0;0;5M", "<0;1M", "<0;1;1;1M", "<:;1;1M", "<0;99999999999999999999;1M", "<M", "<1;2;3Z",
    ] {
      #expect(events(characters("\u{1B}[\(wrong)j")) == [.key(.character("j"))], "\(wrong)")
    }
  }

  @Test("keys without an end come in parts, and no sequence is torn apart")
  func endless() {
    let most = InputDecoder.mostAtOnce
    var decoder = InputDecoder()
    let endless = decoder.events(at: 0) { .character(0x6A) }
    #expect(endless == Array(repeating: .key(.character("j")), count: most))
    #expect(decoder.hasMore)
    var rest = (characters(String(repeating: "j", count: most - 1) + "\u{1B}x"))[...]
    let torn = decoder.events(at: 0) { rest.popFirst() }
    #expect(torn.count == most && torn.last == .key(.alt("x")))
    #expect(decoder.hasMore)
    #expect(decoder.events(at: 0) { rest.popFirst() } == [])
    #expect(!decoder.hasMore)
  }

  @Test("controls have their names")
  func controls() {
    #expect(
      events(characters("\u{1}\u{9}\u{D}\u{A}\u{7F}\u{8}\u{0}\u{1A}\u{1C}")) == [
        .key(.control("a")), .key(.tab), .key(.enter), .key(.enter), .key(.backspace),
        .key(.backspace), .key(.control(" ")), .key(.control("z")), .key(.control("\\")),
      ])
  }

  @Test("what is pasted is one text, whatever keys it looks like, also when it comes in pieces")
  func paste() {
    var decoder = InputDecoder()
    #expect(events([.code(OwnKey.pasteBegins)] + characters("a\rq"), by: &decoder) == [])
    #expect(
      events([.code(KEY_UP)] + characters("日\u{1B}[2J") + [.code(OwnKey.pasteEnds)], by: &decoder)
        == [.paste("a\nq日\u{1B}[2J")])
    #expect(events(characters("q"), by: &decoder) == [.key(.character("q"))])
  }

  @Test("a paste whose end never comes holds up no key: Ctrl-C ends it, and so does a pause")
  func endlessPaste() {
    var decoder = InputDecoder()
    #expect(events([.code(OwnKey.pasteBegins)] + characters("x"), by: &decoder) == [])
    #expect(
      events(characters("y\u{3}q"), at: 10, by: &decoder)
        == [.paste("xy"), .key(.control("c")), .key(.character("q"))])
    #expect(events([.code(OwnKey.pasteBegins)] + characters("x"), at: 20, by: &decoder) == [])
    #expect(events(characters("y"), at: 1_900, by: &decoder) == [])
    #expect(
      events(characters("\u{1B}"), at: 3_900, by: &decoder) == [.paste("xy"), .key(.escape)])
    #expect(events(characters("q"), at: 3_901, by: &decoder) == [.key(.character("q"))])
  }

  @Test("of a run of drags only the last place is told")
  func drags() {
    func raw(_ action: Mouse.Action, _ column: Int) -> RawKey {
      .mouse(Mouse(action, column: column, row: 1))
    }
    #expect(
      events([
        raw(.drag, 1), raw(.press, 2), raw(.drag, 3), raw(.drag, 4), raw(.drag, 5),
        raw(.release, 5), raw(.release, 5), raw(.drag, 9), raw(.rightPress, 9),
      ]) == [
        .mouse(Mouse(.press, column: 2, row: 1)), .mouse(Mouse(.drag, column: 5, row: 1)),
        .mouse(Mouse(.release, column: 5, row: 1)),
        .mouse(Mouse(.rightPress, column: 9, row: 1)),
      ])
  }

  @Test(
    "a second press at the same place within 400 milliseconds is a double click, a third is not")
  func doubleClick() {
    var decoder = InputDecoder()
    func press(at milliseconds: Int, column: Int) -> Mouse.Action? {
      let key = RawKey.mouse(Mouse(.press, column: column, row: 0))
      guard case .mouse(let mouse)? = events([key], at: milliseconds, by: &decoder).first else {
        return nil
      }
      return mouse.action
    }
    #expect(press(at: 0, column: 3) == .press)
    #expect(press(at: 400, column: 3) == .doubleClick)
    #expect(press(at: 500, column: 3) == .press)
    #expect(press(at: 600, column: 4) == .press)
    #expect(press(at: 1_001, column: 4) == .press)
  }
}
