import TextCanvas
import TimeTravel

struct Input: Sendable {
  var keys = UserKeys()
  var problems: [String] = []
  /// A count that is being typed.
  var digits = ""
  /// The panes before its first digit, while that digit may mean a pane.
  var panesBeforeDigit: PaneSet?
  var pendingKey: Key?
  var drag: Drag?
  var waiting = WaitingInput()
  var typed = TypedBefore()
  /// The text searched in lists.
  var listText = ""
  var wasTouched = false
  /// The keys whose other meaning in a pane was said.
  var told: Set<Key> = []
  var welcome: String?
}

enum Drag: Sendable, Hashable {
  case slider
  case range(from: Int)
  case edge
}

struct WaitingInput: Sendable, Hashable {
  enum Until: Sendable, Hashable {
    case momentIsThere
    case forkHasRun
    case forkLineIsChecked
    /// Until all effects of the event before are done.
    case turnIsOver
  }

  private(set) var events: [InputEvent] = []
  private(set) var until = Until.momentIsThere
  /// Whether the turn will execute the next event: once, after all actions before it.
  var goesOn = false

  var isEmpty: Bool { events.isEmpty }

  mutating func wait(with events: [InputEvent], until: Until) {
    self.events = events
    self.until = until
  }

  mutating func add(_ events: some Sequence<InputEvent>) { self.events += events }

  /// The most keys that wait; behind them, only `q` does.
  static let limit = 1_000

  mutating func add(typed event: InputEvent) {
    let isToLeave = event == .key(.character("q")) && events.last != event
    if events.count < Self.limit || isToLeave { events.append(event) }
  }

  mutating func takeAll() -> [InputEvent] {
    defer { events = [] }
    return events
  }
}

extension DebuggerState {
  var canGoOn: Bool {
    switch input.waiting.until {
    case .momentIsThere: moment != nil
    case .forkLineIsChecked: !isForkLineWaiting
    case .forkHasRun: forks.busy == nil && forks.toShow == nil
    case .turnIsOver: true
    }
  }

  var isForkLineWaiting: Bool { forkLine?.isWaiting == true }
}

extension DebuggerUpdate {
  /// Queues input behind something that waits, and input typed together with a change; Escape
  /// clears the queue. Help, commands and quitting wait only for what is before them. False if the
  /// event has its usual meaning.
  mutating func wait(_ event: InputEvent) -> Bool {
    if state.input.waiting.isEmpty {
      if state.isForkLineWaiting {
        state.input.waiting.wait(with: [], until: .forkLineIsChecked)
      } else {
        guard state.forks.changing != nil else { return false }
        if case .key(let key) = event, KeyTable.program[key] != nil { return false }
        state.input.waiting.wait(with: [], until: .forkHasRun)
      }
    }
    switch event {
    case .key(.escape):
      _ = state.input.waiting.takeAll()
      state.input.digits = ""
      state.message = nil
      state.forkLine?.cancelSubmission()
    case .key(.control("l")): return false
    case .key(.control("c")), .key(.control("z")):
      _ = state.input.waiting.takeAll()
      return false
    case .key, .paste: state.input.waiting.add(typed: event)
    case .mouse, .resize: return false
    }
    return true
  }

  mutating func mustWait(for needs: Binding<DebuggerUpdate>.Needs) -> Bool {
    if needs.contains(.moment), state.moment == nil {
      state.input.waiting.wait(with: [.key(key)], until: .momentIsThere)
      return true
    }
    return needs.contains(.fork) && mustWaitForFork()
  }

  mutating func mustWaitForFork() -> Bool {
    guard let fork = state.forks.busy else { return false }
    state.input.waiting.wait(with: [.key(key)], until: .forkHasRun)
    say("Waits until “\(state.name(of: fork))” has run; Esc cancels it.")
    return true
  }

  /// Executes waiting input one by one, each after the one before has settled.
  mutating func goOn() {
    guard !state.input.waiting.isEmpty, state.canGoOn, !state.input.waiting.goesOn else { return }
    state.input.waiting.goesOn = true
    send(.goesOn)
  }

  mutating func doNextWaiting() {
    state.input.waiting.goesOn = false
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
