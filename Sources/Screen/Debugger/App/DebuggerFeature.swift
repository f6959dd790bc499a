import StoreCore
import TextCanvas
import TimeTravel

/// The debugger as a feature of a store: keys and news in, state and background work out. No key
/// waits for the disk, a search or a host.
///
/// Independent parts are features of their own. A key's action reaches them in the same turn, and
/// the debugger sees it afterwards, with the feature's new state.
struct DebuggerFeature: Reducer {
  var body: some Reducer<DebuggerState, DebuggerAction> {
    Scope(state: \.blame, action: \.blame) { Blame() }
    Scope(state: \.filter, action: \.filter) { Filter() }
    Scope(state: \.playing, action: \.playing) { Playing() }
    Scope(state: \.searches, action: \.searches) { Searches() }
    Scope(state: \.watch, action: \.watch) { Watch() }
    Reduce { state, action in
      var update = DebuggerUpdate(consume state)
      update.act(on: action)
      state = update.state
      return .merge(update.sent.map { .send($0) } + update.effects)
    }
    .ifLet(\.forkLine, action: \.forkLine) { ForkLineFeature() }
  }
}

extension DebuggerUpdate {
  mutating func act(on action: DebuggerAction) {
    receive(action)
    // An action for a feature changes the state again in this turn, so settle afterwards.
    if sent.isEmpty { settle() }
    goOn()
  }

  /// False for a session that is too long to do so unasked.
  @discardableResult
  mutating func lookForErrors() -> Bool {
    guard state.session.steps.count <= Search.mostUnasked else { return false }
    look(for: .errors, as: .errors, in: state.branches[0], isSilent: true)
    return true
  }

  mutating func survey() {
    guard lookForErrors() else { return }
    effects.append(.survey())
  }

  /// Follows up any change: keeps cursors in sight, and reads what is visible.
  mutating func settle() {
    renewFilter()
    renewWatch()
    renewSearches()
    renewForkErrors()
    renewBroken()
    renewFunctions()
    renewForkLine()
    renewTimeline()
    renewRange()
    renewView()
    let layout = Layout(state)
    state.scrollList(height: layout.steps.height - state.covered(layout))
    // One more step at the top, because times are relative to the step before.
    let listed = state.listed(height: max(layout.steps.height, 1) + 1)
    let steps = Set((listed + listed.map { $0 - 1 }).filter(state.branch.steps.contains))
    // The first step of a fork says whether all of it is in doubt.
    let first = state.branch.firstOwnStep.map { [$0] } ?? []
    let missing = state.reading.pages.missing(steps.union(first), of: state.branch)
    if !missing.isEmpty { effects.append(.readSteps(missing)) }
    renewBeside(steps)
    if let moment = state.moment {
      lookAhead()
      for place in layout.panes {
        let spanned = place.seen == .diff ? state.reading.spanned?.moment : nil
        state.paneSet[place.seen].refresh(
          spanned ?? moment, pane: place.seen, watched: state.watchedNow,
          note: state.mark(at: moment.position), in: state.branches,
          width: place.content.width - 3,
          hasFocus: state.paneSet.focus == .pane && place.seen == state.pane,
          settling: { [state] in state.words(settling: $0) })
      }
    } else if state.reading.awaited != state.here {
      state.reading.awaited = state.here
      effects.append(.readMoment(state.here, comparedWith: state.otherBranch))
    }
    for place in layout.panes { state.paneSet[place.seen].scroll(height: place.content.height) }
    renewBlame()
    renewShown()
    findSources(layout)
  }

  private mutating func lookAhead() {
    guard state.reading.lookedAheadFrom != state.here else { return }
    state.reading.lookedAheadFrom = state.here
    let ahead = [1, -1, 2, -2].map {
      Position(branch: state.here.branch, step: state.here.step + $0)
    }.filter { state.branch.steps.contains($0.step) && state.reading.moments[$0] == nil }
    if !ahead.isEmpty { effects.append(.readAhead(ahead, comparedWith: state.otherBranch)) }
  }
}

struct DebuggerUpdate {
  var state: DebuggerState
  /// Actions for the features inside, in the same turn.
  private(set) var sent: [DebuggerAction] = []
  var effects: [Effect<DebuggerAction>] = []
  var key = Key.escape
  var count: Int?
  var arguments: [String] = []
  /// The arguments as they were typed.
  var typed = ""
  var confirmed: SourceLine?
  var link: Link?

  init(_ state: consuming DebuggerState) { self.state = state }

  var times: Int { count ?? 1 }
  var argument: String { arguments.joined(separator: " ") }

  mutating func send(_ action: DebuggerAction) { sent.append(action) }

  /// Starts an effect that writes beside the session. The debugger waits for it before it quits.
  mutating func save(_ effect: Effect<DebuggerAction>) {
    state.keeping.inFlight += 1
    effects.append(effect)
  }

  mutating func say(_ text: String, _ kind: Message.Kind = .news) {
    state.message = Message(text, kind)
  }
}
