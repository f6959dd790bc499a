import TextCanvas
import TimeTravel

/// What a person has done with keys and mouse, as far as something still comes of it.
struct Input: Sendable {
  /// The keys that the user has chosen, and what is wrong with the configuration, one sentence each.
  var keys = UserKeys()
  var problems: [String] = []
  var count = CountPrefix()
  /// The first key of a command of two.
  var pendingKey: Key?
  var drag: Drag?
  var waiting = WaitingInput()
  /// What was typed into the line at the bottom.
  var typed = TypedBefore()
  /// Whether a key was pressed or the mouse moved since the session was opened.
  var wasTouched = false
  /// What is said to somebody who has not done so yet.
  var welcome: String?
}

/// What the mouse holds.
enum Drag: Sendable, Hashable {
  case slider
  /// A range that begins at a step.
  case range(from: Int)
  /// The edge between the steps and the panes.
  case edge
}

/// The digits typed before a key.
struct CountPrefix: Sendable, Hashable {
  private(set) var digits = ""

  var value: Int? { Int(digits) }

  mutating func add(_ digit: Character) {
    if digits.count < 9 { digits.append(digit) }
  }

  mutating func takeNumber() -> Int? {
    defer { digits = "" }
    return value
  }
}

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
    switch input.waiting.until {
    case .momentIsThere: moment != nil
    case .formIsChecked: !isFormWaiting
    case .forkHasRun: forks.busy == nil && forks.toShow == nil
    case .turnIsOver: true
    }
  }

  /// Enter was pressed in a form, and something has to be known first.
  var isFormWaiting: Bool {
    if case .fork(let form)? = overlay { form.checking != nil || form.runsWhenFound } else { false }
  }
}

extension Reaction {
  /// What is typed behind something that waits, waits too, and so does what is typed in the same breath
  /// as a change; Escape forgets all of it. Help, commands and leaving wait for nothing but what is
  /// before them. False when the event means what it always means.
  mutating func wait(_ event: InputEvent) -> Bool {
    if state.input.waiting.isEmpty {
      if state.isFormWaiting {
        state.input.waiting.wait(with: [], until: .formIsChecked)
      } else {
        guard state.forks.changing != nil else { return false }
        if case .key(let key) = event, KeyTable.program[key] != nil { return false }
        state.input.waiting.wait(with: [], until: .forkHasRun)
      }
    }
    switch event {
    case .key(.escape):
      _ = state.input.waiting.takeAll()
      _ = state.input.count.takeNumber()
      state.message = nil
      form(.tookBack)
    case .key(.control("c")), .key(.control("z")):
      _ = state.input.waiting.takeAll()
      return false
    case .key, .paste: state.input.waiting.add([event])
    case .mouse, .resize: return false
    }
    return true
  }

  /// Whether a key has to wait: it acts on a moment that was not read yet, or on a fork that is running.
  mutating func mustWait(for needs: Binding<Reaction>.Needs) -> Bool {
    if needs.contains(.moment), state.moment == nil {
      state.input.waiting.wait(with: [.key(key)], until: .momentIsThere)
      return true
    }
    return needs.contains(.fork) && mustWaitForFork()
  }

  /// Whether a key has to wait until a fork has run.
  mutating func mustWaitForFork() -> Bool {
    guard let fork = state.forks.busy else { return false }
    state.input.waiting.wait(with: [.key(key)], until: .forkHasRun)
    say("This is done when “\(fork)” has run; Esc forgets it.")
    return true
  }

  /// What waited is done one by one, each as soon as all that came of the one before is.
  mutating func goOn() {
    if !state.input.waiting.isEmpty, state.canGoOn { work.append(.goOn) }
  }

  mutating func doNextWaiting() {
    guard !state.input.waiting.isEmpty, state.canGoOn else { return }
    var rest = state.input.waiting.takeAll()
    if state.input.waiting.until == .turnIsOver, state.forks.busy != nil {
      return state.input.waiting.wait(with: rest, until: .forkHasRun)
    }
    handle(rest.removeFirst())
    if state.input.waiting.isEmpty {
      state.input.waiting.wait(with: rest, until: .turnIsOver)
    } else {
      state.input.waiting.add(rest)
    }
  }
}
