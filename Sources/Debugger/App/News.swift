import SessionWords
import TimeTravel

extension Reaction {
  /// News from the background.
  mutating func takeNews(_ action: DebuggerAction) {
    switch action {
    case .started, .input, .follows, .goesOn: break
    case .stepsRead(let page, let rows):
      guard page.run >= state.run(of: page.branch) else { return }
      state.pages.insert(rows, as: page)
    case .momentRead(let moment): takeMoment(moment)
    case .momentIsLate(let position):
      if state.moments[position] == nil { state.lateMoment = position }
    case .momentFailed(let position, let sentence):
      if state.awaitedMoment == position { state.awaitedMoment = nil }
      if state.host != .none { state.note(hostTrouble: sentence) }
      guard position == state.here else { return }
      say(sentence, .failure)
      // An empty moment, so that it is not asked for again and again.
      state.moments.insert(.unknown(at: position, because: sentence))
    case .timelineRead(let extent, let density, let effects):
      takeTimeline(extent, density, effects)
    case .spanRead(let span, let moment): takeSpan(span, moment)
    case .effectsFound:
      state.timeline.asked = nil
      state.moments.forget(state.here.branch)
      state.paneSet.forget()
      state.awaitedMoment = nil
      state.lookedAheadFrom = nil
      survey()
    case .surveyed(let survey):
      if state.message == nil, !state.wasTouched {
        say(words(for: survey))
      }
    case .searchFound(let number, let batch): takeHits(batch, of: number)
    case .searchEnded(let number, let failure): endSearch(number, failure)
    case .filtered(let number, let batch): takeFiltered(number, batch)
    case .filterEnded(let number, let failure): endFilter(number, failure)
    case .aligned(let branch, let other, let pairs): takeAligned(branch, other, pairs)
    case .watch(.ended(let number, let failure?)):
      if state.watch.series.contains(where: { $0.number == number }) { say(failure, .warning) }
    case .stepFound(let step, let words): takeFound(step, words)
    case .questGrew(let name, let news):
      if let kind = ForkQuest.Kind(rawValue: name) { takeQuest(kind, news) }
    case .playing(.stepIsOver): playOn()
    case .playing, .watch: break
    case .forkGrew(let branch):
      takeFork(branch)
      runNextFork()
    case .kept(let report): takeKept(report)
    case .othersWorked(let report): takeBranches(report)
    case .forkFailed(let name, let sentence):
      if state.runningFork == name { state.runningFork = nil }
      state.forkToShow = nil
      state.note(hostTrouble: sentence)
      say(sentence, .failure)
      runNextFork()
    case .scriptChanged(let name, let changed, let left):
      state.changingFork = nil
      takeChanged(changed, of: name, left: left)
    case .scriptNotChanged(let sentence):
      state.changingFork = nil
      state.changingWords = nil
      say(sentence, .warning)
    case .templatesFound(let templates, let isDone):
      guard case .fork(var form)? = state.overlay else { return }
      form.add(templates)
      form.isSearching = !isDone
      state.overlay = .fork(form)
      if form.runsWhenFound, isDone || !form.text.text.isEmpty { runForm() }
    case .changeChecked(let change, let verdict): takeVerdict(verdict, on: change)
    case .pendingFound(let position, let pending, let replies, let failure):
      guard case .fork(var form)? = state.overlay, form.position == position else { return }
      if failure == nil { form.add(pending, replies) }
      form.trouble = failure
      state.overlay = .fork(form)
    case .answerHeard(let position, let reply, let failure):
      guard case .fork(var form)? = state.overlay, form.position == position else { return }
      form.hear(reply)
      form.problem = failure
      state.overlay = .fork(form)
    case .composed(let text):
      guard case .fork(var form)? = state.overlay else { return }
      form.take(edited: text)
      state.overlay = .fork(form)
    case .hostChanged(let host, let report):
      takeHost(host, report)
      resume()
      if case .ready = host, !state.isHostRestarting { runNextFork() }
    case .hostRebuilt: hostWasRebuilt()
    case .hostRestarted(let news, let failure): hostRestarted(news, failure)
    case .runsForgotten(let next):
      if let next, state.runningFork == next { work.append(.runFork(next)) }
    case .recordingChanged(let news, let effects): takeRecording(news, effects)
    case .recordingRests: state.life = .resting
    case .welcomed(let words, let fork):
      state.welcome = state.keys.words(words, in: state.keyMaps)
      if let fork { state.forksToRun = [fork] }
    case .arranged(let arrangement): state.paneSet.arrange(arrangement)
    case .configured(let keys, let problems): configure(keys, problems)
    case .sourcesFound(let files): state.sources.take(files)
    case .said(let message): state.message = message
    case .exported(let message):
      guard state.exporting != nil else { return }
      state.exporting = nil
      state.message = message
    }
  }

  private mutating func takeMoment(_ moment: Moment) {
    if state.awaitedMoment == moment.position { state.awaitedMoment = nil }
    guard moment.run >= state.run(of: moment.position.branch) else { return }
    state.moments.insert(moment)
    if state.lateMoment == moment.position { state.lateMoment = nil }
    if case .fork(var form)? = state.overlay, form.position == moment.position,
      form.effects.isEmpty, form.reads.isEmpty
    {
      form.fill(from: moment)
      state.overlay = .fork(form)
    }
  }

  // MARK: Searching

  /// The search with a number: that of the person, or that for errors.
  typealias SearchPath = WritableKeyPath<DebuggerState, Search?>

  private func search(_ number: Int) -> SearchPath? {
    if state.search?.number == number { return \.search }
    return state.errors?.number == number
      ? \.errors : state.broken?.number == number ? \.broken : nil
  }

  private mutating func takeHits(_ batch: SearchBatch, of number: Int) {
    guard let path = search(number) else { return }
    state[keyPath: path]?.add(batch)
    if let hit = waitedHit(path) { state.go(to: hit, isJump: state.prompt == nil) }
  }

  private mutating func endSearch(_ number: Int, _ failure: String?) {
    guard let path = search(number) else { return }
    state[keyPath: path]?.isRunning = false
    state[keyPath: path]?.failure = failure
    var hint: String?
    let isBroken = path == \.broken && nextBroken(.forward) != nil
    if isBroken || state[keyPath: path]?.count == 0,
      case .condition(let question)? = state[keyPath: path]?.question
    {
      // Nobody has found nothing where nothing is known.
      let unknown = whyUnknown(question)
      if unknown != nil { state[keyPath: path]?.failure = "unknown" }
      hint = unknown ?? suggestion(for: question)
    }
    if path == \.search, let hint { say(hint, .warning) }
    if let hit = waitedHit(path) { state.go(to: hit, isJump: state.prompt == nil) }
    if path == \.broken, let hint {
      say("\(hint) :rule off forgets the rule.", .warning)
    } else if path == \.broken {
      say(
        state.broken?.count == 0
          ? "It holds in all \(grouped(state.branch.steps.count)) steps whose state is known."
          : "Broken in \(counted(state.broken?.count ?? 0, "step")): \(state.key("e")) goes to where that begins.",
        state.broken?.count == 0 ? .news : .warning)
    }
    if path == \.errors, state.errors?.count == 0, state.errors?.isSilent == false {
      say("No errors in \(counted(state.branch.steps.count, "step")).")
    }
  }

  /// Why a condition cannot be answered here; nil where it can.
  func whyUnknown(_ question: StepQuestion) -> String? {
    guard question.asksForStates, let moment = state.moment, moment.state == nil else { return nil }
    let next = moment.hostedCommand.map { ": open it with \($0)" } ?? ""
    return "unknown: the file holds no states\(next)"
  }

  /// The hit that somebody waits for, if it is known by now; nobody waits for it any more then.
  mutating func waitedHit(_ path: SearchPath) -> Int? {
    guard let search = state[keyPath: path], let direction = search.waiting else { return nil }
    let here = state.here.step
    guard let hit = shownHit(search, direction, of: here),
      search.knows(direction, of: here, in: state.branch.steps)
    else {
      if !search.isRunning { state[keyPath: path]?.waiting = nil }
      return nil
    }
    state[keyPath: path]?.waiting = nil
    return hit.step
  }

  /// The next hit that the filter shows; the first one again where it shows none.
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

  private mutating func takeFound(_ step: Int?, _ words: String?) {
    guard let finding = state.finding else { return }
    state.finding = nil
    if let step {
      state.go(to: step)
      state.message = words.map { Message($0) }
    } else {
      say("There is no \(finding).")
    }
  }

  /// What somebody wants to know of a session first: `602 steps in 7 min 23 s, 2 skipped`.
  private func words(for survey: SessionSurvey) -> String {
    var text = counted(state.session.steps.count - 1, "step")
    if let duration = survey.duration { text += " in \(duration.longText)" }
    if survey.skipped > 0 { text += ", \(grouped(survey.skipped)) skipped" }
    if let position = state.session.position, position == state.here.step {
      text += "; the author stood at \(grouped(position))"
    }
    return text
  }

  // MARK: Forks

  private mutating func takeFork(_ fork: Branch) {
    let isNew = !state.branches.contains { $0.name == fork.name }
    if let index = state.branches.firstIndex(where: { $0.name == fork.name }) {
      let old = state.branches[index]
      state.branches[index] = fork
      // A run that began anew has other steps; one that grew has more.
      state.pages.forget(fork.name, from: old.run == fork.run ? old.steps.upperBound : .min)
      if old.run != fork.run || fork.progress != .running {
        state.moments.forget(fork.name)
        state.paneSet.forget()
        if state.here.branch == fork.name { state.awaitedMoment = nil }
      }
    } else {
      guard state.runningFork == fork.name else { return }
      state.branches.append(fork)
    }
    if let wanted = state.forkToShow, wanted.name == fork.name,
      let step = wanted.step ?? fork.firstOwnStep,
      fork.steps.contains(step) || fork.progress != .running
    {
      // Who went somewhere else in the meantime stays there.
      let isLeft = state.here != state.placeBeforeFork
      state.forkToShow = nil
      if !isLeft {
        state.go(to: Position(branch: fork.name, step: step), isJump: wanted.step == nil)
      }
    }
    guard fork.progress != .running else { return }
    state.timeline.asked = nil
    if state.runningFork == fork.name { state.runningFork = nil }
    if case .ended = fork.progress { state.note(hostTrouble: fork.outcomeWords) }
    // The fork that the demo brings runs by itself: nobody waits for what came of it.
    let isAsked =
      state.welcome == nil || state.here.branch == fork.name || !state.undo.done.isEmpty
    guard isAsked, state.host != .none || !isNew else { return }
    var message = words(for: fork)
    if let remark = state.forkRemark {
      message.text = "\(remark); \(message.text)"
    }
    state.forkRemark = nil
    state.message = message
  }

  private func words(for fork: Branch) -> Message {
    switch fork.progress {
    case .ended: Message(fork.outcomeWords, .failure)
    case .stopped: Message(fork.outcomeWords, .warning)
    case .complete, .running, .notRun: Message(fork.outcomeWords)
    }
  }
}

extension Branch {
  /// What running it came to, in one line.
  package var outcomeWords: String {
    switch progress {
    case .ended(let reason): return "“\(name)” \(reason)"
    case .stopped: return "“\(name)” was stopped."
    case .complete, .running, .notRun: break
    }
    let parent = script?.parent ?? Branch.main
    let last = report?.rejoining?.step ?? steps.upperBound
    var text = "“\(name)” ran \(counted(last - (script?.leavesAt ?? 0), "step"))"
    // What casts doubt comes first: on a narrow screen the end is cut off.
    if let step = firstDifferent, step <= steps.upperBound {
      text += "; the first that differs from \(parent): \(grouped(step))"
    }
    if let doubt = report?.doubt {
      text += "; \(doubt)"
    } else if let pending = report?.pending.filter(\.isUnanswered), !pending.isEmpty {
      text += "; \(counted(pending.count, "effect")) unanswered"
    }
    if let out = report?.leftOut, let first = out.first {
      let rest = out.count - 1
      text += "; without \(first.recordedStep) \(StepLabels.shortened(first.label, to: 24))"
      if rest > 0 { text += " and \(grouped(rest)) more" }
    }
    if report?.rejoining != nil { text += "; from there on it is as \(parent) again" }
    return text
  }
}

extension Branch {
  /// The first step that is not its parent's; nil as long as it has none.
  var firstOwnStep: Int? {
    guard let script, steps.upperBound > script.leavesAt else { return nil }
    return script.leavesAt + 1
  }
}

extension DebuggerState {
  /// The run that the known steps of a branch are from.
  fileprivate func run(of name: String) -> Int { branches.first { $0.name == name }?.run ?? 0 }
}
