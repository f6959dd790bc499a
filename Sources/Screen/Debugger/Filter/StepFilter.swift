import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

struct StepFilter: Sendable, Equatable {
  enum Mode: String, CaseIterable {
    case only, hide, dim
  }

  var mode = Mode.only
  var question: StepQuestion?
  var foldsRuns = false
  /// Whether a branch that fits on a small screen is listed whole: so until you ask for runs.
  var unfoldsShort = false
  fileprivate(set) var branch = BranchID.main
  fileprivate(set) var run = 0
  var rows = StepRows(0...0, foldsRuns: false)
  var isRunning = false
  var searched = 0
  /// The steps whose answer is unknown.
  var unknown = 0
  var failure: String?

  var text: String {
    let condition = question.map { "\(mode.rawValue) \($0.condition.text)" }
    return [condition, foldsRuns ? "runs" : nil].compactMap(\.self).joined(separator: " ")
  }

  func folds(_ steps: ClosedRange<Int>) -> Bool {
    foldsRuns && !(unfoldsShort && steps.count <= Self.short)
  }

  private static let short = 12

  /// `118 of 2,000 hidden`; empty where no step is hidden or folded.
  var words: String {
    if let failure { return failure }
    var words =
      rows.hidden > 0 ? "\(grouped(rows.hidden)) of \(grouped(rows.steps.count)) hidden" : ""
    if words.isEmpty, question == nil, !folds(rows.steps) { return "" }
    if words.isEmpty { words = question == nil ? "runs folded" : "nothing hidden" }
    if mode == .dim, question != nil { words = "some dimmed" }
    if unknown > 0 { words += ", \(grouped(unknown)) unknown" }
    return isRunning ? words + ", \(searched * 100 / max(rows.steps.count, 1))%" : words
  }
}

struct Filter: Reducer {
  struct State: Sendable, Equatable {
    fileprivate(set) var now: StepFilter?
    fileprivate(set) var wasPutAway = false

    func isCurrent(for branch: Branch) -> Bool {
      guard let now, !now.isRunning else { return true }
      return now.branch == branch.id && now.run == branch.run
        && now.rows.steps.upperBound == branch.steps.upperBound
    }
  }

  enum Action: Sendable, Equatable {
    /// Starts at a step of the list, then goes on to those before it.
    case chosen(StepFilter, of: Branch, from: Int)
    case looked(at: Branch, from: Int)
    case putAway
    case found(ScanBatch)
    case ended(failure: String?)
  }

  private enum Job: Hashable, Sendable { case scanning }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .chosen(let filter, let branch, let top): return start(filter, branch, top, &state)
    case .looked(let branch, let top):
      guard var filter = state.now, !state.isCurrent(for: branch) else { return .none }
      let (old, new) = (filter.rows.steps, branch.steps)
      guard filter.branch == branch.id, filter.run == branch.run, new.upperBound > old.upperBound,
        filter.folds(old) == filter.folds(new)
      else { return start(filter, branch, top, &state) }
      filter.rows.grow(to: new.upperBound)
      filter.isRunning = true
      state.now = filter
      return scan(filter, [old.upperBound + 1...new.upperBound])
    case .putAway:
      (state.now, state.wasPutAway) = (nil, true)
      return .cancel(id: Job.scanning)
    case .found(let batch):
      guard let filter = state.now, filter.rows.steps.contains(batch.steps.upperBound) else {
        return .none
      }
      state.now?.rows.add(batch, hiding: filter.question == nil ? nil : filter.mode)
      state.now?.searched += batch.steps.count
      state.now?.unknown += batch.unknown
    case .ended(let failure):
      state.now?.isRunning = false
      state.now?.failure = failure
    }
    return .none
  }

  private func start(
    _ filter: StepFilter, _ branch: Branch, _ top: Int, _ state: inout State
  ) -> Effect<Action> {
    let steps = branch.steps
    var filter = filter
    (filter.branch, filter.run) = (branch.id, branch.run)
    filter.rows = StepRows(steps, foldsRuns: filter.folds(steps))
    filter.isRunning = true
    (filter.searched, filter.unknown) = (0, 0)
    filter.failure = nil
    (state.now, state.wasPutAway) = (filter, false)
    return scan(filter, steps.parts(from: top))
  }

  private func scan(_ filter: StepFilter, _ parts: [ClosedRange<Int>]) -> Effect<Action> {
    let (branch, question) = (filter.branch, filter.question)
    let labels = filter.folds(filter.rows.steps)
    return .doing("filter", orSend: { .ended(failure: $0) }) { session, send in
      if let words = try await session.absence(in: question, of: branch) {
        return await send(.ended(failure: words))
      }
      try await session.scan(branch, in: parts, for: question, labels: labels) {
        await send(.found($0))
      }
      await send(.ended(failure: nil))
    }.cancellable(id: Job.scanning, cancelInFlight: true)
  }
}

extension DebuggerState {
  /// Redux sends an action for each key that someone types, so a session of it opens with its runs
  /// folded.
  var filterAtStart: String? { session.isOfJavaScript ? "runs" : nil }

  /// A sidecar keeps this; nil is what the session opens with.
  var filterToKeep: String? {
    let text = filter.now?.text ?? (filter.wasPutAway ? "off" : filterAtStart)
    return text == filterAtStart || text == "off" && filterAtStart == nil ? nil : text
  }

  var rows: StepRows? {
    guard let filter = filter.now, filter.branch == here.branch else { return nil }
    return filter.rows
  }

  /// The rows of the list. Without a filter, each step has its own.
  private var list: StepRows { rows ?? StepRows(plain: branch.steps) }

  mutating func moveRows(by offset: Int) {
    guard let rows else { return move(by: offset) }
    go(to: rows.last(ofRow: rows.row(here.step, by: offset)), isJump: false)
  }

  /// A row of several steps counts as its last one.
  func listed(height: Int) -> [Int] {
    let rows = list
    let own = rows.row(of: here.step)
    var listed: [Int] = []
    var next: Int? = travel.listTop
    while let row = next, listed.count < height {
      if !rows.isHidden(row) || row == here.step {
        listed.append(row == own ? here.step : rows.last(ofRow: row))
      }
      let following = rows.row(row, by: 1)
      next = following > row ? following : nil
    }
    // The current step shows even if hidden.
    if rows.isHidden(here.step), here.step >= travel.listTop, !listed.contains(here.step) {
      listed.insert(here.step, at: listed.firstIndex { $0 > here.step } ?? listed.count)
    }
    return Array(listed.prefix(max(height, 0)))
  }

  mutating func scrollList(height: Int) {
    let (rows, height) = (list, max(1, height))
    let own = rows.row(of: here.step)
    travel.listTop = min(
      max(rows.row(of: travel.listTop), rows.steps.lowerBound), rows.steps.upperBound)
    if rows.isHidden(travel.listTop) { travel.listTop = rows.row(travel.listTop, by: 1) }
    let (above, below) = (
      rows.count(from: own, to: travel.listTop), rows.count(from: travel.listTop, to: own)
    )
    if above > height / 2 || below >= height + height / 2 {
      travel.listTop = rows.row(own, by: -(height / 2))
    } else if travel.listTop > own {
      travel.listTop = own
    } else if below >= height {
      travel.listTop = rows.row(own, by: 1 - height)
    }
    // A running fork fills the rows below its last step, so the list stays where it is.
    if branch.progress == .running { return }
    let last = rows.row(of: rows.steps.upperBound)
    travel.listTop = min(travel.listTop, rows.row(last, by: 1 - height))
  }
}

extension DebuggerUpdate {
  /// `only CONDITION`, `hide CONDITION`, `dim CONDITION`, `runs`, `off`; returns the mistake, if
  /// any.
  mutating func setFilter(_ text: String, unfoldsShort: Bool = false) -> String? {
    var words = text.split(separator: " ")
    if words.isEmpty || words == ["off"] {
      let was = state.filter.now != nil
      stopFilter()
      say(
        was
          ? "All steps are listed."
          : "No step is hidden: \(state.key("F")) or :filter CONDITION does that.")
      return nil
    }
    var filter = StepFilter()
    filter.unfoldsShort = unfoldsShort
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
        filter.question = try question(condition(words))
      } catch {
        return error.line
      }
    }
    start(filter)
    // Else the bottom line stays with the last search.
    if state.searches.asked != nil {
      say("\(filter.text): \(state.key("F")) changes it, :filter off lists all.")
    }
    return nil
  }

  /// A single word that is not a condition is a range of steps or a part of the label.
  func condition(_ words: [Substring]) -> String {
    let text = words.joined(separator: " ")
    if let range = ClosedRange(typed: text) { return range.condition }
    let isName = text.allSatisfy { $0.isLetter || $0.isNumber || "._-/".contains($0) }
    let isPath = ["state", "action", "previous", "reads"].contains { text.hasPrefix("\($0).") }
    return isName && !isPath ? "search(label, '\(text.replacing(".", with: "\\\\."))')" : text
  }

  mutating func askForFilter() {
    state.prompt = Prompt(.filter, ghost: state.filter.now?.text ?? "", takesGhost: true)
  }

  mutating func hideLabel() {
    guard let label = state.row?.label else { return }
    let quoted = label.escapedInCondition
    var filter = state.filter.now ?? StepFilter(mode: .hide)
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
    start(filter)
    say("“\(label)” is hidden: \(state.key("F")) changes the filter, :filter off shows all.")
  }

  mutating func foldRuns() {
    var filter = state.filter.now ?? StepFilter()
    filter.foldsRuns = !filter.folds(state.branch.steps)
    filter.unfoldsShort = false
    guard filter.foldsRuns || filter.question != nil else { return stopFilter() }
    start(filter)
    say(
      filter.foldsRuns
        ? "Steps of one kind share a row; \(state.key("J")) and \(state.key("K")) go into it; "
          + "\(state.key("r")) unfolds them."
        : "Each step has its row again.")
  }

  mutating func stopFilter() { send(.filter(.putAway)) }

  private mutating func start(_ filter: StepFilter) {
    send(.filter(.chosen(filter, of: state.branch, from: state.travel.listTop)))
  }

  mutating func renewFilter() {
    guard !state.filter.isCurrent(for: state.branch) else { return }
    send(.filter(.looked(at: state.branch, from: state.travel.listTop)))
  }

  mutating func endFilter() {
    guard let filter = state.filter.now, let rows = state.rows else { return }
    if filter.unknown == rows.steps.count {
      stopFilter()
      return say(unknownWords, .warning)
    }
    guard rows.hidden == rows.steps.count else { return }
    say(
      "All steps are hidden: \(state.key("F")) changes the filter, :filter off shows all.", .warning
    )
  }
}
