extension Canvas {
  /// The same picture for a terminal that shows ASCII only: lines and marks become the nearest
  /// ASCII character, every other cell a `?`. No cell changes its place.
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
      ("▁▂", "_"), ("▃", "."), ("▄", ":"), ("▅", "-"), ("▆", "="), ("▇", "+"), ("█▉▊▋▌", "#"),
      ("░", "."), ("▒", ":"), ("▓", "#"), ("…", "."), ("·•∙⋅", "."), ("●◉⬤◆■▪", "*"),
      ("○◌◇□▫", "o"), ("✗✘×✕", "x"), ("✓✔", "v"), ("▲△▴↑", "^"), ("▼▽▾↓", "v"), ("▸▶▷→›»❯", ">"),
      ("◂◀◁←‹«❮", "<"), ("−–—", "-"), ("‘’", "'"), ("“”", "\""), ("⚡", "!"), ("⚠", "!"),
      ("␛", "^"), ("⏸", "="), ("⏵", ">"), ("↻⟳", "@"), ("≠", "!"), ("≈", "~"),
    ]
    var table: [String: String] = [:]
    for (from, to) in groups {
      for character in from { table[String(character)] = to }
    }
    return table
  }()
}
