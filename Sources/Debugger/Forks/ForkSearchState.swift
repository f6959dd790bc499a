import ForkSearch
import Platform
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

struct ForkSearchState: Sendable, Hashable {
  enum Kind: String, Sendable, Hashable {
    case minimize = "smallest session"
    case why = "reason"
    case explore = "order that breaks it"
  }

  var kind: Kind
  var wanted: Wanted?
  var place: Pointer?
  var position: Position
  /// A name near the typed one, said if the condition never holds.
  var hint: String?
}

package struct ForkSearchUpdate: Sendable {
  var progress: String?
  /// The best script so far, or the result, with its name, note and marks.
  var script: Script?
  var name: String?
  var note: String?
  var marks: [Int: String] = [:]
  var lines: [String] = []
  var curve: [CurvePoint] = []
  var wanted: Wanted?
}

extension DebuggerUpdate {
  /// `:minimize CONDITION`; without one offers the last search's or the failure of
  /// this step, and `:why` takes the value under the cursor.
  mutating func seek(_ kind: ForkSearchState.Kind) {
    guard mayFork() else { return }
    var forkSearch = ForkSearchState(kind: kind, position: state.here)
    if argument == "--crash" || argument == "--divergence", kind != .explore {
      forkSearch.wanted = argument == "--crash" ? .crash : .divergence
    } else if !argument.isEmpty {
      do {
        let question = try question(argument)
        forkSearch.wanted = .holds(question)
        forkSearch.hint = suggestion(for: question)
      } catch {
        return say(error.line, .warning)
      }
    } else if kind == .why, state.paneSet.focus == .pane, let path = state.view.row?.path {
      forkSearch.place = path.pointer
    } else {
      state.prompt = Prompt(
        .command, "\(kind) ",
        ghost: kind == .explore
          ? "what has to hold, as in state.total >= 0" : "what happens, as in state.total < 0")
      var asked = state.moment?.step.failureCondition
      if asked == nil, case .condition(let question)? = state.searches.asked?.question {
        asked = question.condition.text
      }
      if kind != .explore, let asked {
        state.prompt?.ghost = asked
        state.prompt?.takesGhost = true
      }
      return
    }
    state.searches.finding = kind.rawValue
    state.searches.best = nil
    state.searches.isLeft = false
    effects.append(.searchForks(forkSearch))
  }

  mutating func takeQuest(_ kind: ForkSearchState.Kind, _ news: ForkSearchUpdate) {
    guard state.searches.finding?.hasPrefix(kind.rawValue) == true else { return }
    if let progress = news.progress {
      state.searches.finding = "\(kind.rawValue) (\(progress))"
      state.searches.best = news.script ?? state.searches.best
      return say(
        "Looking for the \(state.searches.finding ?? ""); Ctrl-C "
          + (state.searches.best == nil ? "stops." : "keeps the best so far."))
    }
    state.searches.finding = nil
    state.searches.best = nil
    state.timeline.curve = news.curve
    if let script = news.script {
      let fork = runFound(script, as: news.name)
      if let note = news.note { save(.noteFork(fork, note)) }
      if kind == .minimize { (state.searches.smallest, state.searches.shown) = (fork, news.wanted) }
      for (step, text) in news.marks.sorted(by: { $0.key < $1.key }) {
        putMark(Position(branch: fork, step: step), to: text)
      }
    }
    state.message = nil
    let isFound = news.script != nil || kind == .why
    let title = "\(isFound ? "the" : "no") \(kind.rawValue)"
    show(news.lines, as: title)
    state.searches.offersTest = kind == .minimize && news.script != nil && state.overlay != nil
  }

  /// Opens a list, unless you went on meanwhile: then a message names it, and eats no key.
  mutating func show(_ lines: [String], as title: String) {
    state.searches.result = .text(title: title, lines)
    guard state.searches.isLeft || state.prompt != nil || state.overlay != nil else {
      return showResult()
    }
    say("\(lines.last ?? title) :result shows all of it.")
  }

  mutating func showResult() {
    guard let result = state.searches.result else {
      return say(
        "No search of forks has ended yet: \(state.key("S")), \(state.key("W")), \(state.key("X"))."
      )
    }
    state.overlay = .list(result)
  }

  @discardableResult
  mutating func runFound(_ script: Script, as wanted: String? = nil) -> BranchID {
    var name = wanted?.replacing("/", with: ".").replacing("@", with: " ") ?? freeName()
    if problem(withName: name) != nil { name = freeName() }
    let id = state.branches.freeID(for: name)
    runNew(id, script)
    return id
  }
}

extension Effect<DebuggerAction> {
  static func searchForks(_ forkSearch: ForkSearchState) -> Effect {
    .finding("search forks") { session, send in
      let news = try await forkSearch.news(in: session) { progress in
        await send(.questGrew(forkSearch.kind, progress))
      }
      await send(.questGrew(forkSearch.kind, news))
    }
  }
}

extension ForkSearchState {
  fileprivate func news(
    in session: OpenSession, _ tell: @escaping @Sendable (ForkSearchUpdate) async -> Void
  ) async throws -> ForkSearchUpdate {
    let branch = position.branch
    guard let shared = session.host, let steps = session.branch(branch)?.steps else {
      throw Trouble("A search needs the app's reducer", next: Trouble.attachHint)
    }
    // A search restarts its host, which would end the forks that run meanwhile.
    let host = await shared.another()
    var goal = Goal.ends(place ?? [], with: nil)
    var last = position.step
    if var wanted {
      if case .holds(let question) = wanted,
        let words = try await session.absence(in: question, of: branch)
      {
        throw Trouble(words)
      }
      if kind == .explore, case .holds(let rule) = wanted {
        wanted = .holds(try StepQuestion("!(\(rule.condition.text))"))
        if case .holds(let broken) = wanted { goal = .holds(broken) }
      }
      let found = try await session.goal(wanted, in: steps, of: branch, on: [host])
      switch (kind, found) {
      case (.explore, nil): last = steps.upperBound
      case (.explore, let found?): throw Trouble("The rule does not hold at step \(found.step)")
      case (_, let found?) where found.step > steps.lowerBound: (last, goal) = found
      default:
        throw Trouble("No action causes it: it never happens, or holds from the start", next: hint)
      }
    } else if let place {
      (last, goal) = try await session.goal(endingWith: place, at: position)
    }
    let search = try await session.search(
      goal, of: branch, upTo: last, happens: kind != .explore, on: [host],
      place: "step \(grouped(last)) of “\(session.name(of: branch))”")
    let remark = [search.base.remark].compactMap(\.self)
    let best = Locked(ForkSearchUpdate())
    @Sendable func found<Found: SearchResult>(
      _ work: (Trials) async throws -> Found
    ) async throws -> Found {
      try await search.found {
        var news = best.withLock { $0 }
        news.progress = counted($0, "run") + (news.progress ?? "")
        await tell(news)
      } _: {
        try await work($0)
      }
    }
    switch kind {
    case .minimize:
      let minimum = try await found { trials in
        try await Minimizer(search.base, search.goal, trials) { kept, script in
          best.withLock { best in
            best.progress = ", \(kept) of \(search.base.userSteps.count) left"
            best.script = try? search.base.cut(script)
          }
        }.minimum()
      }
      var update = minimum.update(
        numbers: try await search.numbers(in: minimum.script),
        parent: session.name(of: minimum.script.parent))
      update.lines += remark
      update.wanted = wanted
      // The fork runs in a process without traces of other runs.
      if !session.branches.contains(where: { $0.progress == .running }) { shared.restart() }
      return update
    case .why:
      let reason = try await found {
        try await Reasoner(search.base, search.goal, $0).reason()
      }
      return ForkSearchUpdate(
        script: reason.avoided?.script, note: reason.avoided?.words,
        lines: reason.lines + reason.sentences + remark, curve: reason.curve)
    case .explore:
      let result = try await found {
        try await Explorer(search.base, search.goal, $0, from: position.step).explore()
      }
      return ForkSearchUpdate(
        script: result.hits.first?.shortest, name: result.hits.first?.name,
        note: result.hits.first?.verdict.standingWords,
        lines: result.hits.flatMap { ["✗ \($0.name)", "  \($0.verdict.standingWords)"] }
          + [result.sentence] + remark)
    }
  }
}

extension Minimum {
  /// `numbers` maps recorded steps to those of the fork.
  fileprivate func update(numbers: [Int: Int], parent: String) -> ForkSearchUpdate {
    func number(_ step: Int) -> Int { numbers[step] ?? step }
    let lines = actions.flatMap { action in
      let source =
        number(action.step) == action.step ? "" : " (\(action.step) of \(parent))"
      return ["\(number(action.step)) \(action.label)\(source)"]
        + action.remarks(number).map { "  " + $0 }
    }
    let marks = actions.compactMap { action in
      numbers[action.step].map { ($0, action.note(number)) }
    }
    return ForkSearchUpdate(
      script: script, note: note, marks: Dictionary(marks) { $1 },
      lines: lines + [sentence] + remarks)
  }
}
