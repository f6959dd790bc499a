import Platform
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

extension DebuggerUpdate {
  mutating func finishPrompt() {
    guard var prompt = state.prompt else { return impossible("only a prompt takes Enter") }
    if prompt.isFork { return submitForkLine() }
    state.prompt = nil
    prompt.acceptGhost()
    let text = prompt.line.text
    state.input.typed.add(text, for: prompt.purpose)
    if ![.search, .condition].contains(prompt.purpose) { endTyping() }
    switch prompt.purpose {
    case .search: finishSearch(text)
    case .inPane: if text.isEmpty { nextInPane(.forward) }
    case .inList: state.input.listText = text
    case .condition: searchCondition(prompt)
    case .filter:
      if let problem = setFilter(text) {
        state.prompt = prompt
        state.prompt?.problem = problem
      }
    case .command: finishPalette(prompt)
    case .note: setMark(text)
    case .name(let fork, _): rename(fork, prompt)
    case .noteOn(let fork, _): setNote(text, on: fork)
    }
  }

  mutating func type(_ key: Key) {
    let before = state.prompt?.line.text
    if let fork = state.shownForkLine, let line = state.prompt?.line,
      line.cursor == line.characters.count,
      fork.completion(at: line.cursor, of: line.characters) != nil
    {
      if [.right, .end, .control("e")].contains(key) { return completeForkLine() }
      // A row that the arrows chose is part of the line.
      if [.backspace, .control("w")].contains(key), fork.selected > 0 { completeForkLine() }
    }
    state.prompt?.type(key)
    if state.prompt?.line.text != before { lineChanged() }
  }

  mutating func lineChanged() {
    guard let prompt = state.prompt else { return }
    if prompt.isFork { return typeForkLine(prompt.line.text) }
    if prompt.purpose == .inPane { searchInPane(prompt.line.text) }
    if prompt.purpose == .search { searchAsTyped(prompt.line.text) }
    if prompt.purpose == .inList {
      state.input.listText = prompt.line.text
      nextInList(from: 0)
    }
    if prompt.isSend { findSendable() }
    if prompt.purpose != .search {
      searchAsTyped(prompt.condition)
      let offers = state.completions(of: prompt).words.prefix(6)
      state.prompt?.offers = Array(offers)
    }
  }

  mutating func closePrompt() {
    if [.search, .condition].contains(state.prompt?.purpose) { closeSearch() } else { endTyping() }
    state.prompt = nil
  }

  mutating func recall(by offset: Int) {
    guard var prompt = state.prompt else { return impossible("only a prompt recalls texts") }
    if let line = state.shownForkLine, prompt.recalled == 0, offset < 0 || line.selected > 0 {
      return send(.forkLine(.picked(by: -offset)))
    }
    if prompt.purpose == .command, !prompt.isFork, prompt.recalled == 0 {
      let count = CommandPalette.items(for: prompt.line.text, state).count
      prompt.selected = min(max(prompt.selected - offset, 0), max(0, count - 1))
    } else {
      let all = state.input.typed[prompt.purpose]
      let earlier = prompt.isFork ? all.filter { $0.hasPrefix("fork ") } : all
      prompt.recalled = min(max(prompt.recalled + offset, 0), earlier.count)
      let none = prompt.isFork ? "fork " : ""
      prompt.line.replace(with: prompt.recalled == 0 ? none : earlier[prompt.recalled - 1])
    }
    state.prompt = prompt
    if prompt.isFork { typeForkLine(prompt.line.text) }
  }

  // MARK: Commands

  mutating func command(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first else { return }
    if let command = KeyTable.commands[first] {
      arguments = Array(words.dropFirst())
      typed = String(text.drop { $0 == " " }.dropFirst(first.count))
      command.action(&self)
    } else if isPlace(first) {
      goto(first)
    } else {
      let names = KeyTable.commands.keys.filter { $0.count > 1 }.sorted()
      let synonym = KeyTable.synonyms.filter {
        $0.value.split(separator: " ").contains { $0 == first }
      }
      .keys.min().map { $0.hasPrefix(":") ? $0 : state.key($0) }
      let near = TimeTravel.suggestion(for: first, among: names).map { ":\($0)" } ?? synonym
      say(
        "There is no command “\(first)”; "
          + (near.map { "did you mean \($0)?" } ?? ":help lists them."),
        .warning)
    }
  }

  func isPlace(_ text: String) -> Bool {
    text.first.map { $0.isNumber || "+-".contains($0) } ?? false
  }

  /// `40`, `+5` or `-5` from here, `25%`, `8-12`, or `no coupon/40`.
  mutating func goto(_ place: String) {
    if place.isEmpty {
      say("Write :40, :+5, :25% or :goto BRANCH/40.")
    } else if let slash = place.lastIndex(of: "/"),
      let step = Int(place[place.index(after: slash)...])
    {
      let name = String(place[..<slash])
      guard let branch = state.branches[named: name] else {
        return say("There is no branch “\(name)”: \(state.key("B")) lists them.", .warning)
      }
      go(toTyped: step, on: branch.id)
    } else if let step = Int(place) {
      let (sum, isTooFar) = state.here.step.addingReportingOverflow(step)
      go(toTyped: place.first?.isNumber == true || isTooFar ? step : sum)
    } else if let range = ClosedRange(typed: place) {
      choose(range)
    } else if place.hasSuffix("%"), let percent = Int(place.dropLast()) {
      state.go(toPercent: percent)
      if percent > 100 { say("100% is the last step.", .warning) }
    } else {
      say("“\(place)” is not a step; write 40, +5, 25%, 8-12 or BRANCH/40.", .warning)
    }
  }

  /// Goes there, or to the nearest step, and then says so.
  mutating func go(toTyped step: Int, on branch: BranchID? = nil) {
    state.go(to: Position(branch: branch ?? state.here.branch, step: step))
    let branch = state.branch
    if branch.progress == .running || branch.steps.contains(step) { return }
    say("“\(branch.name)” has the steps \(branch.steps.words).", .warning)
  }

  mutating func completeCommand() {
    if state.shownForkLine != nil { return completeForkLine() }
    state.prompt?.acceptGhost()
    guard let prompt = state.prompt else { return impossible("only a prompt takes Tab") }
    let typed = prompt.line.text
    guard prompt.purpose == .command, !typed.contains(" ") else { return completePlace() }
    let names = KeyTable.commands.keys.filter { $0.count > 1 && $0.hasPrefix(typed) }.sorted()
    guard let first = names.first, let last = names.last else { return completePlace() }
    let common = zip(first, last).prefix { $0 == $1 }.count
    state.prompt?.line.replace(with: names.count == 1 ? first + " " : String(first.prefix(common)))
    state.prompt?.offers = names.count == 1 ? [] : names
  }

  mutating func trim() {
    guard let (given, redaction, _) = fileWords() else { return }
    var words = given
    if words.count == 1, let range = state.range, state.branch.isMain {
      words.insert("\(range.lowerBound)-\(range.upperBound)", at: 0)
    }
    guard words.count >= 2, let range = ClosedRange(typed: words[0]) else {
      return say("Write :trim FIRST-LAST FILE, as in :trim 8-12 small.retcon", .warning)
    }
    write(words.dropFirst()) { .trim(range, path: $0, redaction) }
  }

  /// Writes one file at a time; false if another one is being written.
  @discardableResult
  private mutating func write(
    _ words: some Sequence<String>, _ effect: (String) -> Effect<DebuggerAction>
  ) -> Bool {
    if let other = state.keeping.exporting {
      say("\(other) is still being written; Ctrl-C stops it.", .warning)
      return false
    }
    let path = words.joined(separator: " ")
    guard ClosedRange(typed: path) == nil else {
      say("\(path) is a range of steps: write FILE behind it, as in \(path) small.retcon", .warning)
      return false
    }
    state.keeping.exporting = path
    effects.append(effect(path))
    return true
  }

  /// The words behind a command that writes a file, and its options, read as on the command line.
  /// Without words it says the usage. A command that writes the `whole` redacts nothing.
  private mutating func fileWords(
    _ usage: String? = nil, of whole: String? = nil, _ flags: [String] = []
  ) -> (words: [String], redaction: RedactionWords, hasFlag: Bool)? {
    guard let all = ShellWord.words(in: typed, withPatterns: true) else {
      say("A quote is not closed.", .warning)
      return nil
    }
    var words = all.filter { !flags.contains($0) }
    let hasFlag = words.count < all.count
    do throws(SessionError) {
      let redaction = try RedactionWords(takenFrom: &words)
      _ = try redaction.redaction
      if let whole, !redaction.isEmpty || redaction.mayMiss {
        say("\(whole) redacts nothing: write a redacted copy with :export and open that.", .warning)
      } else if let usage, words.isEmpty {
        say(usage, .warning)
      } else {
        return (words, redaction, hasFlag)
      }
    } catch {
      say(error.sentence, .warning)
    }
    return nil
  }

  /// `export FILE` writes the current branch; `export 8-12 FILE` trims.
  mutating func export() {
    let usage = "Write :export FILE to save “\(state.branch.name)” as a session"
    guard let (words, redaction, _) = fileWords(usage) else { return }
    if words.count > 1, ClosedRange(typed: words[0]) != nil { return trim() }
    guard !state.branch.isNotRun, state.forks.running == nil else {
      return say("“\(state.branch.name)” has not run yet.", .warning)
    }
    let branch = state.branch.id
    write(words) { .exportBranch(branch, path: $0, redaction) }
  }

  /// Asks where to write the branch as a test.
  mutating func askForTest() {
    let name = SwiftTestWriter.typeName(of: state.branch.name)
    let ending = state.session.isOfJavaScript ? ".test.mjs" : "Tests.swift"
    var (file, number) = (name + ending, 2)
    while state.keeping.tests.contains(file) {
      (file, number) = ("\(name)\(number)\(ending)", number + 1)
    }
    state.prompt = Prompt(.command, "test ", ghost: file, takesGhost: true)
  }

  /// `test FILE` or `test 8-12 FILE`: of the range, or of the whole branch.
  mutating func writeTest() {
    guard let (words, _, _) = fileWords(of: ":test") else { return }
    let all = state.branch.steps
    let typed = words.count > 1 ? ClosedRange(typed: words[0]) : nil
    let path = typed == nil ? words[...] : words.dropFirst()
    guard mayFork() else { return }
    guard all.count > 1 else { return say("There is no step to test.") }
    guard !path.isEmpty else { return askForTest() }
    let first = all.lowerBound + 1
    let steps = (typed ?? state.range ?? first...all.upperBound).clamped(to: first...all.upperBound)
    let branch = state.branch.id
    let bug: TestedBug?
    do { bug = try state.searches.testedBug(of: branch) } catch { return say(error.line, .warning) }
    guard write(path, { .writeTest(steps, of: branch, path: $0, showing: bug) }) else { return }
    let file = path.joined(separator: " ")
    state.keeping.test = file
    state.keeping.tests.insert(file)
  }

  mutating func exportState() {
    let usage = "Write :export-state FILE to save the state after this step"
    guard let (words, _, _) = fileWords(usage, of: ":export-state") else { return }
    let here = state.here
    write(words) { .exportState(here, path: $0) }
  }

  mutating func report() {
    let usage = "Write :report FILE.html for people without a terminal"
    guard let (path, redaction, replaces) = fileWords(usage, ["-f", "--force"]) else { return }
    if let fork = state.forks.running {
      return sayRuns(fork)
    }
    let here = state.here
    write(path) { .report(here, path: $0, replaces: replaces, redaction) }
  }

  mutating func showNotices() {
    let notices =
      state.input.problems + state.keeping.notKept + state.session.notices + state.host.troubles
    if notices.isEmpty {
      say("No problems with \(state.session.name).")
    } else {
      state.overlay = .list(.text(title: "notices", notices.map { ListLine($0) }))
    }
  }
}

extension QueryError {
  /// The place and the advice or the mistake, in at most 80 columns.
  var line: String {
    let example = hint?.split(separator: " ").last.map(String.init) ?? ""
    if example.hasPrefix("state.") {
      return "column \(column): did you mean \(example.dropLast())?"
    }
    guard let hint else { return "column \(column): \(what)" }
    return hint.hasPrefix("Did you")
      ? "column \(column): d\(hint.dropFirst())" : "column \(column): \(what) \(hint)"
  }
}
