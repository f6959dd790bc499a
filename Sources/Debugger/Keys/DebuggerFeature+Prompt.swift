import SessionLog
import TextCanvas
import TimeTravel

extension DebuggerFeature {
  static func handlePrompt(
    _ key: Key, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    guard var prompt = state.prompt else { return }
    switch key {
    case .escape: state.prompt = nil
    case .enter:
      state.prompt = nil
      finish(prompt, &state, &work)
    default:
      if prompt.line.handle(key) { prompt.problem = nil }
      state.prompt = prompt
    }
  }

  private static func finish(
    _ prompt: Prompt, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    let text = prompt.line.text
    switch prompt.purpose {
    case .search: search(text.isEmpty ? nil : .text(text), &state, &work)
    case .condition: searchCondition(prompt, &state, &work)
    case .command: command(text, &state, &work)
    case .note: setMark(text, &state, &work)
    case .name(let fork): rename(fork, prompt, &state, &work)
    case .noteOn(let fork): note(text, on: fork, &state, &work)
    }
  }

  /// A condition that cannot be understood stays in its line, with the reason.
  private static func searchCondition(
    _ prompt: Prompt, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    guard !prompt.line.text.isEmpty else { return search(nil, &state, &work) }
    do {
      search(.condition(try StepQuestion(prompt.line.text)), &state, &work)
    } catch {
      var prompt = prompt
      prompt.problem = "column \(error.column): \(error.what)"
      state.prompt = prompt
    }
  }

  private static func search(
    _ question: Search.Question?, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    // An empty search goes on with the last one, as in less.
    guard let question = question ?? state.search?.question else { return }
    if let old = state.search, old.isRunning { work.append(.stopSearch(old.number)) }
    let (search, searching) = startSearch(question, .forward, &state)
    state.search = search
    work.append(searching)
  }

  // MARK: Commands

  static func command(_ text: String, _ state: inout DebuggerState, _ work: inout [Work]) {
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first else { return }
    if let step = Int(first) { return state.go(to: step) }
    if first.hasSuffix("%"), let percent = Int(first.dropLast()) {
      let steps = state.branch.steps
      return state.go(
        to: steps.lowerBound + (steps.count - 1) * min(max(percent, 0), 100) / 100)
    }
    switch first {
    case "q", "quit": leave(&state, &work)
    case "h", "help": state.overlay = .help(top: 0)
    case "goto": goto(words.dropFirst().joined(separator: " "), &state)
    case "fork": openForkForm(&state, &work)
    case "branches": state.overlay = .branches(selected: state.rowOfBranch)
    case "marks": state.overlay = .marks(selected: 0)
    case "note": state.prompt = Prompt(.note, state.marks[state.here] ?? "")
    case "trim": trim(Array(words.dropFirst()), &state, &work)
    case "export": export(Array(words.dropFirst()), &state, &work)
    case "export-state": exportState(Array(words.dropFirst()), &state, &work)
    case "notices": showNotices(&state)
    case "host": showHost(Array(words.dropFirst()), &state, &work)
    case "reload": restartHost(&state, &work)
    default:
      state.message = Message(
        "There is no command “\(first)”; :help lists them.", .warning)
    }
  }

  /// `40`, or `no coupon/40`.
  private static func goto(_ place: String, _ state: inout DebuggerState) {
    if let slash = place.lastIndex(of: "/"), let step = Int(place[place.index(after: slash)...]),
      state.branches.contains(where: { $0.name == place[..<slash] })
    {
      state.go(to: Position(branch: String(place[..<slash]), step: step))
    } else if let step = Int(place) {
      state.go(to: step)
    } else {
      state.message = Message("“\(place)” is no step; write 40 or BRANCH/40.", .warning)
    }
  }

  /// `trim 8-12 FILE`
  private static func trim(
    _ words: [String], _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    guard let (words, redaction) = redaction(words, &state) else { return }
    let ends = words.first.map { $0.split(separator: "-").compactMap { Int($0) } } ?? []
    guard words.count >= 2, ends.count == 2, ends[0] <= ends[1] else {
      state.message = Message(
        "Write :trim FIRST-LAST FILE, as in :trim 8-12 small.retcon", .warning)
      return
    }
    let path = words.dropFirst().joined(separator: " ")
    work.append(.trim(ends[0]...ends[1], path: path, redaction))
    state.message = Message("Writing \(path) …")
  }

  /// The options behind a command that say what is to be taken out, and the words before them.
  private static func redaction(
    _ words: [String], _ state: inout DebuggerState
  ) -> ([String], RedactionWords)? {
    var words = words
    do throws(SessionError) {
      let redaction = try RedactionWords(takenFrom: &words)
      _ = try redaction.redaction
      return (words, redaction)
    } catch {
      state.message = Message(error.sentence, .warning)
      return nil
    }
  }

  /// `export FILE`: the branch that is looked at; `export 8-12 FILE` is a trim.
  private static func export(
    _ words: [String], _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    if words.count > 1, words[0].allSatisfy({ $0.isNumber || $0 == "-" }) {
      return trim(words, &state, &work)
    }
    guard let (words, redaction) = redaction(words, &state) else { return }
    guard !words.isEmpty else {
      state.message = Message(
        "Write :export FILE for “\(state.branch.name)” as a session of its own", .warning)
      return
    }
    guard !state.branch.isNotRun, state.runningFork == nil else {
      state.message = Message("“\(state.branch.name)” has not run yet.", .warning)
      return
    }
    let path = words.joined(separator: " ")
    state.exporting = path
    work.append(.exportBranch(state.branch.name, path: path, redaction))
  }

  private static func exportState(
    _ words: [String], _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    guard !words.isEmpty else {
      state.message = Message("Write :export-state FILE for the state after this step", .warning)
      return
    }
    let path = words.joined(separator: " ")
    work.append(.exportState(state.here, path: path))
    state.message = Message("Writing \(path) …")
  }

  private static func showNotices(_ state: inout DebuggerState) {
    let notices = state.notKept + state.session.notices
    if notices.isEmpty {
      state.message = Message("Nothing is wrong with \(state.session.name).")
    } else {
      state.overlay = .text(title: "notices", lines: notices, top: 0)
    }
  }
}
