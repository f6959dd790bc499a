import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

extension DebuggerUpdate {
  mutating func look(
    for question: Search.Question, as kind: Searches.Kind = .asked, in branch: Branch? = nil,
    toward direction: Search.Direction? = nil, isSilent: Bool = false
  ) {
    let search = Search(
      question, in: branch ?? state.branch, from: branch?.steps.lowerBound ?? state.here.step,
      toward: direction, isSilent: isSilent)
    send(.searches(.started(kind, search)))
  }

  mutating func askForCondition() {
    let missed = missedCondition
    state.prompt = Prompt(.condition, ghost: missed ?? "", takesGhost: missed != nil)
    send(.searches(.beganTyping(at: state.here)))
  }

  /// The searched text, if no step has it and it looks like a condition.
  private var missedCondition: String? {
    guard case .text(let text)? = state.searches.asked?.question, CommandPalette.isCondition(text),
      state.searches.asked?.count == 0
    else { return nil }
    return text
  }

  /// An invalid condition stays in its line, with the reason.
  mutating func searchCondition(_ prompt: Prompt) {
    let text = prompt.line.text
    do {
      let question = text.isEmpty ? nil : Search.Question.condition(try question(text))
      finishTyping(question)
    } catch {
      var prompt = prompt
      prompt.problem = error.line
      prompt.mistake = error.column - 1
      state.prompt = prompt
    }
  }

  /// Keeps what was found while it was typed.
  private mutating func finishTyping(_ question: Search.Question?) {
    let before = state.searches.before
    send(.searches(.endedTyping(isKept: true)))
    guard let question else { return searchAgain() }
    guard let before, state.searches.asked?.question == question else {
      return look(for: question, toward: .forward)
    }
    if state.here != before.place { state.travel.history.push(before.place) }
    state.message = nil
    if state.searches.asked?.isRunning == false { endSearch(.asked, isTyped: true) }
  }

  /// Counts the steps of a typed condition. Only a search for it goes to the first.
  mutating func searchAsTyped(_ typed: (text: String, start: Int)?) {
    guard var typed else { return endTyping() }
    if state.prompt?.purpose == .filter {
      let words = typed.text.split(separator: " ").filter { !["off", "runs"].contains($0) }
      typed.text = words.isEmpty ? "" : condition(words)
    }
    if state.searches.before == nil { send(.searches(.beganTyping(at: state.here))) }
    let place = state.searches.before?.place ?? state.here
    let isSearch = state.prompt?.purpose == .condition
    if isSearch { state.go(to: place, isJump: false) }
    do {
      var question = typed.text.isEmpty ? nil : try question(typed.text)
      // A rule is about the steps that break it.
      if state.prompt?.isRule == true, question != nil {
        question = try self.question("!(\(typed.text))")
      }
      // Code runs when the line is finished.
      if question?.code.isEmpty == false { question = nil }
      let search = question.map {
        Search(
          .condition($0), in: state.branch, from: place.step, toward: isSearch ? .forward : nil)
      }
      send(.searches(.typed(search)))
    } catch {
      send(.searches(.typed(nil)))
      // A word may still grow at the end of the line.
      let rest = typed.text.dropFirst(error.column - 1)
      guard rest.contains(where: { !$0.isLetter && !$0.isNumber && !"._".contains($0) }),
        error.column <= typed.text.count
      else { return }
      state.prompt?.problem = error.line
      state.prompt?.mistake = typed.start + error.column - 1
    }
  }

  /// Forgets what was searched while a line was typed.
  mutating func endTyping() {
    if state.searches.before != nil { send(.searches(.endedTyping(isKept: false))) }
  }

  /// An empty search repeats the last, as in less.
  private mutating func searchAgain() {
    if let question = state.searches.asked?.question { look(for: question, toward: .forward) }
  }

  // MARK: Searching while it is typed

  mutating func askForText() {
    state.prompt = Prompt(.search)
    send(.searches(.beganTyping(at: state.here)))
  }

  mutating func searchAsTyped(_ text: String) {
    guard let before = state.searches.before else { return }
    state.go(to: before.place, isJump: false)
    let (branch, start) = (state.branch, state.here.step)
    let search = Search(.text(text), in: branch, from: start, toward: .forward)
    send(.searches(.typed(text.isEmpty ? nil : search)))
  }

  mutating func finishSearch(_ text: String) {
    finishTyping(text.isEmpty ? nil : .text(text))
  }

  mutating func closeSearch() {
    let isEmpty = state.prompt?.line.text.isEmpty != false
    if let before = state.searches.before, !isEmpty { state.go(to: before.place, isJump: false) }
    send(.searches(.endedTyping(isKept: isEmpty)))
  }

  // MARK: Hits and errors

  mutating func nextHit(_ direction: Search.Direction) {
    guard let last = state.searches.asked else {
      return say(
        "No search yet: \(state.key("/")) searches a text, "
          + "\(state.key(";")) a condition.")
    }
    guard state.isCurrent(last) else {
      // The same question for the current branch as it is now.
      return look(for: last.question, toward: direction)
    }
    for _ in 0..<min(times, 1_000) {
      state.searches.asked?.waiting = direction
      guard let hit = waitedHit(.asked) else { return }
      go(toHit: hit, direction, of: last)
    }
  }

  mutating func go(toHit step: Int, _ direction: Search.Direction, of search: Search? = nil) {
    let wrapped = direction == .forward ? step <= state.here.step : step >= state.here.step
    state.go(to: step)
    let number = search?.number(of: step).map { "\(grouped($0)) of \(grouped(search?.count ?? 0))" }
    let isError = search?.question == .errors
    let place = number.map { isError ? "Error \($0)" : "Hit \($0)" } ?? (isError ? "An error" : nil)
    if wrapped {
      say("\(place.map { $0 + ": the" } ?? "The") search wrapped around.")
    } else if let place, isError {
      say("\(place).")
    }
  }

  /// Goes to where the rules are broken; to an error, if you set none or they hold.
  mutating func nextError(_ direction: Search.Direction) {
    if !state.searches.rules.isEmpty {
      if state.searches.broken.map(state.isCurrent) != true { lookAtRules() }
      let here = state.here.step
      if let broken = nextBroken(direction) {
        state.go(to: broken.step)
        let isOnly =
          broken.wrapped && broken.step <= here
          && state.searches.broken?.isHit(throughout: broken.step...here) == true
        let words = isOnly ? "; it breaks nowhere else" : "; the search wrapped around"
        state.searches.broken?.wordsOfName = broken.wrapped ? words : ""
        return sayBroken()
      }
      if state.searches.broken?.isRunning == true {
        state.searches.broken?.waiting = direction
        return
      }
    }
    let kind = state.errorsOfHere
    guard var errors = state.searches[keyPath: kind.path], state.isCurrent(errors) else {
      return look(for: .errors, as: kind, toward: direction)
    }
    (errors.waiting, errors.isSilent) = (direction, false)
    state.searches[keyPath: kind.path] = errors
    if let hit = waitedHit(kind) {
      go(toHit: hit, direction, of: errors)
    } else if !errors.isRunning {
      sayNoErrors()
    }
  }

  /// The signs of a fork are on the timeline as soon as it has run.
  mutating func renewForkErrors() {
    let branch = state.branch
    guard !branch.isMain, branch.progress != .running, branch.steps.count <= Search.mostUnasked,
      !(state.searches.forkErrors.map(state.isCurrent) ?? false)
    else { return }
    look(for: .errors, as: .forkErrors, isSilent: true)
  }

  mutating func goToHit(_ kind: Searches.Kind) {
    guard let search = state.searches[keyPath: kind.path], let direction = search.waiting,
      let hit = waitedHit(kind)
    else { return }
    guard state.prompt == nil, search.question == .errors else {
      return state.go(to: hit, isJump: state.prompt == nil)
    }
    go(toHit: hit, direction, of: search)
  }

  mutating func endSearch(_ kind: Searches.Kind, isTyped: Bool = false) {
    guard let search = state.searches[keyPath: kind.path] else { return }
    // The typed line shows it.
    if kind == .asked, state.searches.before != nil, !isTyped { return goToHit(kind) }
    // Newer steps update the count silently.
    if search.goesOn, search.waiting == nil { return }
    var hint: String?
    let isBroken = kind == .broken && nextBroken(.forward) != nil
    if isBroken || search.count == 0, case .condition(let question) = search.question {
      // "Nothing found" would be wrong for unknown states.
      let unknown = search.unknown.count == search.steps.count ? unknownWords : nil
      if unknown != nil { state.searches[keyPath: kind.path]?.failure = "unknown" }
      hint = unknown ?? suggestion(for: question)
      if kind == .broken, hint == nil, let failure = search.failure {
        hint = failure + (failure.hasSuffix("?") ? "" : ".")
      }
    }
    goToHit(kind)
    switch kind {
    case .asked where search.tellsOutcome: reportOutcome(of: search)
    case .asked:
      if missedCondition != nil {
        hint = "No step has this text; \(state.key(";")) asks it as a condition."
      } else if search.count == 0, case .text(let text) = search.question,
        text.contains(where: \.isUppercase)
      {
        hint = "No step has this text; without capitals, /\(text.lowercased()) finds both cases."
      } else if hint == nil, case .condition(let question) = search.question,
        question.condition.text.contains(/[!=]= *null\b/),
        [0, state.branch.steps.count].contains(search.count)
      {
        hint = "A value that is missing is not null: !state.name holds for both."
      }
      if let hint { say(hint, .warning) }
    case .broken where search.isSilent: break
    case .broken:
      let count = state.searches.rules.count
      if let hint {
        say("\(hint) :rule off removes the rule.", .warning)
      } else if search.count == 0, !search.unknown.isEmpty {
        let known = counted(state.branch.steps.count - search.unknown.count, "step")
        let unknown = counted(search.unknown.count, "step")
        let reason = state.session.unknownReason
        say("It holds in \(known). In \(unknown) it is unknown: \(reason).", .warning)
      } else if search.count == 0 {
        let rule = state.searches.rules.first ?? ""
        let subject = count > 1 ? "All \(count) rules hold" : "\(rule) holds"
        say("\(subject) in all \(grouped(state.branch.steps.count)) steps with a known state.")
      } else {
        let subject = count > 1 ? "A rule is broken" : "Broken"
        let steps = counted(search.count, "step")
        let first = search.hit(.forward, of: search.steps.lowerBound - 1)?.step ?? 0
        say(
          "\(subject) in \(steps), first at \(grouped(first)): "
            + "\(state.key("e")) goes to where it begins.", .warning)
      }
    case .forkErrors where search.isSilent: break
    case .errors where search.isSilent:
      goToFirstFailure()
      nameFailures()
    case .errors, .forkErrors: if search.count == 0 { sayNoErrors() }
    }
  }

  private mutating func reportOutcome(of search: Search) {
    let name = state.name(of: search.branch)
    let condition = String(search.question.text.dropFirst())
    let rule = condition.hasPrefix("!(") ? Condition.opposite(of: condition) : nil
    let unknown = search.unknown.count
    if let first = search.hit(.forward, of: search.steps.lowerBound - 1)?.step {
      let steps = counted(search.count, "step")
      let place = "\(steps) of “\(name)”, first at \(grouped(first))"
      say("Still there: \(rule.map { "not \($0)" } ?? condition) in \(place).", .warning)
    } else if unknown == 0 {
      let words = rule.map { "keeps \($0)" } ?? "has no step with \(condition)"
      say("Gone: “\(name)” \(words).")
    } else if unknown == search.steps.count {
      say(unknownWords, .warning)
    } else {
      let steps = counted(unknown, "step")
      say("“\(name)” has no known step with \(condition); \(steps) unknown.", .warning)
    }
  }

  private mutating func sayNoErrors() {
    say("No errors in \(counted(state.branch.steps.count - 1, "step")).")
  }

  var unknownWords: String {
    let next = state.moment?.hostedCommand.map { ": open it with \($0)" } ?? ""
    return "unknown: no step has a known state\(next)"
  }

  mutating func waitedHit(_ kind: Searches.Kind) -> Int? {
    let path = kind.path
    guard let search = state.searches[keyPath: path], let direction = search.waiting else {
      return nil
    }
    let here = state.here.step
    guard let hit = shownHit(search, direction, of: here),
      search.knows(direction, of: here, in: state.branch.steps)
    else {
      if !search.isRunning { state.searches[keyPath: path]?.waiting = nil }
      return nil
    }
    state.searches[keyPath: path]?.waiting = nil
    return hit.step
  }

  private func shownHit(
    _ search: Search, _ direction: Search.Direction, of here: Int
  ) -> (step: Int, wrapped: Bool)? {
    guard let first = search.hit(direction, of: here), let rows = state.rows else {
      return search.hit(direction, of: here)
    }
    var hit = first
    while rows.isHidden(hit.step), let next = search.hit(direction, of: hit.step),
      next.step != first.step
    {
      hit = (next.step, hit.wrapped || next.wrapped)
    }
    return hit
  }

  /// A new session opens at its first failure.
  private mutating func goToFirstFailure() {
    guard state.travel.seeksFailure, !state.input.wasTouched,
      let errors = state.searches.errors,
      let first = errors.hit(.forward, of: state.branch.steps.lowerBound - 1)?.step
    else { return }
    state.travel.seeksFailure = false
    state.go(to: first, isJump: false)
    state.centerList(height: Layout(state).steps.height)
    let which =
      errors.count == 1 ? "the only failure" : "the first of \(grouped(errors.count)) failures"
    let next = errors.count == 1 ? "" : ", \(state.key("e")) to the next"
    let words = "Step \(grouped(first)) is \(which); \(state.key("c")) goes to its cause\(next)."
    let warning = state.message.flatMap { $0.kind == .news ? nil : $0 }
    let before = warning?.text ?? state.input.welcome.take()
    say([before, words].compactMap(\.self).joined(separator: "\n"), warning?.kind ?? .news)
  }
}

extension DebuggerState {
  /// Its steps are those of the current branch, else nil.
  func ofHere(_ search: Search?) -> Search? { search?.branch == here.branch ? search : nil }

  var errorsOfHere: Searches.Kind { branch.isMain ? .errors : .forkErrors }

  /// Whether a search is about the branch as it is now, or will be.
  func isCurrent(_ search: Search) -> Bool {
    search.branch == here.branch && search.run == branch.run
      && (search.isRunning || search.steps == branch.steps)
  }

  func isFailure(_ row: StepRow) -> Bool {
    row.isError || ofHere(searches[keyPath: errorsOfHere.path])?.isHit(row.number) ?? false
  }
}
