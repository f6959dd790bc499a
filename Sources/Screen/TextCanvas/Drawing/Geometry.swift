/// An area of cells, never negative.
///
/// Layouts are cut from a rectangle's top:
///
/// ```swift
/// let (title, rest) = screen.split(top: 1)
/// let firstStep = rest.line(0)
/// ```
package struct Rectangle: Sendable, Hashable {
  package var origin: Point
  package var size: Size

  package init(column: Int, row: Int, width: Int, height: Int) {
    origin = Point(column: column, row: row)
    size = Size(width: max(0, width), height: max(0, height))
  }

  package init(at origin: Point, width: Int, height: Int = 1) {
    self.init(column: origin.column, row: origin.row, width: width, height: height)
  }

  package init(_ size: Size) { self.init(at: .origin, width: size.width, height: size.height) }

  package var left: Int { origin.column }
  package var top: Int { origin.row }
  package var right: Int { origin.column + size.width }
  package var bottom: Int { origin.row + size.height }
  package var width: Int { size.width }
  package var height: Int { size.height }
  package var columns: Range<Int> { left..<right }
  package var rows: Range<Int> { top..<bottom }
  package var isEmpty: Bool { width == 0 || height == 0 }

  package func contains(_ point: Point) -> Bool {
    columns.contains(point.column) && rows.contains(point.row)
  }

  package func intersection(_ other: Rectangle) -> Rectangle {
    let left = max(left, other.left)
    let top = max(top, other.top)
    return Rectangle(
      column: left, row: top,
      width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
  }

  /// A place relative to the upper left corner.
  package func point(_ column: Int, _ row: Int = 0) -> Point {
    Point(column: left + column, row: top + row)
  }

  package func line(_ row: Int) -> Rectangle { Rectangle(at: point(0, row), width: width) }

  package func moved(columns: Int, rows: Int) -> Rectangle {
    Rectangle(at: point(columns, rows), width: width, height: height)
  }

  package func inset(columns: Int = 1, rows: Int = 1) -> Rectangle {
    Rectangle(at: point(columns, rows), width: width - 2 * columns, height: height - 2 * rows)
  }

  package func split(top count: Int) -> (top: Rectangle, rest: Rectangle) {
    let count = min(max(0, count), height)
    return (
      Rectangle(at: origin, width: width, height: count),
      Rectangle(at: point(0, count), width: width, height: height - count)
    )
  }
}

@usableFromInline
package struct Point: Sendable, Hashable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) { (self.column, self.row) = (column, row) }

  package static let origin = Point(column: 0, row: 0)
}

package struct Size: Sendable, Hashable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}
