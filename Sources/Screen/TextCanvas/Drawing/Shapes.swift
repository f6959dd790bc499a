extension Canvas {
  /// Fills an area with a character, by default with blanks.
  package mutating func fill(
    _ rectangle: Rectangle, with character: Character = " ", style: Style = .plain
  ) {
    var reader = GlyphReader(Substring(String(character)))
    guard let glyph = reader.next() else { return }
    let target = rectangle.intersection(bounds)
    unlink(target)
    for row in target.rows {
      var column = target.left
      while column + glyph.width <= target.right {
        put(glyph, at: Point(column: column, row: row), style: style)
        column += glyph.width
      }
    }
  }

  package mutating func horizontalLine(at point: Point, length: Int, style: Style = .plain) {
    fill(Rectangle(at: point, width: length), with: "─", style: style)
  }

  package mutating func verticalLine(at point: Point, length: Int, style: Style = .plain) {
    fill(Rectangle(at: point, width: 1, height: length), with: "│", style: style)
  }

  /// Draws a frame inside a rectangle, with a title in its upper edge.
  package mutating func box(_ rectangle: Rectangle, title: String = "", style: Style = .plain) {
    guard rectangle.width >= 2, rectangle.height >= 2 else { return }
    let last = Point(column: rectangle.right - 1, row: rectangle.bottom - 1)
    for row in [0, rectangle.height - 1] {
      horizontalLine(at: rectangle.point(1, row), length: rectangle.width - 2, style: style)
    }
    for column in [0, rectangle.width - 1] {
      verticalLine(at: rectangle.point(column, 1), length: rectangle.height - 2, style: style)
    }
    write("┌", at: rectangle.origin, style: style)
    write("┐", at: Point(column: last.column, row: rectangle.top), style: style)
    write("└", at: Point(column: rectangle.left, row: last.row), style: style)
    write("┘", at: last, style: style)
    if !title.isEmpty, rectangle.width >= 6 {
      let shown = SafeText.truncated(title, to: rectangle.width - 4)
      write(" \(shown) ", at: rectangle.point(1), style: style)
    }
  }
}

extension Canvas {
  /// The same picture in ASCII: lines and marks become the nearest character, other cells a `?`.
  /// Cells keep their places.
  package var asciiOnly: Canvas {
    var copy = self
    for index in copy.cells.indices where copy.cells[index].text.utf8.count > 1 {
      let cell = copy.cells[index]
      copy.cells[index].text = AsciiFallback.text(for: cell.text)
      copy.cells[index].width = 1
      copy.cells[index].isUncertain = false
      if cell.width == 2 { copy.cells[index + 1] = Cell.blank(cell.style) }
    }
    return copy
  }
}

enum AsciiFallback {
  static func text(for text: String) -> String { nearest[text] ?? "?" }

  private static let nearest: [String: String] = {
    let groups: [(String, String)] = [
      ("─━┄┅┈┉╌╍═╴╶╸╺", "-"), ("│┃┆┇┊┋╎╏║╵╷╹╻", "|"),
      ("┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋╔╗╚╝╠╣╦╩╬╭╮╯╰", "+"),
      ("▁▂▖▗", "_"), ("▃", "."), ("▄", ":"), ("▅", "-"), ("▆", "="), ("▇", "+"), ("▘▝▀", "'"),
      ("█▉▊▋▌▐▛▜▙▟▞▚", "#"),
      ("░", "."), ("▒", ":"), ("▓", "#"), ("…", "~"), ("·•∙⋅", "."), ("●◉⬤◆■▪", "*"),
      ("○◌◇□▫", "o"), ("✗✘×✕", "x"), ("✓✔", "v"), ("▲△▴↑", "^"), ("▼", "V"), ("▽▾↓", "v"),
      ("▸▶▷→›»❯", ">"),
      ("◂◀◁←‹«❮", "<"), ("−–—", "-"), ("‘’", "'"), ("“”", "\""), ("⚡", "&"), ("⚠", "!"),
      ("␛", "^"), ("⏸", "="), ("⏵", ">"), ("↻⟳", "@"), ("≠", "!"), ("≈", "~"),
    ]
    var table: [String: String] = [:]
    for (from, to) in groups {
      for character in from { table[String(character)] = to }
    }
    return table
  }()
}
