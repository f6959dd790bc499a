/// A picture made of cells, independent of terminals.
///
/// ```swift
/// var canvas = Canvas(size: Size(width: 20, height: 3))
/// canvas.box(canvas.bounds, title: "steps")
/// canvas.inside(canvas.bounds.inset()) { inner in
///   let column = inner.write("813 ", at: .origin, style: .plain.dim)
///   inner.write("wishesResponse", at: Point(column: column, row: 0), width: inner.size.width - column)
/// }
/// print(canvas.text)
/// // ┌ steps ───────────┐
/// // │813 wishesResponse│
/// // └──────────────────┘
/// ```
///
/// It accepts any text: `SafeText` makes unsafe characters visible on the only way in.
/// Drawing outside the area is ignored.
@usableFromInline
package struct Canvas: Sendable, Hashable {
  /// The largest side, beyond any terminal; larger requests are cut.
  package static let longestSide = 2_000

  package let fullSize: Size
  /// The terminal's cursor, in cells of the whole canvas; nil hides it.
  package private(set) var cursor: Point?
  var cells: [Cell]
  var links: [Link] = []
  /// The drawing area in cells of the whole canvas; may exceed it.
  private var area: Rectangle
  private var visible: Rectangle

  package init(size: Size) {
    fullSize = Size(
      width: min(max(0, size.width), Self.longestSide),
      height: min(max(0, size.height), Self.longestSide))
    cells = Array(repeating: .blank, count: fullSize.width * fullSize.height)
    area = Rectangle(fullSize)
    visible = area
  }

  package var size: Size { area.size }

  package var bounds: Rectangle { Rectangle(area.size) }

  /// Draws on a part of this area as on its own canvas.
  package mutating func inside<Result>(
    _ rectangle: Rectangle, draw: (inout Canvas) throws -> Result
  ) rethrows -> Result {
    let outer = (area, visible)
    area = rectangle.moved(columns: area.left, rows: area.top)
    visible = visible.intersection(area)
    defer { (area, visible) = outer }
    return try draw(&self)
  }

  package mutating func placeCursor(at point: Point) {
    let place = Point(column: point.column + area.left, row: point.row + area.top)
    cursor = visible.contains(place) ? place : nil
  }

  /// Writes text as one line; returns the column after it, at most the right edge.
  ///
  /// Reads only what can be seen, however long the text is. With a `width`, an ellipsis marks cut
  /// text, and right-aligned text ends at the last of so many cells.
  @discardableResult
  @inlinable
  package mutating func write<Text: StringProtocol>(
    _ text: Text, at point: Point, style: Style = .plain, width: Int? = nil,
    alignment: Alignment = .left
  ) -> Int where Text.SubSequence == Substring {
    writePart(text[...], at: point, style: style, width: width, alignment: alignment)
  }

  // Converted once: code for any text type would need type lookups.
  @usableFromInline
  mutating func writePart(
    _ text: Substring, at point: Point, style: Style, width: Int?, alignment: Alignment
  ) -> Int {
    guard let width else {
      var reader = GlyphReader(text)
      var column = point.column
      while column < area.width, let glyph = reader.next() {
        put(glyph, at: Point(column: column, row: point.row), style: style)
        column += glyph.width
      }
      return min(column, max(point.column, area.width))
    }
    let glyphs = SafeText.glyphs(of: text, fitting: width)
    var column = point.column
    if alignment == .right { column += max(0, width) - glyphs.reduce(0) { $0 + $1.width } }
    for glyph in glyphs {
      put(glyph, at: Point(column: column, row: point.row), style: style)
      column += glyph.width
    }
    return column
  }

  @usableFromInline
  package enum Alignment: Sendable, Hashable {
    case left, right
  }

  mutating func put(_ glyph: Glyph, at point: Point, style: Style) {
    let column = point.column + area.left
    let row = point.row + area.top
    guard visible.rows.contains(row) else { return }
    guard visible.left <= column, column + glyph.width <= visible.right else {
      // A blank replaces half of a wide cell.
      if glyph.width == 2 {
        for half in column...column + 1 where visible.columns.contains(half) {
          replace(column: half, row: row, with: .blank(style))
        }
      }
      return
    }
    let cell = Cell(
      text: glyph.text, width: UInt8(glyph.width), isUncertain: glyph.isUncertain, style: style)
    replace(column: column, row: row, with: cell)
    if glyph.width == 2 {
      let half = Cell(text: "", width: 0, isUncertain: false, style: style)
      replace(column: column + 1, row: row, with: half, isRightHalf: true)
    }
  }

  /// Replaces a cell; a wide cell that loses a half becomes blank.
  private mutating func replace(column: Int, row: Int, with cell: Cell, isRightHalf: Bool = false) {
    let index = row * fullSize.width + column
    let old = cells[index]
    if old.width == 0, !isRightHalf, column > 0 { cells[index - 1].blank() }
    if old.width == 2, column + 1 < fullSize.width { cells[index + 1].blank() }
    cells[index] = cell
  }

  func onScreen(_ rectangle: Rectangle) -> Rectangle {
    rectangle.moved(columns: area.left, rows: area.top).intersection(visible)
  }

  /// Changes the style of drawn cells, for example of the selected line.
  package mutating func restyle(_ rectangle: Rectangle, _ change: (Style) -> Style) {
    let target = onScreen(rectangle)
    for row in target.rows {
      for column in target.columns {
        let index = row * fullSize.width + column
        cells[index].style = change(cells[index].style)
      }
    }
  }
}

extension Cell {
  fileprivate mutating func blank() { self = .blank(style) }
}

/// A place of a canvas. Only a canvas makes cells, from safe text.
package struct Cell: Sendable, Hashable {
  /// A scalar with its combining marks; empty in the right half of a wide cell.
  package internal(set) var text: String
  /// 1, or 2 for a wide cell, or 0 for its right half.
  package internal(set) var width: UInt8
  package internal(set) var isUncertain: Bool
  package internal(set) var style: Style

  static let blank = Cell(text: " ", width: 1, isUncertain: false, style: .plain)

  static func blank(_ style: Style) -> Cell {
    Cell(text: " ", width: 1, isUncertain: false, style: style)
  }
}

extension Canvas {
  package subscript(point: Point) -> Cell? {
    guard Rectangle(fullSize).contains(point) else { return nil }
    return cells[point.row * fullSize.width + point.column]
  }

  package func row(_ row: Int) -> ArraySlice<Cell> {
    guard (0..<fullSize.height).contains(row) else { return [] }
    return cells[row * fullSize.width..<(row + 1) * fullSize.width]
  }

  /// The canvas as plain text: one line a row, without trailing blanks.
  ///
  /// A wide character replaces its two cells, so columns stay aligned in print.
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

  /// The canvas as a picture of its styles, one character a cell, for tests:
  ///
  /// ```swift
  /// canvas.picture { $0.attributes.contains(.reverse) ? "#" : "." }
  /// ```
  package func picture(_ character: (Style) -> Character) -> String {
    (0..<fullSize.height).map { row in
      String(self.row(row).map { character($0.style) })
    }.joined(separator: "\n")
  }
}
