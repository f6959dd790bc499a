import Testing

@testable import TextCanvas

@Suite("Canvas")
struct CanvasTests {
  @Test("a box with a title and text inside it")
  func box() {
    var canvas = Canvas(size: Size(width: 20, height: 4))
    canvas.box(canvas.bounds, title: "steps")
    canvas.inside(canvas.bounds.inset()) { inner in
      let column = inner.write("813 ", at: .origin, style: .plain.dim)
      inner.write(
        "wishesResponseReceived", at: Point(column: column, row: 0),
        width: inner.size.width - column)
      inner.write("日本語", at: Point(column: 0, row: 1))
    }
    #expect(
      canvas.text == """
        ┌ steps ───────────┐
        │813 wishesRespons…│
        │日本語            │
        └──────────────────┘
        """)
  }

  @Test("writing answers the column after the text, at most the edge")
  func columnAfter() {
    var canvas = Canvas(size: Size(width: 6, height: 1))
    #expect(canvas.write("abc", at: .origin) == 3)
    #expect(canvas.write("日", at: Point(column: 3, row: 0)) == 5)
    #expect(canvas.write("too long", at: Point(column: 4, row: 0)) == 6)
    #expect(canvas.write("far off", at: Point(column: 9, row: 0)) == 9)
    #expect(canvas.write("below", at: Point(column: 0, row: 7)) == 5)
    #expect(canvas.text == "abc too".prefix(4) + "to")
  }

  @Test("text that begins left of the area shows its right part")
  func leftOfArea() {
    var canvas = Canvas(size: Size(width: 4, height: 1))
    canvas.write("abcdef", at: Point(column: -2, row: 0))
    #expect(canvas.text == "cdef")
    canvas.write("日本語", at: Point(column: -1, row: 0), style: .selected)
    #expect(canvas.text == " 本")
    #expect(canvas[.origin]?.style == .selected)
  }

  @Test("nothing is drawn outside an area, nor outside the area around it")
  func clipping() {
    var canvas = Canvas(size: Size(width: 8, height: 3))
    canvas.fill(canvas.bounds, with: ".")
    canvas.inside(Rectangle(column: 2, row: 1, width: 10, height: 5)) { outer in
      #expect(outer.size == Size(width: 10, height: 5))
      outer.inside(Rectangle(column: -1, row: 0, width: 4, height: 9)) { inner in
        inner.fill(Rectangle(column: -5, row: -5, width: 50, height: 50), with: "x")
      }
      outer.write("0123456789", at: Point(column: 0, row: 1))
    }
    #expect(
      canvas.text == """
        ........
        ..xxx...
        ..012345
        """)
    #expect(canvas.size == Size(width: 8, height: 3))
  }

  @Test("overwriting half of a wide character leaves a blank in its other half")
  func halves() {
    var canvas = Canvas(size: Size(width: 6, height: 1))
    canvas.write("日本語", at: .origin)
    canvas.write("x", at: Point(column: 1, row: 0))
    #expect(canvas.text == " x本語")
    canvas.write("y", at: Point(column: 2, row: 0))
    #expect(canvas.text == " xy 語")
    canvas.write("中", at: Point(column: 3, row: 0))
    #expect(canvas.text == " xy中")
    canvas.write("日本語", at: .origin)
    canvas.write("中", at: Point(column: 1, row: 0))
    #expect(canvas.text == " 中 語")
    canvas.write("中", at: Point(column: 2, row: 0))
    #expect(canvas.text == "  中語")
    #expect(canvas.row(0).map(\.width) == [1, 1, 2, 0, 2, 0])
  }

  @Test("a wide character has no room in the last column")
  func wideAtEdge() {
    var canvas = Canvas(size: Size(width: 3, height: 1))
    canvas.write("日本", at: .origin, style: .selected)
    #expect(canvas.text == "日")
    #expect(canvas[Point(column: 2, row: 0)] == .blank(.selected))
  }

  @Test("text aligned to the right ends where its cells end")
  func alignment() {
    var canvas = Canvas(size: Size(width: 8, height: 2))
    #expect(canvas.write("日1", at: .origin, width: 8, alignment: .right) == 8)
    #expect(
      canvas.write("abcdefg", at: Point(column: 0, row: 1), width: 4, alignment: .right) == 4)
    #expect(canvas.text == "     日1\nabc…")
  }

  @Test("no cell holds a control, whatever is written")
  func hostile() {
    var canvas = Canvas(size: Size(width: 40, height: 1))
    canvas.write("\u{1B}]0;x\u{7}\u{9B}2J\u{202E}a\u{301}\u{FE0F}", at: .origin)
    #expect(canvas.text == "␛]0;x␇‹U+009B›2J‹U+202E›a\u{301}‹U+FE0F›")
    canvas.fill(canvas.bounds, with: "\u{1B}")
    #expect(canvas.text == String(repeating: "␛", count: 40))
  }

  @Test("styles stay with their cells, and a line can be selected afterwards")
  func styles() {
    var canvas = Canvas(size: Size(width: 8, height: 2))
    canvas.write("ab", at: .origin, style: .plain.bold.foreground(.red))
    canvas.write("cd", at: Point(column: 2, row: 1))
    canvas.restyle(Rectangle(column: 0, row: 1, width: 9, height: 9), \.reverse)
    #expect(
      canvas.picture { style in
        if style.attributes.contains(.reverse) { return "#" }
        return style.foreground == .red ? "r" : "."
      } == """
        rr......
        ########
        """)
    #expect(canvas[.origin]?.style == .plain.bold.foreground(.red))
  }

  @Test("a terminal without Unicode gets the same picture in ASCII, every cell in its place")
  func ascii() {
    var canvas = Canvas(size: Size(width: 14, height: 3))
    canvas.box(canvas.bounds, title: "é→日")
    canvas.write("●━▸ 日本 ✗ ␛", at: Point(column: 1, row: 1))
    #expect(
      canvas.asciiOnly.text == """
        + ?>?  ------+
        |*-> ? ?  x ^|
        +------------+
        """)
    #expect(canvas.asciiOnly.text.utf8.allSatisfy { $0 < 0x7F })
  }

  @Test("an absurd size is cut to what memory holds")
  func absurdSizes() {
    #expect(Canvas(size: Size(width: -5, height: 3)).text == "\n\n")
    #expect(Canvas(size: Size(width: 1_000_000_000, height: 1)).size.width == Canvas.longestSide)
    #expect(Canvas(size: Size(width: 0, height: 0)).text == "")
  }

  @Test("a huge line costs what is visible of it")
  func hugeLine() {
    let line = String(repeating: "a\u{301}日", count: 3_000_000)
    var canvas = Canvas(size: Size(width: 4, height: 1))
    // Reading all of it even once would take far longer than this many glimpses.
    for _ in 0..<2_000 { canvas.write(line, at: .origin, width: 4) }
    #expect(canvas.text == "a\u{301}日…")
    let pile = "a" + String(repeating: "\u{301}", count: 10_000_000)
    for _ in 0..<2_000 { canvas.write(pile, at: .origin) }
    #expect(canvas.text == "a\u{301}\u{301}\u{301}\u{301}‹U+")
  }
}
