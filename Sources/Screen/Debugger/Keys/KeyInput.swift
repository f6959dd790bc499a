import TextCanvas
import TimeTravel

extension DebuggerUpdate {
  mutating func handle(_ event: InputEvent) {
    if case .resize(let size) = event { return state.size = size }
    state.input.wasTouched = true
    state.searches.isLeft = true
    if state.overlay == nil { state.searches.offersTest = false }
    if handleLeaving(event) { return }
    if wait(event) { return }
    if state.playing.speed != nil, handlePlaying(event) { return }
    switch event {
    case .resize: break
    case .paste(let text): paste(text)
    case .mouse(let mouse): handle(mouse)
    case .key(let key): press(key)
    }
  }

  private mutating func press(_ key: Key) {
    self.key = key
    if KeyTable.always.handle(key, &self) { return }
    if state.prompt != nil {
      if !KeyTable.prompt.handle(key, &self) { type(key) }
    } else if case .list(.menu(let menu), _)? = state.overlay {
      if !KeyTable.menu.handle(key, &self) { press(key, in: menu) }
    } else if state.overlay != nil {
      state.message = nil
      guard !KeyTable.lists.handle(key, &self) else { return }
      say("\(key.name) does nothing here: \(state.key("q", in: KeyTable.lists)) goes back.")
    } else {
      pressInPanes(key)
    }
  }

  private mutating func paste(_ text: String) {
    if state.prompt != nil {
      state.prompt?.line.insert(text)
      state.prompt?.problem = nil
      lineChanged()
    } else if state.overlay == nil {
      say(
        "Pasted text goes into a line: \(state.key("/")) searches it, \(state.key(":")) takes commands."
      )
    }
  }

  mutating func interrupt() {
    if state.prompt != nil {
      closePrompt()
    } else if stopWork() {
      return
    } else if state.overlay != nil {
      state.overlay = nil
    } else if state.searches.asked != nil {
      // It may have ended just before.
      send(.searches(.putAway(.asked)))
      say("The search is closed; Ctrl-C again leaves.")
    } else {
      quit()
    }
  }

  mutating func stopWork() -> Bool {
    if state.searches.asked?.isRunning == true {
      send(.searches(.stopped(.asked)))
    } else if let errors = state.searches[keyPath: state.errorsOfHere.path], errors.isRunning,
      !errors.isSilent
    {
      // Its result may be incomplete: the next e searches again.
      send(.searches(.putAway(state.errorsOfHere)))
      say("Stopped looking for errors.")
    } else if state.filter.now?.isRunning == true {
      stopFilter()
      say("The filter is off: all steps are listed.")
    } else if let finding = state.searches.finding {
      stopSeeking(finding)
    } else if let path = state.keeping.exporting {
      if let fork = state.forkForReport { state[branch: fork.id]?.progress = .stopped }
      state.keeping.exporting = nil
      say("\(path) was not written.", .warning)
      effects.append(.cancel(id: Background.Job.exporting))
    } else if let fork = state.forks.running {
      state.forks.running = nil
      state.forks.toRun = []
      state.forks.toShow = nil
      state[branch: fork]?.progress = .stopped
      say("“\(state.name(of: fork))” was stopped.", .warning)
      effects.append(.cancel(id: Background.Job.fork))
    } else {
      return false
    }
    return true
  }

  // MARK: Steps and pane

  mutating func pressInPanes(_ key: Key) {
    confirmed = state.reading.sources.toConfirm.take()
    let test = state.keeping.exporting == nil ? state.keeping.test.take() : nil
    if key == .character("v"), let test { return effects.append(.output(.open(test, line: 1))) }
    let first = state.input.pendingKey
    state.input.pendingKey = nil
    if let first, pressSecond(key, after: first) { return }
    var binding = state.binding(of: key)
    if case .character(let digit) = key, digit.isASCII, digit.isNumber,
      binding == nil || !state.input.digits.isEmpty
    {
      return add(digit)
    }
    if let panes = state.input.panesBeforeDigit, let counted = state.binding(of: key, in: panes) {
      state.paneSet = panes
      binding = counted
    }
    if let binding, mustWait(for: binding.needs) { return }
    count = Int(state.input.digits)
    state.input.digits = ""
    state.input.panesBeforeDigit = nil
    if key != .escape { state.message = nil }
    if key != .character("x") { state.forks.justSkipped = false }
    guard let binding else {
      return say("\(key.name) does nothing here: \(state.key("?")) shows the keys.")
    }
    let words = state.paneSet.focus == .pane && KeyTable.time[key] != nil ? binding.words : nil
    binding.action(&self)
    // The same key goes elsewhere from the steps: the first use says so.
    if binding.needs == .moment, let words, state.input.told.insert(key).inserted,
      state.message == nil
    {
      say("\(state.key(key.name)) in a pane: \(words).")
    }
  }

  /// A digit goes to the pane of that number. The next key says whether it was a count instead.
  private mutating func add(_ digit: Character) {
    let isFirst = state.input.digits.isEmpty
    if state.input.digits.count < 9 { state.input.digits.append(digit) }
    if let panes = state.input.panesBeforeDigit.take() { state.paneSet = panes }
    guard isFirst, let pane = digit.wholeNumberValue.flatMap(Pane.init(number:)),
      state.panes.contains(pane)
    else { return }
    state.input.panesBeforeDigit = state.paneSet
    state.paneSet.focus = .pane
    state.show(pane)
  }

  /// Waits for the second key of two, and says which there are.
  mutating func awaitSecond(after first: Key) {
    state.input.pendingKey = first
    saySeconds(after: first)
  }

  private mutating func saySeconds(after first: Key) {
    guard let (map, words) = Self.seconds(after: first) else { return }
    say(state.input.keys.words(words, in: [map] + state.keyMaps))
  }

  private static func seconds(after first: Key) -> (keys: KeyMap<DebuggerUpdate>, words: String)? {
    switch first {
    case .character("y"):
      (KeyTable.copying, "`y` copies: then `v` the value, `k` its key, `p` its path.")
    case .control("w"):
      (
        KeyTable.arranging,
        "`Ctrl-w` is for the panes: `w` next, `h` `j` `k` `l` go there, `o` alone, "
          + "`H` `L` move, `=` resets."
      )
    default: nil
    }
  }

  /// Handles the second key of two; false if it has its usual meaning.
  private mutating func pressSecond(_ key: Key, after first: Key) -> Bool {
    // The second half of gg has nothing left to do.
    guard let seconds = Self.seconds(after: first) else { return key == first }
    state.message = nil
    if first == .character("y"), state.moment == nil {
      state.input.waiting.wait(with: [.key(first), .key(key)], until: .momentIsThere)
    } else if !seconds.keys.handle(key, &self), key != .escape {
      saySeconds(after: first)
    }
    return true
  }

  var page: Int { max(1, Layout(state).steps.height - 1) }

  /// Goes to the next pane. Focuses it if several are visible, and returns to the steps after the
  /// last.
  mutating func nextPane(by offset: Int) {
    let panes = state.panes
    let index = panes.firstIndex(of: state.pane) ?? 0
    guard Layout(state).panes.count > 1 else {
      return state.show(panes[(index + offset + panes.count) % panes.count])
    }
    let isIn = state.paneSet.focus == .pane
    let next = isIn ? index + offset : offset > 0 ? 0 : panes.count - 1
    state.paneSet.focus = panes.indices.contains(next) ? .pane : .steps
    if panes.indices.contains(next) { state.show(panes[next]) }
  }

  mutating func focus(columns: Int, rows: Int) {
    let layout = Layout(state)
    let places =
      layout.panes.map { (pane: Optional($0.seen), area: $0.content) }
      + [(pane: nil, area: layout.steps)]
    let here = places.first { $0.pane == (state.paneSet.focus == .pane ? state.pane : nil) }?.area
    guard let here else { return }
    func distance(_ area: Rectangle) -> Int? {
      let across = columns != 0 ? (area.left - here.left) * columns : (area.top - here.top) * rows
      let aside = columns != 0 ? area.top - here.top : area.left - here.left
      return across > 0 ? across + abs(aside) * 2 : nil
    }
    let near = places.compactMap { place in distance(place.area).map { ($0, place.pane) } }
    guard let (_, pane) = near.min(by: { $0.0 < $1.0 }) else { return }
    state.paneSet.focus = pane == nil ? .steps : .pane
    if let pane { state.show(pane) }
  }

  mutating func movePane(by offset: Int) {
    state.paneSet.move(state.pane, by: offset)
    let back = state.key(offset > 0 ? "H" : "L", in: KeyTable.arranging)
    say(
      "\(state.pane.rawValue) moved to another place; "
        + "\(state.key("Ctrl-w")) \(back) takes it back.")
  }

  mutating func paneByNumber() {
    guard case .alt(let digit) = key, let number = digit.wholeNumberValue else { return }
    guard let pane = Pane(number: number) else {
      return say("There is no pane \(number): they are 1 to \(Pane.allCases.count).")
    }
    if Layout(state).panes.contains(where: { $0.seen == pane }) { state.paneSet.focus = .pane }
    state.show(pane)
  }

  mutating func widenSteps(by columns: Int) {
    let width = state.paneSet.extraStepsWidth + columns
    state.paneSet.extraStepsWidth = min(max(width, -200), 200)
  }

  mutating func back() {
    if key == .escape, stopWork() { return }
    if let finding = state.searches.finding, !state.searches.hasAskedToStay {
      state.searches.hasAskedToStay = true
      return say(
        "Still looking for the \(finding.words). Ctrl-C ends that; \(state.key("q", in: KeyTable.program)) "
          + "again leaves.")
    }
    if state.paneSet.focus != .steps {
      state.paneSet.focus = .steps
    } else if key == .escape {
      state.message = nil
      send(.searches(.putAway(.asked)))
      state.timeline.curve = []
      state.timeline.kept = KeptSteps()
    } else {
      quit()
    }
  }
}

extension DebuggerState {
  var keyMaps: [KeyMap<DebuggerUpdate>] {
    KeyTable.maps(for: paneSet.focus, hasRange: range != nil)
  }

  func binding(of key: Key) -> Binding<DebuggerUpdate>? {
    keyMaps.lazy.compactMap { $0[key] }.first
  }

  /// The meaning of a key that takes a count, with the focus of these panes.
  func binding(of key: Key, in panes: PaneSet) -> Binding<DebuggerUpdate>? {
    var before = self
    before.paneSet = panes
    return before.binding(of: key).flatMap { $0.takesCount ? $0 : nil }
  }
}
