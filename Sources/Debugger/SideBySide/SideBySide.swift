import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

struct SideBySide: Sendable, Hashable {
  var branch = ""
  var other = ""
  /// The runs of both; other runs invalidate the pairs.
  var runs: [Int] = []
  var pairs: [Int: Int] = [:]
  var asked: ClosedRange<Int>?
}

extension DebuggerState {
  static let besideWidth = 100

  var otherBeside: Branch? {
    guard forks.beside != nil, !branch.isMain, size.width >= Self.besideWidth else { return nil }
    return otherBranch.flatMap { self[branch: $0] }
  }
}

extension DebuggerUpdate {
  mutating func turnBeside() {
    if state.forks.beside != nil {
      state.forks.beside = nil
    } else if state.branch.isMain {
      say(
        "\(state.key("T")) shows a fork and another branch side by side: "
          + "\(state.key("B")) lists the forks, \(state.key("C")) chooses the other.")
    } else if state.size.width < DebuggerState.besideWidth {
      say("Two branches side by side need \(DebuggerState.besideWidth) columns.")
    } else {
      state.forks.beside = SideBySide()
      let keys = "\(state.key("C")) shows another branch, \(state.key("T")) closes it"
      say("“\(state.otherBranch ?? "")” beside it; \(keys).")
    }
  }

  mutating func renewBeside(_ listed: Set<Int>) {
    guard let other = state.otherBeside, let first = listed.min(), let last = listed.max() else {
      return
    }
    let runs = [state.branch.run, state.branch.steps.upperBound, other.run, other.steps.upperBound]
    if state.forks.beside?.branch != state.branch.name || state.forks.beside?.other != other.name
      || state.forks.beside?.runs != runs
    {
      state.forks.beside = SideBySide(branch: state.branch.name, other: other.name, runs: runs)
    }
    if state.forks.beside?.asked.map({ $0.contains(first) && $0.contains(last) }) != true {
      let steps = max(first - 100, state.branch.steps.lowerBound)...last + 100
      state.forks.beside?.asked = steps
      work.append(.align(state.branch.name, with: other.name, steps))
    }
    let seen = Set(listed.compactMap { state.forks.beside?.pairs[$0] }.filter(other.steps.contains))
    let missing = state.reading.pages.missing(seen, of: other)
    if !missing.isEmpty { work.append(.readSteps(missing)) }
  }

  mutating func takeAligned(_ branch: String, _ other: String, _ pairs: [Int: Int]) {
    guard state.forks.beside?.branch == branch, state.forks.beside?.other == other else { return }
    state.forks.beside?.pairs = pairs
  }
}

extension Background {
  func align(_ branch: String, _ other: String, _ steps: ClosedRange<Int>) -> Effect<DebuggerAction>
  {
    .doing("align") { [session] send in
      let pairs = steps.compactMap { step in
        session.counterpart(of: Position(branch: branch, step: step), on: other).map {
          (step, $0.step)
        }
      }
      await send(.aligned(branch, other, Dictionary(pairs) { $1 }))
    }.cancellable(id: Job.align, cancelInFlight: true)
  }
}

enum SideBySideView {
  static func draw(
    _ numbers: [Int], _ other: Branch, _ state: DebuggerState, in area: Rectangle,
    on canvas: inout Canvas
  ) {
    let pairs = state.forks.beside?.pairs ?? [:]
    let color = Style(foreground: state.color(of: other.name))
    let name = SafeText.truncated(other.name, to: area.width - 2)
    canvas.write(" \(name) ", at: area.point(1, -1), style: color)
    let rows = numbers.compactMap { pairs[$0].flatMap { state.reading.pages[other.name, $0] } }
    let digits = String(other.steps.upperBound).count
    let labels = StepLabels(rows.map(\.label), width: area.width - digits - 5)
    for (index, number) in numbers.enumerated() {
      let line = area.line(index)
      canvas.write("│", at: line.origin, style: .plain.dim)
      guard let beside = pairs[number] else {
        canvas.write("·", at: line.point(2), style: .plain.dim)
        continue
      }
      let own = state.reading.pages[state.here.branch, number]
      guard let row = state.reading.pages[other.name, beside] else { continue }
      let isSame = own.map { $0.label == row.label && $0.payload == row.payload } ?? false
      var spans = [Span(isSame ? "= " : "≠ ", isSame ? .quiet : .warning)]
      let text = String(repeating: " ", count: digits - String(beside).count) + "\(beside) "
      spans.append(Span(text, .quiet))
      spans.append(Span(labels[row.label], isSame ? .quiet : .plain))
      if !row.payload.isEmpty { spans.append(Span(" \(row.payload)", .quiet)) }
      // Steps missing from the fork are reported where they were.
      let before = pairs[number - 1].map { beside - $0 - 1 } ?? 0
      let gap = before > 0 ? " ↑\(grouped(before)) more" : ""
      let room = area.width - SafeText.width(gap)
      canvas.write(spans, at: line.point(2), width: room - 2)
      canvas.write(gap, at: line.point(room), style: Span.Role.warning.style)
    }
  }
}
