import Platform
import TextCanvas
import TimeTravel

struct TimeAxis: Sendable, Hashable {
  let steps: ClosedRange<Int>
  let width: Int
  private let density: Density?
  /// The first step at or behind each column, plus one for the end.
  private var starts: [Int] = []

  init(_ steps: ClosedRange<Int>, width: Int, by density: Density? = nil) {
    self.steps = steps
    self.width = max(width, 1)
    self.density = density
    var first = steps.lowerBound
    for column in 0..<self.width {
      first = (first..<steps.upperBound + 1).firstBehind { self.column(of: $0) < column }
      starts.append(first)
    }
    starts.append(steps.upperBound + 1)
  }

  func column(of step: Int) -> Int {
    let step = min(max(step, steps.lowerBound), steps.upperBound)
    guard steps.count > 1 else { return 0 }
    if let density {
      let start = density.seconds(at: steps.lowerBound)
      let whole = density.seconds(at: steps.upperBound) - start
      guard whole > 0 else { return 0 }
      let place = (density.seconds(at: step) - start) / whole
      return min(max(Int((place * Double(width - 1)).rounded()), 0), width - 1)
    }
    let last = steps.count - 1
    return ((step - steps.lowerBound) * (width - 1) + last / 2) / last
  }

  func steps(in column: Int) -> Range<Int> {
    let first = min(max(column, 0), width - 1)
    return starts[first]..<starts[first + 1]
  }

  func steps(at column: Int) -> Range<Int> {
    let own = steps(in: column)
    guard own.isEmpty else { return own }
    let last = max(own.lowerBound - 1, steps.lowerBound)
    return last..<last + 1
  }

  func place(of column: Int) -> Double {
    Double(steps.lowerBound) + Double((steps.count - 1) * column) / Double(width)
  }

  var mostSteps: Int { (0..<width).lazy.map { steps(in: $0).count }.max() ?? 1 }

  func step(at column: Int) -> Int {
    let column = min(max(column, 0), width - 1)
    guard density == nil, width > 1 else { return steps(at: column).lowerBound }
    return steps.lowerBound + (column * (steps.count - 1) + (width - 1) / 2) / (width - 1)
  }
}

extension DebuggerState {
  var timelineSteps: ClosedRange<Int> {
    let last = branches.lazy.map(\.steps.upperBound).max() ?? session.steps.upperBound
    return session.steps.lowerBound...max(last, session.steps.lowerBound)
  }

  func timeAxis(width: Int) -> TimeAxis {
    let steps = timelineSteps
    let density = timeline.isByTime ? timeline.density : nil
    return TimeAxis(timeline.zoom?.clamped(to: steps) ?? steps, width: width, by: density)
  }
}

/// Effects as bars with names, in as few rows as possible.
struct EffectLanes: Sendable, Hashable {
  struct Bar: Sendable, Hashable {
    var effect: EffectSpan
    var lane: Int
    var name: String
    var nameColumn: Int
    var columns: ClosedRange<Int>
  }

  private(set) var bars: [Bar] = []
  private(set) var count = 0

  /// Leaves out effects without room: a step's pane shows them all.
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
        Bar(effect: effect, lane: lane, name: name, nameColumn: nameColumn, columns: start...end))
    }
    count = free.count
  }

  func bar(at point: Point, in area: Rectangle?) -> Bar? {
    guard let area, area.contains(point) else { return nil }
    return bars.first {
      $0.lane == point.row - area.top
        && ($0.nameColumn...$0.columns.upperBound).contains(point.column - area.left)
    }
  }
}
