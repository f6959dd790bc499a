/// Where something stands along a line of steps, in so many parts: cheap to draw at any width,
/// however many there are.
package struct Ticks: Sendable, Hashable {
  static let parts = 1_024
  private var marked = [Bool](repeating: false, count: parts)
  private(set) var isEmpty = true

  package init() {}

  mutating func add(_ step: Int, in steps: ClosedRange<Int>) {
    isEmpty = false
    marked[Self.part(of: step, in: steps)] = true
  }

  private static func part(of step: Int, in steps: ClosedRange<Int>) -> Int {
    Layout.offset(ofStep: step, of: steps, width: parts)
  }

  /// Whether anything stands in this cell of a line of `width` cells: a step's cell is the same as
  /// on the slider.
  func isMarked(column: Int, width: Int) -> Bool {
    guard !isEmpty, width > 1 else { return false }
    let last = Self.parts - 1
    // The parts whose place, rounded to a cell, is this column.
    let first = ((2 * column - 1) * last + 2 * (width - 1) - 1) / (2 * (width - 1))
    let end = ((2 * column + 1) * last - 1) / (2 * (width - 1))
    guard column > 0 || first <= 0, first <= end else { return false }
    return marked[max(first, 0)...min(max(end, 0), last)].contains(true)
  }
}
