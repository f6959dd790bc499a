import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

struct SideBySide: Sendable, Hashable {
  var branch = BranchID.main
  var other = BranchID.main
  /// The runs of both; other runs invalidate the pairs.
  var runs: [Int] = []
  var pairs: [Int: Int] = [:]
  var asked: ClosedRange<Int>?
}

/// A row of two branches: a side without a step has a gap. Many steps that only the other has share
/// one row.
struct BesideRow: Sendable, Hashable {
  var own: Int?
  var other: Range<Int>?
}

extension DebuggerState {
  static let besideWidth = 100

  var otherBeside: Branch? {
    guard forks.beside != nil, size.width >= Self.besideWidth else { return nil }
    if branch.isMain || driving.beside != nil { return branch.isMain ? driving.beside : nil }
    return otherBranch.flatMap { self[branch: $0] }
  }

  /// The step of each row of the list; nil for a gap.
  func stepsInRows(height: Int) -> [Int?] {
    otherBeside == nil ? listed(height: height) : besideRows(height: height).map(\.own)
  }

  func besideRows(height: Int) -> [BesideRow] {
    let pairs = forks.beside?.pairs ?? [:]
    var rows: [BesideRow] = []
    var last: Int?
    for number in listed(height: height) {
      let other = pairs[number]
      // Not every step has one of another session.
      let previous = driving.beside == nil ? pairs[number - 1] : last
      last = other ?? last
      if let other, let before = previous, other - before > 1 {
        let missing = before + 1..<other
        rows +=
          missing.count > 3
          ? [BesideRow(other: missing)] : missing.map { BesideRow(other: $0..<$0 + 1) }
      }
      rows.append(BesideRow(own: number, other: other.map { $0..<$0 + 1 }))
    }
    let here = rows.firstIndex { $0.own == self.here.step } ?? 0
    return Array(rows.dropFirst(max(0, here - height + 1)).prefix(height))
  }
}

extension DebuggerState {
  /// Whether a step is that of another branch: its parent, or one that is as recorded there, too.
  fileprivate func isSame(_ own: StepRow, as row: StepRow, of other: Branch) -> Bool {
    if branch.script?.parent == other.id, !other.isMain {
      return own.standing?.sameAs != nil || own.standing == nil
    }
    return [own, row].allSatisfy { $0.standing.map { $0.outcome == .equal } ?? true }
  }
}

extension DebuggerUpdate {
  mutating func turnBeside() {
    if state.driving.beside != nil, !state.branch.isMain {
      (state.driving.beside, state.forks.beside) = (nil, nil)
    }
    let hasOthers = state.driving.sessions.contains { $0.id != state.driving.session }
    if state.branch.isMain, hasOthers, state.size.width >= DebuggerState.besideWidth {
      turnSessionBeside()
    } else if state.forks.beside != nil {
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
      say("“\(state.name(of: state.otherBranch ?? .main))” beside it; \(keys).")
    }
  }

  mutating func renewBeside(_ listed: Set<Int>) {
    guard let other = state.otherBeside, let first = listed.min(), let last = listed.max() else {
      return
    }
    let runs = [state.branch.run, state.branch.steps.upperBound, other.run, other.steps.upperBound]
    if state.forks.beside?.branch != state.branch.id || state.forks.beside?.other != other.id
      || state.forks.beside?.runs != runs
    {
      var beside = SideBySide(branch: state.branch.id, other: other.id, runs: runs)
      // Sessions only grow, so the pairs of before stay.
      if state.driving.beside != nil, state.forks.beside?.other == other.id {
        beside.pairs = state.forks.beside?.pairs ?? [:]
      }
      state.forks.beside = beside
    }
    if state.forks.beside?.asked.map({ $0.contains(first) && $0.contains(last) }) != true {
      let steps = max(first - 100, state.branch.steps.lowerBound)...last + 100
      state.forks.beside?.asked = steps
      if !alignSession(steps) {
        effects.append(.align(state.branch.id, with: other.id, steps))
      }
    }
    guard state.driving.beside == nil else { return }
    let rows = state.besideRows(height: listed.count)
    let seen = Set(rows.compactMap { $0.other?.first }.filter(other.steps.contains))
    let missing = state.reading.pages.missing(seen, of: other)
    if !missing.isEmpty { effects.append(.readSteps(missing)) }
  }

  mutating func receiveAlignment(_ branch: BranchID, _ other: BranchID, _ pairs: [Int: Int]) {
    guard state.forks.beside?.branch == branch, state.forks.beside?.other == other else { return }
    state.forks.beside?.pairs = pairs
  }
}

extension Effect<DebuggerAction> {
  static func align(
    _ branch: BranchID, with other: BranchID, _ steps: ClosedRange<Int>
  ) -> Effect {
    .doing("align") { session, send in
      let pairs = steps.compactMap { step in
        session.counterpart(of: Position(branch: branch, step: step), on: other).map {
          (step, $0.step)
        }
      }
      await send(.aligned(branch, other, Dictionary(pairs) { $1 }))
    }.cancellable(id: Background.Job.align, cancelInFlight: true)
  }
}

extension Painter {
  mutating func drawBeside(_ rows: [BesideRow], _ other: Branch, in area: Rectangle) {
    let color = Style(foreground: state.color(of: other.id))
    let name = SafeText.truncated(other.name, to: area.width - 2)
    canvas.write(" \(name) ", at: area.point(1, -1), style: color)
    canvas.verticalLine(at: area.origin, length: area.height, style: .plain.dim)
    let seen = rows.compactMap { $0.other?.first }.compactMap {
      state.reading.pages[other.id, $0]
    }
    let digits = String(other.steps.upperBound).count
    let signs = seen.contains(where: \.isError) ? 2 : 0
    let labels = StepLabels(seen.map(\.label), width: area.width - digits - 5 - signs)
    for (index, pair) in rows.enumerated() {
      let line = area.line(index)
      guard let steps = pair.other else {
        canvas.write("·", at: line.point(2), style: .plain.dim)
        continue
      }
      if steps.count > 1 {
        let words = "↑ \(counted(steps.count, "step")) more"
        canvas.write(
          words, at: line.point(4), style: Span.Role.warning.style, width: area.width - 4)
        continue
      }
      guard let row = state.reading.pages[other.id, steps.lowerBound] else { continue }
      let own = pair.own.flatMap { state.reading.pages[state.here.branch, $0] }
      let isForeign = state.driving.beside != nil
      let isSame = !isForeign && own.map { state.isSame($0, as: row, of: other) } ?? false
      let text = String(repeating: " ", count: digits - String(row.number).count)
      var spans = [
        Span(isSame || isForeign ? "  " : "≠ ", .warning), Span("\(text)\(row.number) ", .quiet),
      ]
      let isFailure = row.isError || isSame && own.map(state.isFailure) == true
      if isFailure { spans.append(Span("✗ ", .failure)) }
      spans.append(Span(labels[row.label], isFailure ? .failure : isSame ? .quiet : .plain))
      if !row.payload.isEmpty { spans.append(Span(" \(row.payload)", .quiet)) }
      canvas.write(spans, at: line.point(2), width: area.width - 2)
    }
  }
}
