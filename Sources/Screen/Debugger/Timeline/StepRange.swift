import SessionWords
import TextCanvas
import TimeTravel

extension DebuggerState {
  var range: ClosedRange<Int>? {
    guard let start = travel.rangeStart, start.branch == here.branch else { return nil }
    return min(start.step, here.step)...max(start.step, here.step)
  }

  func words(for range: ClosedRange<Int>) -> String {
    var words = "\(range.words): \(counted(range.count, "step"))"
    let times = [range.lowerBound, range.upperBound].map { reading.pages[here.branch, $0]?.time }
    if let start = times[0], let end = times[1] { words += ", \((end - start).longText)" }
    return words
  }
}

extension DebuggerUpdate {
  mutating func turnRange() {
    guard state.range == nil else { return state.travel.rangeStart = nil }
    state.travel.rangeStart = state.here
    say("A range begins here: move to its other end.")
  }

  mutating func renewRange() {
    guard let range = state.range else {
      state.travel.rangeStart = nil
      return state.reading.spanned = nil
    }
    let last = Position(branch: state.here.branch, step: range.upperBound)
    let span = StepSpan(last: last, first: range.lowerBound)
    guard state.reading.spanned?.span != span else { return }
    state.reading.spanned = (span, nil)
    if range.count > 1 { effects.append(.readSpan(span)) }
  }

  mutating func filterRange(_ mode: StepFilter.Mode) {
    guard let range = state.range else { return }
    state.travel.rangeStart = nil
    if let problem = setFilter("\(mode.rawValue) \(range.condition)") {
      return say(problem, .warning)
    }
    say("Steps \(range.words) are \(mode == .only ? "listed" : "hidden"); :filter off lists all.")
  }

  mutating func choose(_ range: ClosedRange<Int>) {
    let steps = state.branch.steps
    guard range.overlaps(steps) else {
      return say("“\(state.branch.name)” has the steps \(steps.words).", .warning)
    }
    state.go(to: range.upperBound)
    state.travel.rangeStart = Position(
      branch: state.here.branch, step: max(range.lowerBound, steps.lowerBound))
  }

  mutating func zoomToRange() {
    guard let range = state.range else { return }
    state.travel.rangeStart = nil
    state.timeline.zoom = range.count > 1 ? range : nil
  }

  mutating func writeRange() {
    guard let range = state.range else { return }
    guard state.branch.isMain else {
      return say("A fork is written as a whole, from its start: :export FILE", .warning)
    }
    let steps = "\(range.lowerBound)-\(range.upperBound)"
    state.prompt = Prompt(
      .command, "trim \(steps) ",
      ghost: "\(state.session.name.prefix { $0 != "." })-\(steps).retcon", takesGhost: true)
  }
}

package struct StepSpan: Sendable, Hashable {
  var last: Position
  var first: Int
}

extension ClosedRange<Int> {
  /// `8-12` or `8..12`.
  init?(typed: some StringProtocol) {
    guard typed.allSatisfy({ $0.isNumber || "-–.…".contains($0) }) else { return nil }
    let ends = typed.split { !$0.isNumber }.compactMap { Int($0) }
    guard ends.count == 2, ends[0] <= ends[1] else { return nil }
    self = ends[0]...ends[1]
  }

  var condition: String { "step >= \(lowerBound) && step <= \(upperBound)" }

  var words: String { "\(grouped(lowerBound)) to \(grouped(upperBound))" }
}
