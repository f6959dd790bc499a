import ForkSearch
import Platform
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

struct ForkSearchState: Sendable, Hashable {
  var kind: Kind
  var wanted: Wanted?
  var place: Pointer?
  var position: Position
  /// A name near the typed one, said if the condition never holds.
  var hint: String?
  /// The scripts that it has tried, for the same search after a stop.
  var memory = TrialMemory()

  /// The topic of the search.
  var about: String {
    switch wanted {
    case .holds(let question)?: question.condition.text
    case .crash?: "--crash"
    case .divergence?: "--divergence"
    case nil: place.map { ValuePath($0, in: .null).text } ?? ""
    }
  }
}

/// The result of a search of forks, or of `:blame`, as `:result` shows it.
struct KeptResult: Sendable, Hashable {
  var title: String
  var lines: [ListLine]
  /// The same search again only shows it.
  var search: ForkSearchState?
  /// The topic of the search.
  var about = ""
  /// The same search again goes on from it.
  var isStopped = false
  /// The fork with the best that a stopped search had found.
  var best: BranchID?
  /// The fork with the smallest session, and what it shows: Enter keeps it as a test.
  var smallest: BranchID?
  var shown: Wanted?

  /// Its first line.
  var words: String { lines.first?.text ?? "" }

  static let most = 20
}

extension ForkSearchState {
  /// Whether it asks the same; the place matters only where no condition names one. The fork that
  /// the other one found counts as where it was asked.
  func isSame(as other: ForkSearchState, in found: BranchID?) -> Bool {
    kind == other.kind && wanted == other.wanted && place == other.place
      && (position.branch == other.position.branch || position.branch == found)
      && (wanted != nil && kind != .explore || position == other.position)
  }
}

package struct ForkSearchUpdate: Sendable {
  var progress: String?
  /// The best script so far, or the result, with its name, note and marks.
  var script: Script?
  var name: String?
  var note: String?
  var marks: [Int] = []
  var lines: [String] = []
  /// The steps that some lines are about: of the fork for ``script``, if it is the smallest session.
  var steps: [Int: Int] = [:]
  var curve: [CurvePoint] = []
  var kept = KeptSteps()
  var wanted: Wanted?
  /// Whether its time was over before it ended.
  var isStopped = false
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
      var asked = state.brokenRules?.first.map {
        kind == .explore ? $0 : Condition.opposite(of: $0)
      }
      if asked == nil, kind != .explore {
        // Your last search, unless the cursor is on another failure.
        let failure = state.moment?.failureCondition
        if case .condition(let question)? = state.searches.asked?.question,
          failure == nil || state.ofHere(state.searches.asked)?.isHit(state.here.step) == true
        {
          asked = question.condition.text
        }
        asked = asked ?? failure
      }
      if let asked {
        state.prompt?.ghost = asked
        state.prompt?.takesGhost = true
      } else if typed.hasPrefix(" ") {
        state.prompt?.problem = "type a condition first"
      }
      return
    }
    if let index = state.searches.results.firstIndex(where: {
      $0.search.map { [found = $0.smallest ?? $0.best] in forkSearch.isSame(as: $0, in: found) }
        == true
    }) {
      guard state.searches.results[index].isStopped else { return showResult(index) }
      forkSearch = state.searches.results.remove(at: index).search ?? forkSearch
    }
    state.searches.finding = .forks(kind)
    state.searches.search = forkSearch
    state.searches.best = nil
    state.searches.isLeft = false
    state.searches.hasAskedToStay = false
    effects.append(.searchForks(forkSearch))
  }

  /// Stops the search that runs. The list has it, and the same search again goes on from it.
  mutating func stopSeeking(_ finding: SearchTarget) {
    state.searches.finding = nil
    effects.append(.cancel(id: Background.Job.finding))
    let fork = state.searches.best.take().map { runFound($0) }
    guard let search = state.searches.search.take(), finding.isSearch(of: search.kind) else {
      return say("Stopped looking for the \(finding.words).")
    }
    var lines = [
      "Stopped looking for the \(finding.words).", "The same search again goes on from here.",
    ]
    if let fork { lines.insert("The best so far is “\(state.name(of: fork))”.", at: 1) }
    add(
      KeptResult(
        title: "the \(search.kind.words), stopped", lines: lines.map { ListLine($0) },
        search: search, about: search.about, isStopped: true, best: fork))
    say("\(lines[0]) The same search again goes on from here.")
  }

  mutating func receiveForkSearch(_ kind: ForkSearchState.Kind, _ news: ForkSearchUpdate) {
    guard state.searches.finding?.isSearch(of: kind) == true else { return }
    if let progress = news.progress {
      let finding = SearchTarget.forks(kind, progress: progress)
      state.searches.finding = finding
      state.searches.best = news.script ?? state.searches.best
      state.timeline.kept = news.kept
      return say(
        "Looking for the \(finding.words); Ctrl-C "
          + (state.searches.best == nil ? "stops." : "keeps the best so far."))
    }
    state.searches.finding = nil
    state.searches.best = nil
    (state.timeline.curve, state.timeline.kept) = (news.curve, news.kept)
    var branch = state.searches.search?.position.branch ?? .main
    var smallest: BranchID?
    if let script = news.script {
      let fork = runFound(script, as: news.name)
      if let note = news.note { save(.saveNote(fork, note)) }
      if kind == .minimize { (branch, smallest) = (fork, fork) }
      for step in news.marks { putMark(Position(branch: fork, step: step), to: "needed") }
    }
    state.message = nil
    let isFound = news.script != nil || kind == .why
    let title = "\(isFound ? "the" : "no") \(kind.words)"
    let lines = news.lines.enumerated().map { index, text in
      ListLine(text, at: news.steps[index].map { Position(branch: branch, step: $0) })
    }
    let search = state.searches.search.take()
    show(
      KeptResult(
        title: title, lines: lines, search: search, about: search?.about ?? "",
        isStopped: news.isStopped, smallest: smallest, shown: news.wanted))
  }

  private mutating func add(_ result: KeptResult) {
    state.searches.results.insert(result, at: 0)
    state.searches.resultCount += 1
    state.searches.adoptSmallest(of: result)
    if state.searches.results.count > KeptResult.most { state.searches.results.removeLast() }
  }

  /// Opens a list, unless you went on meanwhile: then a message names it, and eats no key.
  mutating func show(_ result: KeptResult) {
    add(result)
    guard state.searches.isLeft || state.prompt != nil || state.overlay != nil else {
      return showResult(0)
    }
    let words = result.words.isEmpty ? result.title : result.words
    say("\(words)\(words.hasSuffix(".") ? "" : ".") :result shows all of it.")
  }

  /// Shows the only result, or the list of them.
  mutating func showResults() {
    switch (state.searches.results.count, state.searches.finding) {
    case (0, let finding?): say("Still looking for the \(finding.words); Ctrl-C stops.")
    case (0, nil):
      say(
        "No search of forks has ended yet: \(state.key("S")), \(state.key("W")), \(state.key("X"))."
      )
    case (1, _): showResult(0)
    default: state.overlay = .list(.results)
    }
  }

  mutating func showResult(_ index: Int) {
    guard state.searches.results.indices.contains(index) else { return }
    let result = state.searches.results[index]
    state.searches.offersTest = result.smallest != nil
    state.searches.adoptSmallest(of: result)
    state.overlay = .list(.text(title: result.title, result.lines))
  }

  @discardableResult
  mutating func runFound(_ script: Script, as wanted: String? = nil) -> BranchID {
    var name = wanted?.replacing("/", with: ".").replacing("@", with: " ") ?? freeName()
    if problem(withName: name) != nil { name = freeName() }
    let id = state.branches.freeID(for: name)
    return runNew(id, script)
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
        wanted = .holds(try StepQuestion(Condition.opposite(of: rule.condition.text)))
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
      try await search.found(memory: memory) {
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
        try await Minimizer(search.base, search.goal, trials) { [last] kept, script in
          best.withLock { best in
            let count = search.base.userSteps.count
            best.progress = ", \(kept.count) of \(count) left"
            best.kept = KeptSteps(steps: kept, of: count, last: last, branch: branch)
            best.script = try? search.base.cut(script)
          }
        }.minimum()
      }
      var values: [String] = []
      if case .holds(let question)? = wanted {
        values = try await session.values(in: question, at: Position(branch: branch, step: last))
      }
      var update = minimum.update(
        numbers: try await search.numbers(in: minimum.script),
        parent: session.name(of: minimum.script.parent), values: values)
      update.kept = KeptSteps(
        steps: minimum.actions.map(\.step), of: minimum.userSteps, last: last, branch: branch)
      update.lines += remark
      update.wanted = wanted
      update.isStopped = minimum.stopped != nil
      // The fork runs in a process without traces of other runs.
      if !session.branches.contains(where: { $0.progress == .running }) { shared.restart() }
      return update
    case .why:
      let reason = try await found {
        try await Reasoner(search.base, search.goal, $0, looks: search) { line in
          best.withLock { $0.progress = ", \(line.trimmingPrefix(while: \.isWhitespace))" }
        }.reason()
      }
      return ForkSearchUpdate(
        script: reason.avoided?.script, note: reason.avoided?.words,
        lines: reason.sentences.prefix(1) + reason.lines + reason.sentences.dropFirst() + remark,
        steps: Dictionary(reason.finished.enumerated().map { ($0 + 1, $1.step) }) { $1 },
        curve: reason.curve, isStopped: reason.stopped != nil)
    case .explore:
      let result = try await found {
        try await Explorer(search.base, search.goal, $0, from: position.step).explore()
      }
      return ForkSearchUpdate(
        script: result.hits.first?.shortest, name: result.hits.first?.name,
        note: result.hits.first?.verdict.standingWords,
        lines: [result.sentence]
          + result.hits.flatMap { ["✗ \($0.name)", "  \($0.verdict.standingWords)"] } + remark,
        isStopped: result.stopped != nil)
    }
  }
}

extension Minimum {
  /// The verdict, what was broken, the steps, then the details. `numbers` maps recorded steps to
  /// those of the fork.
  fileprivate func update(
    numbers: [Int: Int], parent: String, values: [String]
  ) -> ForkSearchUpdate {
    func number(_ step: Int) -> Int { numbers[step] ?? step }
    var update = ForkSearchUpdate(script: script, note: note)
    update.lines = ["\(note)."] + values
    for action in actions {
      let own = number(action.step)
      update.steps[update.lines.count] = own
      update.lines.append(
        "\(own) \(action.label)" + (own == action.step ? "" : " (\(action.step) of \(parent))"))
      if numbers[action.step] != nil { update.marks.append(own) }
    }
    for action in actions {
      let remarks = action.remarks(number)
      if !remarks.isEmpty {
        update.lines.append("  \(number(action.step)): \(remarks.joined(separator: "; "))")
      }
    }
    update.lines += (remarks + details).map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
    return update
  }
}

extension OpenSession {
  /// `state.total < 0: after step 8 of main, total is -8.36`, with each place that a condition names.
  fileprivate func values(
    in question: StepQuestion, at position: Position
  ) async throws -> [String] {
    guard let state = try await state(at: position) else { return [] }
    let places = question.condition.paths(in: "state") ?? []
    let values = places.prefix(4).map { place in
      let value =
        state[place].map { ValuePreview.text($0, limit: 60) }
        ?? state.length(at: place).map { grouped($0.length) } ?? "missing"
      return "\(ValuePath(place, in: state).shownName) is \(value)"
    }
    guard !values.isEmpty else { return [] }
    let place = "step \(grouped(position.step)) of \(name(of: position.branch))"
    return ["\(question.condition.text): after \(place), \(values.joined(separator: ", "))"]
  }
}
