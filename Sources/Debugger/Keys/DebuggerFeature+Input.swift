import TextCanvas
import TimeTravel

extension DebuggerFeature {
  /// What a key, the mouse or pasted text does, by what stands on the screen.
  static func handle(_ event: InputEvent, _ state: inout DebuggerState, _ work: inout [Work]) {
    if case .resize(let size) = event {
      state.size = size
      return
    }
    state.wasTouched = true
    if handleLeaving(event, &state, &work) { return }
    if wait(event, &state) { return }
    if state.playingSpeed != nil, handlePlaying(event, &state, &work) { return }
    switch event {
    case .resize: break
    case .paste(let text): paste(text, &state)
    case .mouse(let mouse): handle(mouse, &state, &work)
    case .key(.control("c")): interrupt(&state, &work)
    case .key(.control("z")): work.append(.output(.suspend))
    case .key(let key):
      if state.prompt != nil {
        handlePrompt(key, &state, &work)
      } else if state.overlay != nil {
        handleOverlay(key, &state, &work)
      } else {
        handleMain(key, &state, &work)
      }
    }
  }

  private static func paste(_ text: String, _ state: inout DebuggerState) {
    if state.prompt != nil {
      state.prompt?.line.insert(text)
    } else if case .fork(var form)? = state.overlay {
      form.paste(text)
      state.overlay = .fork(form)
    }
  }

  /// Stops the work at hand; when there is none, leaves.
  private static func interrupt(_ state: inout DebuggerState, _ work: inout [Work]) {
    if state.prompt != nil {
      state.prompt = nil
    } else if stopWork(&state, &work) {
      return
    } else if state.overlay != nil {
      state.overlay = nil
      work.append(.stopAsking)
    } else {
      leave(&state, &work)
    }
  }

  /// Stops what runs in the background for the person; false when nothing does.
  static func stopWork(_ state: inout DebuggerState, _ work: inout [Work]) -> Bool {
    if let search = state.search, search.isRunning {
      state.search?.isRunning = false
      state.search?.waiting = nil
      work.append(.stopSearch(search.number))
    } else if let errors = state.errors, errors.isRunning, !errors.isSilent {
      // What it found may not be all: the next e looks again.
      state.errors = nil
      state.message = Message("Stopped looking for errors.")
      work.append(.stopSearch(errors.number))
    } else if let finding = state.finding {
      state.finding = nil
      state.message = Message("Stopped looking for the \(finding).")
      work.append(.stopFinding)
    } else if let path = state.exporting {
      state.exporting = nil
      state.message = Message("\(path) was not written.", .warning)
      work.append(.stopExport)
    } else if let fork = state.runningFork {
      state.runningFork = nil
      state.forksToRun = []
      state.forkToShow = nil
      if let index = state.branches.firstIndex(where: { $0.name == fork }) {
        state.branches[index].progress = .stopped
      }
      state.message = Message("“\(fork)” was stopped.", .warning)
      work.append(.stopFork)
    } else {
      return false
    }
    return true
  }

  // MARK: Steps and pane

  private static func handleMain(
    _ key: Key, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    if let first = state.pendingKey {
      state.pendingKey = nil
      if first == "y", state.moment == nil {
        state.waiting.wait(with: [.key(.character(first)), .key(key)], until: .momentIsThere)
      } else if first == "y" {
        copy(key, &state, &work)
      }
      return
    }
    if mustWait(key, &state) { return }
    if case .character(let digit) = key, digit.isASCII, digit.isNumber,
      digit != "0" || !state.count.digits.isEmpty
    {
      return state.count.add(digit)
    }
    let count = state.count.take()
    if key != .escape { state.message = nil }
    if state.focus == .pane, handlePane(key, count, &state, &work) { return }
    if moveInTime(key, count, &state) { return }
    if jump(key, count, &state, &work) { return }
    look(key, count, &state, &work)
  }

  /// The keys that move along the steps.
  private static func moveInTime(
    _ key: Key, _ count: Int?, _ state: inout DebuggerState
  ) -> Bool {
    let page = max(1, Layout(state).steps.height - 1)
    let times = count ?? 1
    switch key {
    case .character("j"), .down, .character("J"), .shiftDown, .control("n"), .control("e"):
      state.move(by: times)
    case .character("k"), .up, .character("K"), .shiftUp, .control("p"), .control("y"):
      state.move(by: -times)
    case .control("d"): state.move(by: count ?? max(1, page / 2))
    case .control("u"): state.move(by: -(count ?? max(1, page / 2)))
    case .pageDown, .character(" "), .control("f"): state.move(by: page * times)
    case .pageUp, .character("b"), .control("b"): state.move(by: -page * times)
    case .character("g"), .home: state.go(to: count ?? state.branch.steps.lowerBound)
    case .character("G"), .end: state.go(to: count ?? state.branch.steps.upperBound)
    case .character("%"):
      let steps = state.branch.steps
      let percent = min(count ?? 0, 100)
      state.go(to: steps.lowerBound + (steps.count - 1) * percent / 100)
    default: return false
    }
    return true
  }

  /// What is looked at, and what stands over it.
  private static func look(
    _ key: Key, _ count: Int?, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    switch key {
    case .tab:
      if let count, state.panes.indices.contains(count - 1) {
        state.show(state.panes[count - 1])
      } else {
        state.nextPane(by: 1)
      }
    case .backTab: state.nextPane(by: -1)
    case .alt(let character):
      if let number = character.wholeNumberValue, state.panes.indices.contains(number - 1) {
        state.show(state.panes[number - 1])
      }
    case .enter, .character("l"), .right: state.focus = .pane
    case .character("h"), .left: state.focus = .steps
    case .character("?"), .function(1): state.overlay = .help(top: 0)
    case .character("/"): state.prompt = Prompt(.search)
    case .character(";"): state.prompt = Prompt(.condition)
    case .character(":"): state.prompt = Prompt(.command)
    case .character("f"): openForkForm(&state, &work)
    case .character("="): changeHere(&state, &work)
    case .character("C"): compareWithNext(&state)
    case .character("D"): toFirstDifference(&state, &work)
    case .character("R"): restartHost(&state, &work)
    case .character("x"): change(.skip, &state, &work)
    case .character("<"): change(.move(by: -(count ?? 1)), &state, &work)
    case .character(">"): change(.move(by: count ?? 1), &state, &work)
    case .character("a"): answer(nil, &state, &work)
    case .character("B"):
      state.overlay = .branches(selected: state.rowOfBranch)
    case .character("M"): state.prompt = Prompt(.note, state.marks[state.here] ?? "")
    case .character("'"): state.overlay = .marks(selected: 0)
    case .character("p"): startPlaying(&state, &work)
    case .character("+"): state.extraStepsWidth = min(state.extraStepsWidth + 4, 200)
    case .character("_"): state.extraStepsWidth = max(state.extraStepsWidth - 4, -200)
    case .character("w"):
      state.message = Message("w watches the value under the cursor of the pane.")
    case .character("y"): state.pendingKey = "y"
    case .character("v"): openInEditor(&state, &work)
    case .character("q"), .escape: back(key, &state, &work)
    default: break
    }
  }

  /// One thing back; `q` leaves when nothing is left.
  private static func back(
    _ key: Key, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    if key == .escape, stopWork(&state, &work) { return }
    if state.focus == .pane {
      state.focus = .steps
    } else if key == .escape {
      state.message = nil
      state.search = nil
      state.errors = nil
    } else {
      leave(&state, &work)
    }
  }
}
