/// A drawing of dots, two by two in a cell.
///
/// ```swift
/// var dots = Dots(Size(width: 1, height: 1))
/// dots.fill(column: 0, rows: 0...1)
/// dots[Point(column: 0, row: 0)]  // "▌"
/// ```
package struct Dots: Sendable {
  private let size: Size
  private var cells: [UInt8]

  package init(_ size: Size) {
    self.size = size
    cells = Array(repeating: 0, count: max(0, size.width * size.height))
  }

  package var columns: Int { size.width * 2 }
  package var rows: Int { size.height * 2 }

  package mutating func fill(column: Int, rows: ClosedRange<Int>) {
    guard 0..<columns ~= column else { return }
    for row in rows where 0..<self.rows ~= row {
      cells[row / 2 * size.width + column / 2] |= 1 << UInt8(row % 2 * 2 + column % 2)
    }
  }

  package mutating func add(_ other: Dots) {
    for index in cells.indices where index < other.cells.count {
      cells[index] |= other.cells[index]
    }
  }

  /// Nil without a dot.
  package subscript(cell: Point) -> String? {
    guard Rectangle(size).contains(cell) else { return nil }
    let dots = cells[cell.row * size.width + cell.column]
    return dots == 0 ? nil : Self.signs[Int(dots)]
  }

  private static let signs = [
    " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
  ]
}
