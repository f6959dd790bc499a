import TextCanvas
import TimeTravel

extension Reaction {
  /// What a key, the mouse or pasted text does, by what stands on the screen.
  mutating func handle(_ event: InputEvent) {
    if case .resize(let size) = event {
      state.size = size
      return
    }
    state.wasTouched = true
    if handleLeaving(event) { return }
    if wait(event) { return }
    if state.playingSpeed != nil, handlePlaying(event) { return }
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
      if !KeyTable.prompt.handle(key, &self) { state.prompt?.type(key) }
    } else if case .fork(var form)? = state.overlay {
      if KeyTable.form.handle(key, &self) { return }
      form.type(key)
      state.overlay = .fork(form)
    } else if state.overlay != nil {
      _ = KeyTable.lists.handle(key, &self)
    } else {
      pressInPanes(key)
    }
  }

  private mutating func paste(_ text: String) {
    if state.prompt != nil {
      state.prompt?.line.insert(text)
    } else if case .fork(var form)? = state.overlay {
      form.paste(text)
      state.overlay = .fork(form)
    }
  }

  /// Stops the work at hand; when there is none, leaves.
  mutating func interrupt() {
    if state.prompt != nil {
      state.prompt = nil
    } else if stopWork() {
      return
    } else if state.overlay != nil {
      state.overlay = nil
      work.append(.stopAsking)
    } else {
      leave()
    }
  }

  /// Stops what runs in the background for the person; false when nothing does.
  mutating func stopWork() -> Bool {
    if let search = state.search, search.isRunning {
      state.search?.isRunning = false
      state.search?.waiting = nil
      work.append(.stopSearch(search.number))
    } else if let errors = state.errors, errors.isRunning, !errors.isSilent {
      // What it found may not be all: the next e looks again.
      state.errors = nil
      say("Stopped looking for errors.")
      work.append(.stopSearch(errors.number))
    } else if let finding = state.finding {
      state.finding = nil
      say("Stopped looking for the \(finding).")
      work.append(.stopFinding)
    } else if let path = state.exporting {
      state.exporting = nil
      say("\(path) was not written.", .warning)
      work.append(.stopExport)
    } else if let fork = state.runningFork {
      state.runningFork = nil
      state.forksToRun = []
      state.forkToShow = nil
      if let index = state.branches.firstIndex(where: { $0.name == fork }) {
        state.branches[index].progress = .stopped
      }
      say("“\(fork)” was stopped.", .warning)
      work.append(.stopFork)
    } else {
      return false
    }
    return true
  }

  // MARK: Steps and pane

  private mutating func pressInPanes(_ key: Key) {
    if let first = state.pendingKey {
      state.pendingKey = nil
      if state.moment == nil {
        state.waiting.wait(with: [.key(.character(first)), .key(key)], until: .momentIsThere)
      } else if !KeyTable.copying.handle(key, &self) {
        say("y copies: yv the value, yk its key, yp its path.")
      }
      return
    }
    if case .character(let digit) = key, digit.isASCII, digit.isNumber,
      digit != "0" || !state.count.digits.isEmpty
    {
      return state.count.add(digit)
    }
    let binding = KeyTable.binding(of: key, for: state.focus)
    if let binding, mustWait(for: binding.needs) { return }
    count = state.count.take()
    if key != .escape { state.message = nil }
    binding?.action(&self)
  }

  var page: Int { max(1, Layout(state).steps.height - 1) }

  mutating func nextPane() {
    if let count {
      show(pane: count)
    } else {
      state.nextPane(by: 1)
    }
  }

  mutating func paneByNumber() {
    if case .alt(let digit) = key, let number = digit.wholeNumberValue { show(pane: number) }
  }

  private mutating func show(pane number: Int) {
    if state.panes.indices.contains(number - 1) { state.show(state.panes[number - 1]) }
  }

  mutating func widenSteps(by columns: Int) {
    state.extraStepsWidth = min(max(state.extraStepsWidth + columns, -200), 200)
  }

  /// One thing back; `q` leaves when nothing is left.
  mutating func back() {
    if key == .escape, stopWork() { return }
    if state.focus == .pane {
      state.focus = .steps
    } else if key == .escape {
      state.message = nil
      state.search = nil
      state.errors = nil
    } else {
      leave()
    }
  }
}

/// The digits typed before a key.
struct CountPrefix: Sendable, Hashable {
  private(set) var digits = ""

  var value: Int? { Int(digits) }

  mutating func add(_ digit: Character) {
    if digits.count < 9 { digits.append(digit) }
  }

  mutating func take() -> Int? {
    defer { digits = "" }
    return value
  }
}
