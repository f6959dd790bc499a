/// One place of a canvas. Only a canvas makes cells, from text that has been made safe.
public struct Cell: Sendable, Hashable {
  /// A scalar that takes space and what hangs on it; empty in the right half of a wide cell.
  public internal(set) var text: String
  /// 1, or 2 for a wide cell, or 0 for the right half of one.
  public internal(set) var width: UInt8
  /// Terminals disagree about how far the cursor moves after it.
  public internal(set) var isUncertain: Bool
  public internal(set) var style: Style

  static let blank = Cell(text: " ", width: 1, isUncertain: false, style: .plain)

  static func blank(_ style: Style) -> Cell {
    Cell(text: " ", width: 1, isUncertain: false, style: style)
  }
}
