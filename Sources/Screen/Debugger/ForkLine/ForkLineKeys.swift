import Platform
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

extension DebuggerState {
  /// The line of `:fork`, while it is typed.
  var shownForkLine: ForkLine? { prompt?.isFork == true ? forkLine : nil }
}

extension DebuggerUpdate {
  /// Shows the line of `:fork`, filled in. The cursor of a long value is at its start.
  mutating func openForkLine(_ text: String, value: String = "", in line: ForkLine? = nil) {
    guard mayFork() else { return }
    let start = (state.forks.makesNew ? "fork --new " : "fork ") + text
    state.overlay = nil
    state.prompt = Prompt(.command, start + value)
    if value.count > 40 { state.prompt?.line.place(at: start.count) }
    state.forkLine = line ?? forkLine()
    send(.forkLine(.opened))
    send(.forkLine(.typed(start + value)))
  }

  /// A whole edit, as of a key of the user's own.
  mutating func runForkLine(_ text: String) {
    openForkLine(text.trimmingPrefix { $0 == " " }.description)
    send(.forkLine(.submitted))
  }

  mutating func typeForkLine(_ text: String) {
    if state.forkLine != nil { send(.forkLine(.typed(text))) }
  }

  mutating func setForkLine(_ text: String) {
    state.prompt?.line.replace(with: text)
    typeForkLine(text)
  }

  /// Takes the chosen row, or the rest of a key.
  mutating func completeForkLine() {
    guard let line = state.shownForkLine, let editor = state.prompt?.line else { return }
    if let rest = line.completion(at: editor.cursor, of: editor.characters) {
      state.prompt?.line.insert(rest)
      typeForkLine(state.prompt?.line.text ?? "")
    } else if let chosen = line.chosen {
      setForkLine(line.line(taking: chosen))
    }
  }

  mutating func submitForkLine() {
    guard mayFork() else {
      state.prompt?.problem = state.message?.text
      if state.overlay != nil { state.prompt = nil }
      return
    }
    send(.forkLine(.submitted))
  }

  mutating func renewForkLine() {
    let isMenu = if case .list(.menu, _)? = state.overlay { true } else { false }
    let runs = state.forkLine.map { $0.wanted != nil && $0.isWaiting } ?? false
    guard let prompt = state.prompt, prompt.isFork else {
      if !isMenu, !runs { state.forkLine = nil }
      return
    }
    guard state.forkLine == nil, state.host.status != .none, state.session.canReplay,
      state.reading.life != .ended
    else { return }
    state.forkLine = forkLine()
    send(.forkLine(.opened))
    send(.forkLine(.typed(prompt.line.text)))
  }

  /// Follows up what the line has done: it may have changed itself, or decided what runs.
  mutating func receiveForkLine(_ action: ForkLineFeature.Action) {
    guard let line = state.forkLine else { return }
    if case .failed(let sentence) = action { say(sentence, .warning) }
    if let text = line.newLine {
      state.forkLine?.newLine = nil
      let isChanged = state.prompt.map { $0.line.text != text } ?? false
      if isChanged { state.prompt?.line.replace(with: text) }
      if isChanged, line.asking == .notYet { typeForkLine(text) }
    }
    if state.prompt == nil, state.overlay == nil, line.problem != nil {
      // Nothing was found to run at once.
      state.prompt = Prompt(.command, line.words.start + line.words.text)
    }
    if let mistake = line.mistake, !line.isWaiting, case .submitted = action {
      state.prompt?.line.place(at: mistake)
    }
    guard let edits = line.decided else { return }
    var place = line.position
    if let edit = line.words.known.flatMap({ try? TypedEdit($0, line.words.text) }) {
      place.step = edit.place(of: edits, at: place.step)
    }
    state.forkLine?.decided = nil
    let name = line.words.name ?? freeName()
    if line.isNew, let problem = problem(withName: name) {
      state.forkLine?.problem = problem
      return
    }
    if let typed = state.prompt?.line.text { state.input.typed.add(typed, for: .command) }
    (state.prompt, state.forkLine) = (nil, nil)
    state.forks.stepOfAnswer = line.stepOfAnswer
    guard line.isNew else {
      state.forks.changing = line.position.branch
      return effects.append(.change(edits, at: place, newFork: nil))
    }
    let script = Script(
      making: edits, at: place, rest: line.words.stops ? .nothing : .rerun)
    runNew(state.branches.freeID(for: name), script)
  }

  // MARK: In an editor

  mutating func composeValue() {
    guard state.shownForkLine != nil else { return }
    if let chosen = state.forkLine?.chosen, let line = state.forkLine?.line(taking: chosen) {
      setForkLine(line)
      state.forkLine?.type(line)
    }
    guard let line = state.forkLine else {
      return impossible("the line stays while its row is taken")
    }
    let value = line.words.value.map { String(line.words.text[$0...]) }
    let whole = value ?? line.template(line.words.text)?.text() ?? line.words.text
    effects.append(.output(.compose(whole, name: "value.json")))
  }

  /// Inserts a value from an editor: as JSON on one line if it is, else as it is, with the mistake.
  mutating func insertEdited(_ text: String) {
    guard let words = state.shownForkLine?.words else { return }
    var text = text
    while text.last?.isNewline == true { text.removeLast() }
    if let value = try? Value(parsing: text) { text = value.text() }
    let start = words.start + words.text[..<(words.value ?? words.text.startIndex)]
    state.prompt?.line.replace(with: start)
    state.prompt?.line.insert(text)
    typeForkLine(state.prompt?.line.text ?? "")
  }
}

extension ForkLine.Words {
  /// Where the value begins: behind a place, a label, or the word of an answer; nil for a label.
  fileprivate var value: String.Index? {
    switch known {
    case .set, .read, .throw: return text.signOfValue.map { text.index(after: $0) }
    case .answer, .send, .replace:
      return text.indices.first {
        "{[\"".contains(text[$0]) && ($0 == text.startIndex || text[..<$0].last == " ")
      }
    case .skip, .move, nil: return nil
    }
  }
}
