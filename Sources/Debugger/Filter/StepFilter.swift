import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// Which steps of the branch are listed, and how far that is known.
package struct StepFilter: Sendable {
  enum Mode: String, CaseIterable {
    case only, hide, dim
  }

  var mode = Mode.only
  var question: StepQuestion?
  /// Runs of steps with one label stand in one row.
  var foldsRuns = false
  var number = 0
  var branch = ""
  /// The run of the branch that it has looked through.
  var run = 0
  var rows = StepRows(0...0, foldsRuns: false)
  var isRunning = false
  var searched = 0
  var failure: String?

  /// As it can be typed again.
  var text: String {
    let condition = question.map { "\(mode.rawValue) \($0.condition.text)" }
    return [condition, foldsRuns ? "runs" : nil].compactMap(\.self).joined(separator: " ")
  }

  /// `118 of 2,000 hidden`
  var words: String {
    if let failure { return failure }
    var words =
      rows.hidden > 0 ? "\(grouped(rows.hidden)) of \(grouped(rows.steps.count)) hidden" : ""
    if words.isEmpty { words = question == nil ? "runs folded" : "nothing hidden" }
    if mode == .dim, question != nil { words = "some dimmed" }
    return isRunning ? words + ", \(searched * 100 / max(rows.steps.count, 1))%" : words
  }
}

extension DebuggerState {
  /// The rows of the list, where not every step has one of its own.
  var rows: StepRows? {
    guard let filter, filter.branch == here.branch else { return nil }
    return filter.rows
  }

  /// Moves by rows of the list: over what is hidden, and over the rest of a run.
  mutating func moveRows(by offset: Int) {
    guard let rows else { return move(by: offset) }
    go(to: rows.row(here.step, by: offset), isJump: false)
  }

  /// The steps that are listed; in the row of the one that is looked at stands that one.
  func listed(height: Int) -> [Int] {
    let height = max(height, 0)
    guard let rows else {
      return (listTop..<listTop + height).filter(branch.steps.contains)
    }
    let own = rows.row(of: here.step)
    var listed: [Int] = []
    var next: Int? = listTop
    while let row = next, listed.count < height {
      if !rows.isHidden(row) || row == here.step { listed.append(row == own ? here.step : row) }
      let following = rows.row(row, by: 1)
      next = following > row ? following : nil
    }
    // The one that is looked at stands in its place, though it is hidden.
    if rows.isHidden(here.step), here.step >= listTop, !listed.contains(here.step) {
      listed.insert(here.step, at: listed.firstIndex { $0 > here.step } ?? listed.count)
    }
    return Array(listed.prefix(height))
  }

  /// Keeps the row that is looked at in sight; after a jump it stands in the middle.
  mutating func scrollRows(_ rows: StepRows, height: Int) {
    let own = rows.row(of: here.step)
    listTop = min(max(rows.row(of: listTop), rows.steps.lowerBound), rows.steps.upperBound)
    if rows.isHidden(listTop) { listTop = rows.row(listTop, by: 1) }
    let (above, below) = (rows.count(from: own, to: listTop), rows.count(from: listTop, to: own))
    if above > height / 2 || below >= height + height / 2 {
      listTop = rows.row(own, by: -(height / 2))
    } else if above > 0 {
      listTop = own
    } else if below >= height {
      listTop = rows.row(own, by: 1 - height)
    }
    let last = rows.row(of: rows.steps.upperBound)
    listTop = min(listTop, rows.row(last, by: 1 - height))
  }
}

extension Reaction {
  /// `only CONDITION`, `hide CONDITION`, `dim CONDITION`, `runs`, `off`; what is wrong with it, if anything.
  mutating func setFilter(_ text: String) -> String? {
    var words = text.split(separator: " ")
    if words.isEmpty || words == ["off"] {
      let was = state.filter != nil
      stopFilter()
      say(
        was
          ? "All steps are listed."
          : "No step is hidden: \(state.key("F")) or :filter CONDITION does that.")
      return nil
    }
    var filter = StepFilter()
    if words.last == "runs" {
      filter.foldsRuns = true
      words.removeLast()
    }
    if let mode = words.first.flatMap({ StepFilter.Mode(rawValue: String($0)) }) {
      filter.mode = mode
      words.removeFirst()
      if words.isEmpty {
        return "\(mode.rawValue) needs a condition, as \(mode.rawValue) label == 'tick'"
      }
    }
    if !words.isEmpty {
      do {
        let question = try StepQuestion(Self.condition(words))
        if let unknown = whyUnknown(question) { return unknown }
        filter.question = question
      } catch {
        return error.line
      }
    }
    start(filter)
    return nil
  }

  /// A single word that is no condition is a range of steps or a part of the label.
  private static func condition(_ words: [Substring]) -> String {
    let text = words.joined(separator: " ")
    if let range = ClosedRange(typed: text) { return range.condition }
    let isName = text.allSatisfy { $0.isLetter || $0.isNumber || "._-/".contains($0) }
    let isPath = ["state", "action", "previous", "reads"].contains { text.hasPrefix("\($0).") }
    return isName && !isPath ? "search(label, '\(text.replacing(".", with: "\\\\."))')" : text
  }

  mutating func askForFilter() { state.prompt = Prompt(.filter, state.filter?.text ?? "") }

  /// One key: the steps with the label of this one are hidden, too.
  mutating func hideLabel() {
    guard let label = state.pages[state.here.branch, state.here.step]?.label else { return }
    let quoted = label.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    var filter = state.filter ?? StepFilter(mode: .hide)
    let old = filter.question.map { "(\($0.condition.text))" }
    let condition: String
    switch (filter.mode, old) {
    case (.only, let old?): condition = "\(old) && label != '\(quoted)'"
    case (.hide, let old?): condition = "\(old) || label == '\(quoted)'"
    default:
      filter.mode = .hide
      condition = "label == '\(quoted)'"
    }
    filter.question = try? StepQuestion(condition)
    let from = state.here
    start(filter)
    state.go(to: from, isJump: false)
    say("“\(label)” is hidden: \(state.key("F")) changes what is, :filter off shows all.")
  }

  /// Runs of alike steps in one row each, or in many again.
  mutating func foldRuns() {
    var filter = state.filter ?? StepFilter()
    filter.foldsRuns.toggle()
    guard filter.foldsRuns || filter.question != nil else { return stopFilter() }
    start(filter)
    say(
      filter.foldsRuns
        ? "Runs of alike steps stand in one row; \(state.key("J")) and \(state.key("K")) go through "
          + "each; \(state.key("r")) unfolds them."
        : "Each step has its row again.")
  }

  mutating func stopFilter() {
    if state.filter?.isRunning == true { work.append(.stopFilter) }
    state.filter = nil
  }

  /// Looks through the branch from what is seen on; what is hidden leaves as it is found.
  private mutating func start(_ filter: StepFilter) {
    var filter = filter
    let steps = state.branch.steps
    state.searchNumber += 1
    filter.number = state.searchNumber
    filter.branch = state.here.branch
    filter.run = state.branch.run
    filter.rows = StepRows(steps, foldsRuns: filter.foldsRuns)
    filter.isRunning = true
    filter.searched = 0
    filter.failure = nil
    state.filter = filter
    let top = min(max(state.listTop, steps.lowerBound), steps.upperBound)
    scan([top...steps.upperBound] + (top > steps.lowerBound ? [steps.lowerBound...top - 1] : []))
  }

  private mutating func scan(_ parts: [ClosedRange<Int>]) {
    guard let filter = state.filter else { return }
    work.append(
      .filter(
        filter.question, labels: filter.foldsRuns, number: filter.number, branch: filter.branch,
        parts))
  }

  /// Another branch is looked at, or this one is longer.
  mutating func renewFilter() {
    guard let filter = state.filter, !filter.isRunning else { return }
    let (old, new) = (filter.rows.steps, state.branch.steps)
    if filter.branch != state.here.branch || new.upperBound < old.upperBound
      || state.branch.run != filter.run
    {
      start(filter)
    } else if new.upperBound > old.upperBound {
      state.filter?.rows.grow(to: new.upperBound)
      state.filter?.isRunning = true
      scan([old.upperBound + 1...new.upperBound])
    }
  }

  mutating func takeFiltered(_ number: Int, _ batch: ScanBatch) {
    guard let filter = state.filter, filter.number == number,
      filter.rows.steps.contains(batch.steps.upperBound)
    else { return }
    state.filter?.rows.add(batch, hiding: filter.question == nil ? nil : filter.mode)
    state.filter?.searched += batch.steps.count
  }

  mutating func endFilter(_ number: Int, _ failure: String?) {
    guard state.filter?.number == number else { return }
    state.filter?.isRunning = false
    state.filter?.failure = failure
    if let rows = state.rows, rows.hidden == rows.steps.count {
      say(
        "No step is left: \(state.key("F")) changes what is hidden, :filter off shows all.",
        .warning)
    }
  }
}
