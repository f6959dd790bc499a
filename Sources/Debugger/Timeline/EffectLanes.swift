import TextCanvas
import TimeTravel

/// Effects as bars in as few rows as possible, each with its name before it.
struct EffectLanes: Sendable, Hashable {
  struct Bar: Sendable, Hashable {
    var effect: EffectSpan
    var lane: Int
    var name: String
    var nameColumn: Int
    /// The columns of its start and its end.
    var columns: ClosedRange<Int>
  }

  private(set) var bars: [Bar] = []
  private(set) var count = 0

  /// Effects that find no free place are left out: the pane of a step shows them all.
  init(_ effects: [EffectSpan], on axis: TimeAxis, lastStep: Int, most: Int) {
    let width = axis.width
    guard width > 20, most > 0 else { return }
    var free: [Int] = []
    for effect in effects.sorted(by: { $0.origin.step < $1.origin.step })
    where effect.touches(axis.steps) {
      let place = axis.column(of: effect.origin.step)
      let last = axis.column(of: effect.end?.step ?? lastStep)
      let name = SafeText.truncated(effect.name, to: 16)
      let nameWidth = SafeText.width(name) + 1
      let start = min(max(place, nameWidth), width - 2)
      let nameColumn = start - nameWidth
      let lane = free.firstIndex { $0 <= nameColumn } ?? free.count
      guard lane < most else { continue }
      if lane == free.count { free.append(0) }
      let end = min(max(last, start + 1), width - 1)
      free[lane] = end + 3
      bars.append(
        Bar(
          effect: effect, lane: lane, name: name, nameColumn: nameColumn, columns: start...end))
    }
    count = free.count
  }

  /// The bar at a place, its name included.
  func bar(at point: Point, in area: Rectangle?) -> Bar? {
    guard let area, area.contains(point) else { return nil }
    return bars.first {
      $0.lane == point.row - area.top
        && ($0.nameColumn...$0.columns.upperBound).contains(point.column - area.left)
    }
  }
}
