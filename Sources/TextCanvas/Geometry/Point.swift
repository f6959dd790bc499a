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
