/// Where something stands along a line of steps, in so many parts: cheap to draw at any width,
/// however many there are.
public struct Ticks: Sendable, Hashable {
  static let parts = 1_024
  private var marked = [Bool](repeating: false, count: parts)
  private(set) var isEmpty = true

  public init() {}

  mutating func add(_ step: Int, in steps: ClosedRange<Int>) {
    isEmpty = false
    marked[Self.part(of: step, in: steps)] = true
  }

  private static func part(of step: Int, in steps: ClosedRange<Int>) -> Int {
    guard steps.count > 1 else { return 0 }
    let place = Double(step - steps.lowerBound) / Double(steps.count - 1)
    return min(max(Int(place * Double(parts - 1)), 0), parts - 1)
  }

  /// Whether anything stands in this cell of a line of `width` cells.
  func isMarked(column: Int, width: Int) -> Bool {
    guard !isEmpty, width > 0 else { return false }
    let first = column * Self.parts / width
    let last = max(first, (column + 1) * Self.parts / width - 1)
    return marked[first...min(last, Self.parts - 1)].contains(true)
  }
}
