/// An area of cells. A rectangle never has a negative extent.
///
/// Layouts are cut out of a rectangle from its edges:
///
/// ```swift
/// let (title, rest) = screen.split(top: 1)
/// let (steps, details) = rest.split(left: 30)
/// ```
public struct Rectangle: Sendable, Hashable {
  public var origin: Point
  public var size: Size

  public init(column: Int, row: Int, width: Int, height: Int) {
    origin = Point(column: column, row: row)
    size = Size(width: max(0, width), height: max(0, height))
  }

  public init(_ size: Size) {
    self.init(column: 0, row: 0, width: size.width, height: size.height)
  }

  public var left: Int { origin.column }
  public var top: Int { origin.row }
  /// The first column right of the area.
  public var right: Int { origin.column + size.width }
  /// The first row below the area.
  public var bottom: Int { origin.row + size.height }
  public var width: Int { size.width }
  public var height: Int { size.height }
  public var columns: Range<Int> { left..<right }
  public var rows: Range<Int> { top..<bottom }
  public var isEmpty: Bool { width == 0 || height == 0 }

  public func contains(_ point: Point) -> Bool {
    columns.contains(point.column) && rows.contains(point.row)
  }

  public func intersection(_ other: Rectangle) -> Rectangle {
    let left = max(left, other.left)
    let top = max(top, other.top)
    return Rectangle(
      column: left, row: top,
      width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
  }

  public func moved(columns: Int, rows: Int) -> Rectangle {
    Rectangle(column: left + columns, row: top + rows, width: width, height: height)
  }

  /// The area without `columns` at its left and right and `rows` at its top and bottom.
  public func inset(columns: Int = 1, rows: Int = 1) -> Rectangle {
    Rectangle(
      column: left + columns, row: top + rows,
      width: width - 2 * columns, height: height - 2 * rows)
  }
}

extension Rectangle {
  public func split(top count: Int) -> (top: Rectangle, rest: Rectangle) {
    let count = min(max(0, count), height)
    return (
      Rectangle(column: left, row: top, width: width, height: count),
      Rectangle(column: left, row: top + count, width: width, height: height - count)
    )
  }

  public func split(bottom count: Int) -> (rest: Rectangle, bottom: Rectangle) {
    let (rest, bottom) = split(top: height - min(max(0, count), height))
    return (rest, bottom)
  }

  public func split(left count: Int) -> (left: Rectangle, rest: Rectangle) {
    let count = min(max(0, count), width)
    return (
      Rectangle(column: left, row: top, width: count, height: height),
      Rectangle(column: left + count, row: top, width: width - count, height: height)
    )
  }

  public func split(right count: Int) -> (rest: Rectangle, right: Rectangle) {
    let (rest, right) = split(left: width - min(max(0, count), width))
    return (rest, right)
  }
}

/// A cell's place; the origin is the upper left corner of the area that is drawn on.
public struct Point: Sendable, Hashable {
  public var column: Int
  public var row: Int

  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }

  public static let origin = Point(column: 0, row: 0)
}

/// The extent of a canvas in cells.
public struct Size: Sendable, Hashable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
