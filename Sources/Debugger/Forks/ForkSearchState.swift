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
      let name = runFound(script, as: news.name)
      if let note = news.note { save(.noteFork(name, note)) }
      for (step, text) in news.marks.sorted(by: { $0.key < $1.key }) {
        putMark(Position(branch: name, step: step), to: text)
      }
    }
    state.message = nil
    let title = news.script == nil ? "no \(kind.rawValue)" : "the \(kind.rawValue)"
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
  mutating func runFound(_ script: Script, as wanted: String? = nil) -> String {
    var name = wanted?.replacing("/", with: ".").replacing("@", with: " ") ?? freeName()
    if problem(withName: name) != nil { name = freeName() }
    state.keeping.undo.note(.forked(name: name, script, left: state.here))
    run(name, script)
    return name
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
    guard let host = session.host, let steps = session.branch(branch)?.steps else {
      throw Trouble("A search needs the app's reducer", next: Trouble.attachHint)
    }
    var goal = Goal.ends(place ?? [], with: nil)
    var last = position.step
    if var wanted {
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
      goal = .ends(place, with: try await session.state(at: position)?[place])
    }
    let search = try await session.search(
      goal, of: branch, upTo: last, happens: kind != .explore, on: [host],
      place: "step \(grouped(last)) of “\(branch)”")
    let best = Locked(ForkSearchUpdate())
    let trials = search.trials { runs in
      var news = best.withLock { $0 }
      news.progress = counted(runs, "run") + (news.progress ?? "")
      await tell(news)
    }
    switch kind {
    case .minimize: return try await minimum(search, trials, best)
    case .why: return try await reason(search, trials)
    case .explore: return try await exploration(search, trials)
    }
  }

  private func minimum(
    _ search: HostTrials, _ trials: Trials, _ best: Locked<ForkSearchUpdate>
  ) async throws -> ForkSearchUpdate {
    let minimizer = Minimizer(search.base, search.goal, trials) { kept, script in
      best.withLock { best in
        best.progress = ", \(kept) of \(search.base.userSteps.count) left"
        best.script = try? search.base.cut(script)
      }
    }
    var minimum = try await minimizer.minimum()
    let script = try await search.kept(&minimum)
    let lines = minimum.actions.flatMap { action in
      ["\(action.step) \(action.label)"] + action.remarks().map { "  " + $0 }
    }
    let numbers = try await search.numbers(in: script)
    let marks = minimum.actions.compactMap { action in
      numbers[action.step].map { ($0, action.note { numbers[$0] ?? $0 }) }
    }
    return ForkSearchUpdate(
      script: script, note: minimum.note, marks: Dictionary(marks) { $1 },
      lines: lines + [minimum.sentence] + minimum.remarks)
  }

  private func reason(_ search: HostTrials, _ trials: Trials) async throws -> ForkSearchUpdate {
    let reason = try await Reasoner(search.base, search.goal, trials).reason()
    return ForkSearchUpdate(
      script: reason.avoided?.script, note: reason.avoided?.words,
      lines: reason.lines + reason.sentences, curve: reason.curve)
  }

  private func exploration(_ search: HostTrials, _ trials: Trials) async throws -> ForkSearchUpdate
  {
    let found = try await Explorer(search.base, search.goal, trials, from: position.step).explore()
    return ForkSearchUpdate(
      script: found.hits.first?.shortest, name: found.hits.first?.name,
      note: found.hits.first?.verdict.standingWords,
      lines: found.hits.flatMap { ["✗ \($0.name)", "  \($0.verdict.standingWords)"] }
        + [found.sentence])
  }
}
