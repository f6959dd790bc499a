import TextCanvas
import TimeTravel
import ValueTree

/// A watched place, and the step that it changed at last.
struct Watched: Sendable, Hashable {
  var path: ValuePath
  var since: Int?
}

extension DebuggerState {
  /// The watched places of the branch that is looked at.
  var shownSeries: [WatchSeries] { watches.filter { $0.branch == here.branch } }

  var watchedNow: [Watched] {
    paneSet.watched.map { path in
      let series = shownSeries.first { $0.path == path }
      return Watched(path: path, since: series?.lastChange(at: here.step))
    }
  }
}

extension Reaction {
  /// What is watched is looked through in the background, once for each branch, and on when it grows.
  mutating func renewWatches() {
    let branch = state.branch
    for (index, series) in state.watches.enumerated().reversed()
    where !state.paneSet.watched.contains(series.path) || series.branch != branch.name
      || series.run != branch.run || series.steps.upperBound > branch.steps.upperBound
    {
      if series.isRunning { work.append(.stopWatch(series.number)) }
      state.watches.remove(at: index)
    }
    for path in state.paneSet.watched {
      guard let index = state.watches.firstIndex(where: { $0.path == path }) else {
        state.searchNumber += 1
        let series = WatchSeries(
          path, number: state.searchNumber, of: branch, from: state.listTop)
        state.watches.append(series)
        work.append(
          .watch(path.pointer, number: series.number, branch: branch.name, series.parts))
        continue
      }
      let last = state.watches[index].steps.upperBound
      guard !state.watches[index].isRunning, branch.steps.upperBound > last else { continue }
      state.watches[index].grow(to: branch.steps.upperBound)
      state.watches[index].isRunning = true
      work.append(
        .watch(
          path.pointer, number: state.watches[index].number, branch: branch.name,
          [last + 1...branch.steps.upperBound]))
    }
  }

  /// `:watch cart.total`; a place is written as in a condition.
  mutating func watch(_ text: String) {
    guard !text.isEmpty else {
      return say(
        "Write :watch PATH, as in :watch cart.total; "
          + "\(self.state.key("w")) watches what is under the cursor.")
    }
    guard let state = state.moment?.state, let watched = TypedPlace.path(text, in: state) else {
      return say("“\(text)” is no place of the state, as in cart.items[0].total.", .warning)
    }
    if let words = TypedPlace.suggestion(for: text, in: state) { return say(words, .warning) }
    if !self.state.paneSet.watched.contains(watched) { self.state.paneSet.watched.append(watched) }
    say("\(watched.text) is watched: see Watch.")
  }

  mutating func takeWatched(_ number: Int, _ batch: WatchBatch) {
    guard let index = state.watches.firstIndex(where: { $0.number == number }) else { return }
    state.watches[index].add(batch)
  }

  mutating func endWatch(_ number: Int, _ failure: String?) {
    guard let index = state.watches.firstIndex(where: { $0.number == number }) else { return }
    state.watches[index].isRunning = false
    if let failure { say(failure, .warning) }
  }

  // MARK: Rules

  /// Looks for the steps in which a condition does not hold that always should.
  mutating func addRule(_ text: String) {
    if text.isEmpty {
      return say(
        state.rules.isEmpty
          ? "Write :rule CONDITION, as in :rule state.total >= 0; :rule off forgets them."
          : state.rules.joined(separator: "; "))
    }
    if text == "off" {
      state.rules = []
      state.broken.map { work.append(.stopSearch($0.number)) }
      state.broken = nil
      return say("No rule is looked at.")
    }
    do {
      let rule = try StepQuestion(text)
      if let unknown = whyUnknown(rule) { return say(unknown, .warning) }
      if !state.rules.contains(text) { state.rules.append(text) }
      lookAtRules(nil)
    } catch {
      say(error.line, .warning)
    }
  }

  mutating func lookAtRules(_ direction: Search.Direction?) {
    let words = state.rules.map { "!(\($0))" }.joined(separator: " || ")
    guard var question = try? StepQuestion(words) else { return }
    question.isOfKnownStates = true
    let (search, searching) = startSearch(.condition(question), direction)
    state.broken = search
    state.broken?.isSilent = true
    work.append(searching)
  }

  /// The next step in which a rule begins to be broken.
  func nextBroken(_ direction: Search.Direction) -> (step: Int, wrapped: Bool)? {
    guard let broken = state.broken, broken.branch == state.here.branch else { return nil }
    guard let first = broken.hit(direction, of: state.here.step) else { return nil }
    var (hit, wrapped) = first
    // It goes on being broken for many steps.
    while broken.isHit(hit - 1), let next = broken.hit(direction, of: hit), next.step != first.step
    {
      (hit, wrapped) = (next.step, wrapped || next.wrapped)
    }
    return (hit, wrapped)
  }
}
