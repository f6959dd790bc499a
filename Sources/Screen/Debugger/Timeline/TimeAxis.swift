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
  /// Whether the timeline shows what the smallest session keeps: on its fork, and on what it left.
  var showsKept: Bool {
    let kept = timeline.kept
    return !kept.steps.isEmpty
      && (kept.branch == here.branch || searches.smallest == here.branch)
  }

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

/// Effects as bars with names, in as few rows as possible. A name stands once for equal ones side by
/// side.
struct EffectLanes: Sendable, Hashable {
  struct Bar: Sendable, Hashable {
    var effect: EffectSpan
    var lane: Int
    /// Empty behind a bar of the same name.
    var name: String
    var columns: ClosedRange<Int>

    var nameColumn: Int {
      name.isEmpty ? columns.lowerBound : columns.lowerBound - SafeText.width(name) - 1
    }
  }

  private(set) var bars: [Bar] = []
  private(set) var count = 0
  /// Those without room; a step's pane shows them all.
  private(set) var hidden = 0

  /// If not all have room, failed and unfinished effects get a place before the others.
  init(_ effects: [EffectSpan], on axis: TimeAxis, lastStep: Int, most: Int) {
    guard axis.width > 20, most > 0 else { return }
    let touching = effects.filter { $0.touches(axis.steps) }
      .sorted { $0.origin.step < $1.origin.step }
    place(touching, on: axis, lastStep: lastStep, most: most)
    if hidden > 0 { place(touching.urgentFirst, on: axis, lastStep: lastStep, most: most) }
  }

  private mutating func place(
    _ effects: [EffectSpan], on axis: TimeAxis, lastStep: Int, most: Int
  ) {
    let width = axis.width
    var lanes: [[Bar]] = []
    (bars, hidden) = ([], 0)
    for effect in effects {
      let name = SafeText.truncated(effect.name, to: 16)
      let place = axis.column(of: effect.origin.step)
      let start = min(max(place, SafeText.width(name) + 1), width - 2)
      let last = axis.column(of: effect.end?.step ?? lastStep)
      let bar = Bar(
        effect: effect, lane: 0, name: name, columns: start...min(max(last, start + 1), width - 1))
      var lane = lanes.indices.first { lanes[$0].add(bar) }
      if lane == nil, lanes.count < most {
        lanes.append([bar])
        lane = lanes.count - 1
      }
      if lane == nil { hidden += 1 }
    }
    count = lanes.count
    for (lane, row) in lanes.enumerated() {
      bars += row.map { bar in
        var bar = bar
        bar.lane = lane
        return bar
      }
    }
    bars.sort { ($0.effect.origin.step, $0.lane) < ($1.effect.origin.step, $1.lane) }
  }

  func bar(at point: Point, in area: Rectangle?) -> Bar? {
    guard let area, area.contains(point) else { return nil }
    return bars.first {
      $0.lane == point.row - area.top
        && ($0.nameColumn...$0.columns.upperBound).contains(point.column - area.left)
    }
  }
}

extension [EffectSpan] {
  fileprivate var urgentFirst: [EffectSpan] {
    filter { $0.look.isUrgent } + filter { !$0.look.isUrgent }
  }
}

extension [EffectLanes.Bar] {
  /// Adds a bar between its neighbours; false without room for it and its name.
  fileprivate mutating func add(_ bar: EffectLanes.Bar) -> Bool {
    let index = firstIndex { $0.columns.lowerBound > bar.columns.lowerBound } ?? count
    let (left, right) = (index > 0 ? self[index - 1] : nil, index < count ? self[index] : nil)
    var bar = bar
    let follows = left?.effect.name == bar.effect.name
    if follows { bar.name = "" }
    if let left, left.columns.upperBound + (follows ? 2 : 3) > bar.nameColumn { return false }
    if let right {
      let isNamed = !right.name.isEmpty
      guard isNamed || right.effect.name == bar.effect.name,
        bar.columns.upperBound + (isNamed ? 3 : 2) <= right.nameColumn
      else { return false }
    }
    insert(bar, at: index)
    return true
  }
}
