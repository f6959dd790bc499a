extension Canvas {
  /// The cell at a place of the whole canvas, if there is one.
  package subscript(point: Point) -> Cell? {
    guard Rectangle(fullSize).contains(point) else { return nil }
    return cells[point.row * fullSize.width + point.column]
  }

  /// The cells of one row of the whole canvas.
  package func row(_ row: Int) -> ArraySlice<Cell> {
    guard (0..<fullSize.height).contains(row) else { return [] }
    return cells[row * fullSize.width..<(row + 1) * fullSize.width]
  }

  /// The whole canvas as plain text: one line a row, blanks at the end of a line left out.
  ///
  /// A wide character stands for its two cells, so columns stay aligned where it is printed.
  package var text: String {
    var result = ""
    for row in 0..<fullSize.height {
      if row > 0 { result += "\n" }
      var blanks = 0
      for cell in self.row(row) where cell.width > 0 {
        if cell.text == " " {
          blanks += 1
        } else {
          result += String(repeating: " ", count: blanks) + cell.text
          blanks = 0
        }
      }
    }
    return result
  }

  /// The canvas as a picture of its styles, one character a cell, for tests of how things look:
  ///
  /// ```swift
  /// canvas.picture { $0.attributes.contains(.reverse) ? "#" : "." }
  /// ```
  package func picture(_ character: (Style) -> Character) -> String {
    (0..<fullSize.height).map { row in
      String(self.row(row).map { character($0.style) })
    }.joined(separator: "\n")
  }

  /// The same canvas for somebody who wants no colours (`NO_COLOR`).
  package var withoutColors: Canvas {
    var copy = self
    for index in copy.cells.indices { copy.cells[index].style = cells[index].style.withoutColors }
    return copy
  }
}
