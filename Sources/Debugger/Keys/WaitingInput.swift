import TextCanvas

/// What was typed before it could be done: it is done in its order as soon as it can be.
struct WaitingInput: Sendable, Hashable {
  enum Until: Sendable, Hashable {
    /// The moment that is looked at was read.
    case momentIsThere
    /// The fork has run that the host is running.
    case forkHasRun
    /// The host has said whether what the form says can be.
    case formIsChecked
    /// All has come of the event before.
    case turnIsOver
  }

  private(set) var events: [InputEvent] = []
  private(set) var until = Until.momentIsThere

  var isEmpty: Bool { events.isEmpty }

  mutating func wait(with events: [InputEvent], until: Until) {
    self.events = events
    self.until = until
  }

  mutating func add(_ events: some Sequence<InputEvent>) { self.events += events }

  mutating func takeAll() -> [InputEvent] {
    defer { events = [] }
    return events
  }
}

extension DebuggerState {
  var canGoOn: Bool {
    switch waiting.until {
    case .momentIsThere: moment != nil
    case .formIsChecked: !isFormWaiting
    case .forkHasRun: busyFork == nil && forkToShow == nil
    case .turnIsOver: true
    }
  }

  /// Enter was pressed in a form, and something has to be known first.
  var isFormWaiting: Bool {
    if case .fork(let form)? = overlay { form.checking != nil || form.runsWhenFound } else { false }
  }

  /// The fork that is being changed or run.
  var busyFork: String? { runningFork ?? changingFork }
}

extension Reaction {
  /// What is typed behind something that waits, waits too, and so does what is typed in the same breath
  /// as a change; Escape forgets all of it. Help, commands and leaving wait for nothing but what is
  /// before them. False when the event means what it always means.
  mutating func wait(_ event: InputEvent) -> Bool {
    if state.waiting.isEmpty {
      if state.isFormWaiting {
        state.waiting.wait(with: [], until: .formIsChecked)
      } else {
        guard state.changingFork != nil else { return false }
        if case .key(let key) = event, KeyTable.program[key] != nil { return false }
        state.waiting.wait(with: [], until: .forkHasRun)
      }
    }
    switch event {
    case .key(.escape):
      _ = state.waiting.takeAll()
      _ = state.count.take()
      state.message = nil
      editForm {
        $0.checking = nil
        $0.runsWhenFound = false
      }
    case .key(.control("c")), .key(.control("z")):
      _ = state.waiting.takeAll()
      return false
    case .key, .paste: state.waiting.add([event])
    case .mouse, .resize: return false
    }
    return true
  }

  /// Whether a key has to wait: it acts on a moment that was not read yet, or on a fork that is running.
  mutating func mustWait(for needs: Binding<Reaction>.Needs) -> Bool {
    if needs.contains(.moment), state.moment == nil {
      state.waiting.wait(with: [.key(key)], until: .momentIsThere)
      return true
    }
    return needs.contains(.fork) && mustWaitForFork()
  }

  /// Whether a key has to wait until a fork has run.
  mutating func mustWaitForFork() -> Bool {
    guard let fork = state.busyFork else { return false }
    state.waiting.wait(with: [.key(key)], until: .forkHasRun)
    say("This is done when “\(fork)” has run; Esc forgets it.")
    return true
  }

  /// What waited is done one by one, each as soon as all that came of the one before is.
  mutating func goOn() {
    if !state.waiting.isEmpty, state.canGoOn { work.append(.goOn) }
  }

  mutating func doNextWaiting() {
    guard !state.waiting.isEmpty, state.canGoOn else { return }
    var rest = state.waiting.takeAll()
    if state.waiting.until == .turnIsOver, state.busyFork != nil {
      return state.waiting.wait(with: rest, until: .forkHasRun)
    }
    handle(rest.removeFirst())
    if state.waiting.isEmpty {
      state.waiting.wait(with: rest, until: .turnIsOver)
    } else {
      state.waiting.add(rest)
    }
  }
}
