import ForkSearch
import SessionWords
import TextCanvas
import TimeTravel

struct Timeline: Sendable {
  /// The timeline asks for at most so many effects.
  static let laneLimit = 200

  var zoom: ClosedRange<Int>?
  var isByTime = false
  var density: Density?
  var effects: [EffectSpan] = []
  var chosen: EffectID?
  /// The share of tried orders in which it still happens, from each step.
  var curve: [CurvePoint] = []
  /// The steps that the smallest session keeps, as far as it is found.
  var kept = KeptSteps()
  var asked: TimelineExtent?
  var askedSteps = 0
  var followed: Position?
}

/// The steps that are enough, of so many actions of the user, to break something at the last.
package struct KeptSteps: Sendable, Hashable {
  var steps: [Int] = []
  var of = 0
  var last = 0
  var branch = BranchID.main
}

package struct TimelineExtent: Sendable, Hashable {
  var branch: BranchID
  var run: Int
  var zoom: ClosedRange<Int>?
}

extension DebuggerUpdate {
  mutating func renewTimeline() {
    let whole = state.timelineSteps
    if let zoom = state.timeline.zoom {
      let isFollowing = state.timeline.followed != state.here && !zoom.contains(state.here.step)
      let start = isFollowing ? state.here.step - zoom.count / 2 : zoom.lowerBound
      setZoom(from: start, count: zoom.count, of: whole)
    }
    state.timeline.followed = state.here
    let extent = TimelineExtent(
      branch: state.here.branch, run: state.branch.run, zoom: state.timeline.zoom)
    guard state.timeline.asked != extent else { return }
    state.timeline.asked = extent
    state.timeline.askedSteps = state.session.steps.count
    effects.append(.readTimeline(extent))
  }

  private mutating func setZoom(from start: Int, count: Int, of whole: ClosedRange<Int>) {
    guard count < whole.count else { return state.timeline.zoom = nil }
    let first = min(max(start, whole.lowerBound), whole.upperBound - count + 1)
    state.timeline.zoom = first...first + count - 1
  }

  private static let fewestSteps = 8

  mutating func zoom(by halves: Int, around step: Int? = nil) {
    let axis = Layout(state).axis
    let step = step ?? state.here.step
    let part = 1 << min(abs(halves), 30)
    if halves < 0 {
      guard state.timeline.zoom != nil else { return say("The whole session is visible.") }
      let count = axis.steps.count.multipliedReportingOverflow(by: part).partialValue
      let before = (step - axis.steps.lowerBound) * (count / axis.steps.count)
      return setZoom(from: step - before, count: count, of: state.timelineSteps)
    }
    guard axis.steps.count > Self.fewestSteps else {
      return say("These are \(counted(axis.steps.count, "step")): the timeline shows each of them.")
    }
    // Half of the columns, which by time is half of the time.
    let column = axis.column(of: step)
    let first = axis.step(at: column - column / part)
    let last = axis.step(at: column + (axis.width - 1 - column) / part)
    let count = max(
      state.timeline.isByTime ? last - first + 1 : axis.steps.count / part, Self.fewestSteps)
    setZoom(
      from: min(first, max(step - count / 2, last - count + 1)), count: count,
      of: state.timelineSteps)
  }

  mutating func pan(by halves: Int) {
    guard let zoom = state.timeline.zoom else {
      return say("The whole session is visible: \(state.key("i")) zooms in.")
    }
    setZoom(
      from: zoom.lowerBound + halves * max(zoom.count / 2, 1), count: zoom.count,
      of: state.timelineSteps)
  }

  mutating func turnTimeScale() {
    guard state.timeline.density?.seconds.isEmpty == false else {
      return say("The session has no times: all steps have the same width.")
    }
    state.timeline.isByTime.toggle()
    say(
      state.timeline.isByTime
        ? "By time: long pauses are wide; \(state.key("t")) goes back."
        : "By steps: all have the same width.")
  }

  mutating func receiveTimeline(
    _ extent: TimelineExtent, _ density: Density?, _ effects: [EffectSpan]
  ) {
    guard extent == state.timeline.asked else { return }
    state.timeline.density = density
    state.timeline.effects = effects
    if !effects.contains(where: { $0.number == state.timeline.chosen }) {
      state.timeline.chosen = nil
    }
  }

  // MARK: Walking

  mutating func moveColumns(by columns: Int) {
    let axis = Layout(state).axis
    let here = axis.column(of: state.here.step)
    var column = here + columns
    while (0..<axis.width).contains(column), axis.steps(in: column).isEmpty {
      column += columns.signum()
    }
    guard (0..<axis.width).contains(column), axis.steps.contains(state.here.step) else {
      return state.moveRows(by: columns)
    }
    state.go(to: axis.steps(in: column).lowerBound, isJump: false)
  }

  mutating func walkEffects(by offset: Int) {
    let bars = Layout(state).lanes?.bars.map(\.effect) ?? []
    guard !bars.isEmpty else {
      return say("No effect here lasted longer than a step.")
    }
    let next: Int
    if let index = bars.firstIndex(where: { $0.number == state.timeline.chosen }) {
      next = min(max(index + offset, 0), bars.count - 1)
    } else if offset > 0 {
      next = bars.firstIndex { $0.end.map { $0.step >= state.here.step } ?? true } ?? 0
    } else {
      next = bars.lastIndex { $0.origin.step <= state.here.step } ?? 0
    }
    choose(bars[next])
  }

  mutating func choose(_ effect: EffectSpan) {
    state.paneSet.focus = .timeline
    state.timeline.chosen = effect.number
    state.go(to: effect.origin.step, isJump: false)
  }

  mutating func toOtherEnd() {
    guard let effect = state.chosenEffect else {
      return say(
        "\(state.key("↓")) and \(state.key("↑")) go to the effects in the timeline; "
          + "\(state.key("Enter")) from the start of one to its end.")
    }
    if state.here.step != effect.origin.step {
      state.go(to: effect.origin.step)
    } else if let end = effect.end {
      state.go(to: end.step)
    } else {
      say("\(effect.name) never ended.")
    }
  }
}

extension DebuggerState {
  var chosenEffect: EffectSpan? {
    guard paneSet.focus == .timeline, let chosen = timeline.chosen else { return nil }
    return timeline.effects.first { $0.number == chosen }
  }
}

extension KeyTable {
  static let timeline = KeyMap<DebuggerUpdate>(
    "in the timeline",
    [
      Binding("l →", "a column later, earlier", short: "later", counted: true) {
        $0.moveColumns(by: $0.times)
      },
      Binding("h ←", short: "earlier", counted: true) { $0.moveColumns(by: -$0.times) },
      Binding("j ↓", "next and previous effect", short: "effects", counted: true) {
        $0.walkEffects(by: $0.times)
      },
      Binding("k ↑", counted: true) { $0.walkEffects(by: -$0.times) },
      Binding("Enter", "from the start of the effect to its end, and back", short: "its end") {
        $0.toOtherEnd()
      },
      Binding("L Shift-→ )", "half a screen on and back", short: "pan", counted: true) {
        $0.pan(by: $0.times)
      },
      Binding("H Shift-← (", counted: true) { $0.pan(by: -$0.times) },
      Binding("t", "by time or by steps", short: "by time") { $0.turnTimeScale() },
      Binding("a", "all of the session again", short: "all") { $0.state.timeline.zoom = nil },
    ])

  static let range = KeyMap<DebuggerUpdate>(
    "while a range is chosen",
    [
      Binding("F &", "list only these steps; hide them", short: "only these") {
        $0.filterRange(.only)
      },
      Binding("-", short: "hide") { $0.filterRange(.hide) },
      Binding("i", "zoom the timeline to them", short: "zoom") { $0.zoomToRange() },
      Binding("s", "write them as a session", short: "save") { $0.writeRange() },
      Binding("C", "what changed from the first to the last", short: "compare") {
        $0.state.show(.diff)
      },
      Binding("V Esc q", "drop the range", short: "no range") { $0.state.travel.rangeStart = nil },
    ])
}
