import CTerminal
import TextCanvas

/// Cells that ncurses cannot hold: joined emoji, flags, skin tones, and characters whose width the
/// C library sees differently.
///
/// ncurses draws blanks there. This writes the text over them, placing the cursor before and after,
/// and rewrites cells that a terminal with another width may have hit.
enum CellOverlay {
  static func isNeeded(for cell: Cell) -> Bool {
    if cell.width == 0 { return false }
    var scalars = cell.text.unicodeScalars.makeIterator()
    guard let base = scalars.next() else { return false }
    if base.isASCII, !cell.isUncertain { return false }
    if width(base) != Int(cell.width) { return true }
    while let scalar = scalars.next() {
      if width(scalar) != 0 { return true }
    }
    return false
  }

  /// The C library's width, which ncurses uses; -1 if unknown.
  private static func width(_ scalar: Unicode.Scalar) -> Int { Int(wcwidth(wchar_t(scalar.value))) }

  /// The bytes that draw a row's special cells; empty if there is nothing to do.
  static func text(for cells: ArraySlice<Cell>, row: Int, colors: Int) -> String {
    let needed = cells.indices.filter { isNeeded(for: cells[$0]) }
    return savingCursor(needed.map { text(at: $0, in: cells, row: row, colors: colors) }.joined())
  }

  private static func savingCursor(_ text: String) -> String {
    text.isEmpty ? "" : "\u{1B}7\(text)\u{1B}8"
  }

  static func links(_ links: [Link], in cells: ArraySlice<Cell>, row: Int, colors: Int) -> String {
    let texts = links.map { link -> String in
      guard case .file(let address) = link.destination else { return "" }
      let linked = cells.dropFirst(link.columns.lowerBound).prefix(link.columns.count)
      var result = "\u{1B}[\(row + 1);\(link.columns.lowerBound + 1)H\u{1B}]8;;\(address)\u{1B}\\"
      var style: Style?
      for cell in linked where cell.width > 0 {
        if cell.style != style { result += StyleSequence.text(for: cell.style, colors: colors) }
        style = cell.style
        result += cell.text
      }
      return result + "\u{1B}]8;;\u{1B}\\"
    }
    return savingCursor(texts.joined())
  }

  private static func text(
    at index: Int, in cells: ArraySlice<Cell>, row: Int, colors: Int
  ) -> String {
    let cell = cells[index]
    let next = index + Int(cell.width)
    func place(_ index: Int) -> String { "\u{1B}[\(row + 1);\(index - cells.startIndex + 1)H" }
    var result = place(index) + StyleSequence.text(for: cell.style, colors: colors) + cell.text
    let reached = index + cell.text.unicodeScalars.reduce(0) { $0 + max(0, width($1)) }
    var style = cell.style
    var following = next
    while following < cells.endIndex, following <= reached || cells[following].width == 0 {
      if following == next { result += place(next) }
      let other = cells[following]
      if isNeeded(for: other) { break }
      if other.style != style {
        result += StyleSequence.text(for: other.style, colors: colors)
        style = other.style
      }
      result += other.text
      following += 1
    }
    return result
  }
}

/// The control sequence of a style, for text past ncurses.
package enum StyleSequence {
  package static func text(for style: Style, colors: Int) -> String {
    var numbers = ["0"]
    let attributes: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
    ]
    for (attribute, number) in attributes where style.attributes.contains(attribute) {
      numbers.append(number)
    }
    append(style.foreground, base: 30, colors: colors, to: &numbers)
    append(style.background, base: 40, colors: colors, to: &numbers)
    return "\u{1B}[\(numbers.joined(separator: ";"))m"
  }

  private static func append(_ color: Color, base: Int, colors: Int, to numbers: inout [String]) {
    guard case .palette(let wanted) = color, let found = Palette.nearest(wanted, of: colors) else {
      return
    }
    if found.number < 8 {
      numbers.append("\(base + found.number)")
    } else {
      numbers.append("\(base + 8);5;\(found.number)")
    }
  }
}
