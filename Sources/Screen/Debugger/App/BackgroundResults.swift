import SessionWords
import TimeTravel

extension DebuggerUpdate {
  mutating func receive(_ action: DebuggerAction) {
    switch action {
    case .started:
      state.centerList(height: Layout(state).steps.height)
      effects.append(.findEffects())
      resume()
      resumeView()
    case .follows(let interval): effects.append(.follow(every: interval))
    case .goesOn: doNextWaiting()
    case .input(let event, let link):
      self.link = link
      for event in state.input.keys.events(for: event, in: state) { handle(event) }
    case .stepsRead(let page, let rows):
      guard page.run >= state[branch: page.branch]?.run ?? 0 else { return }
      state.reading.pages.insert(rows, as: page)
    case .momentRead(let moment): receiveMoment(moment)
    case .momentIsLate(let position):
      if state.reading.moments[position] == nil { state.reading.late = position }
    case .momentFailed(let position, let sentence):
      if state.reading.awaited == position { state.reading.awaited = nil }
      if state.host.status != .none { state.host.add(trouble: sentence) }
      guard position == state.here else { return }
      say(sentence, .failure)
      // An empty moment, to avoid repeated requests.
      state.reading.moments.insert(.unknown(at: position, because: sentence))
    case .timelineRead(let extent, let density, let effects):
      receiveTimeline(extent, density, effects)
    case .spanRead(let span, let moment):
      if state.reading.spanned?.span == span { state.reading.spanned?.moment = moment }
    case .effectsFound:
      state.timeline.asked = nil
      state.reading.renewMoments(of: state.here.branch)
      state.paneSet.forget()
      if state.searches.errors == nil { survey() }
    case .surveyed(let survey):
      if state.message == nil, !state.input.wasTouched {
        say(words(for: survey))
        nameFailures()
      }
    case .searches(.found(let kind, _)): goToHit(kind)
    case .searches(.ended(let kind, _)): endSearch(kind)
    case .filter(.ended): endFilter()
    case .aligned(let branch, let other, let pairs): receiveAlignment(branch, other, pairs)
    case .watch(.ended(_, let failure?)): say(failure, .warning)
    case .stepFound(let step, let words): receiveFound(step, words)
    case .findingFailed(let sentence):
      state.searches.finding = nil
      say(sentence, .failure)
    case .questGrew(let kind, let news): receiveForkSearch(kind, news)
    case .playing(.stepIsOver): playOn()
    case .blame(.listed(let title, let lines)): show(KeptResult(title: title, lines: lines))
    case .blame, .filter, .playing, .searches, .watch: break
    case .forkGrew(let branch):
      receiveFork(branch)
      runNextFork()
    case .kept(let report): receiveReport(report)
    case .othersWorked(let report): applyBranches(report)
    case .rulesNamed(let named): receiveNamedRules(named)
    case .forkFailed(let id, let sentence):
      if state.forks.running == id { state.forks.running = nil }
      state.forks.toShow = nil
      state.forks.stepOfAnswer = nil
      state.host.add(trouble: sentence)
      say(sentence, .failure)
      runNextFork()
    case .scriptChanged(let id, let changed, let left):
      state.forks.changing = nil
      receiveChangedFork(changed, of: id, left: left)
    case .scriptNotChanged(let sentence):
      state.forks.changing = nil
      state.forks.changingWords = nil
      say(sentence, .warning)
    case .forkLine(let action): receiveForkLine(action)
    case .composed(let text): insertEdited(text)
    case .hostChanged(let host, let report):
      receiveHost(host, report)
      resume()
      if case .ready = host, !state.host.isRestarting { runNextFork() }
    case .hostRebuilt: hostWasRebuilt()
    case .hostRestarted(let news, let failure): hostRestarted(news, failure)
    case .recordingChanged(let news, let effects): receiveRecording(news, effects)
    case .recordingRests: state.reading.life = .resting
    case .welcomed(let words, let fork):
      state.input.welcome = state.input.keys.words(words, in: state.keyMaps)
      if let fork { state.forks.toRun = [fork] }
      nameFailures()
    case .arranged(let arrangement): state.paneSet.arrange(arrangement)
    case .recalled(let typed): state.input.typed = TypedBefore(lines: typed)
    case .ruleSet(let rule): addRule(rule)
    case .functionsListed(let names): receiveFunctions(names)
    case .configured(let keys, let problems): configure(keys, problems)
    case .sourcesFound(let files): state.reading.sources.add(files)
    case .said(let message): state.message = message
    case .showingFailed(let words): stopShowing(words)
    case .sessionsListed(let all): receiveSessions(all)
    case .sendableFound(let found): receiveSendable(found)
    case .leavesForSession(let id, let clock): quit(to: .openSession(id, at: clock))
    case .exported(var message):
      guard state.keeping.exporting != nil else { return }
      state.keeping.exporting = nil
      if message.kind != .news, state.keeping.test.take() != nil {
        // Another name may do.
        askForTest()
        state.prompt?.problem = message.text
        return
      }
      if state.keeping.test != nil { message.text += ". \(state.key("v")) opens it." }
      state.message = message
    }
  }

  private mutating func receiveMoment(_ moment: Moment) {
    if state.reading.awaited == moment.position { state.reading.awaited = nil }
    let branch = state[branch: moment.position.branch]
    guard moment.run >= branch?.run ?? 0 else { return }
    // A moment read during this run is outdated once the run has ended.
    if moment.isEarly, moment.run == branch?.run, branch?.progress != .running { return }
    state.reading.keep(moment)
    if state.travel.seeksFailure, !state.input.wasTouched, moment.position == state.here,
      moment.state == nil, moment.trouble == nil, state.host.status == .none
    {
      state.travel.seeksFailure = false
      find(.state, .forward)
    }
    if let line = state.forkLine, line.position == moment.position, line.state == nil {
      state.forkLine?.fill(from: moment)
    }
  }

  private mutating func receiveFound(_ step: Int?, _ words: String?) {
    guard let finding = state.searches.finding else { return }
    state.searches.finding = nil
    if let step {
      state.go(to: step)
      state.message = words.map { Message($0) }
    } else if !state.travel.seeksState {
      say("There is no \(finding.words).")
    }
  }

  /// The facts of a session that you want first: `602 steps in 7 min 23 s, 2 skipped`.
  private func words(for survey: SessionSurvey) -> String {
    var text = counted(state.session.steps.count - 1, "step")
    if let duration = survey.duration { text += " in \(duration.longText)" }
    if survey.skipped > 0 { text += ", \(grouped(survey.skipped)) skipped" }
    if let position = state.session.position, position == state.here.step {
      text += "; the author was at step \(grouped(position))"
    }
    return text
  }

  /// The failures of a session that opens elsewhere, once they are counted.
  private var failureWords: String {
    guard state.session.position == state.here.step, let errors = state.searches.errors,
      !errors.isRunning, errors.count > 0
    else { return "" }
    return "; \(counted(errors.count, "failure")), \(state.key("e")) goes to the next"
  }

  /// Adds the failures to the first sentence, whichever comes last.
  mutating func nameFailures() {
    guard !state.input.wasTouched, let message = state.message, message.kind == .news,
      !failureWords.isEmpty
    else { return }
    let welcome = state.input.welcome.take().map { "\($0)\n" } ?? ""
    say(welcome + message.text + (message.text.hasSuffix(failureWords) ? "" : failureWords))
  }

  // MARK: Forks

  private mutating func receiveFork(_ fork: Branch) {
    let isForReport = state.keeping.exporting != nil && state.forks.running != fork.id
    let isNew = state[branch: fork.id] == nil
    if let old = state[branch: fork.id] {
      state[branch: fork.id] = fork
      // The run may have read the branch before a new name or note.
      state[branch: fork.id]?.name = old.name
      state[branch: fork.id]?.note = old.note
      // A restarted run has other steps; a grown one has more.
      state.reading.pages.forget(fork.id, from: old.run == fork.run ? old.steps.upperBound : .min)
      if old.run != fork.run || fork.progress != .running {
        state.reading.moments.forget(fork.id)
        state.paneSet.forget()
        if state.here.branch == fork.id { state.reading.awaited = nil }
      }
    } else {
      guard state.forks.running == fork.id else { return }
      state[branch: fork.id] = fork
    }
    let first = state.forks.toShow?.step ?? fork.firstOwnStep
    if let wanted = state.forks.toShow, wanted.fork == fork.id,
      first.map(fork.steps.contains) == true || fork.progress != .running
    {
      // If you moved on, you stay there.
      let isLeft = state.here != wanted.leaving
      state.forks.toShow = nil
      if !isLeft, let step = first {
        state.go(to: Position(branch: fork.id, step: step), isJump: wanted.step == nil)
      }
    }
    guard fork.progress != .running else { return }
    state.timeline.asked = nil
    if state.forks.running == fork.id { state.forks.running = nil }
    if case .ended = fork.progress {
      state.host.add(trouble: fork.outcomeWords(in: state.branches))
    }
    // The demo's fork runs unasked, so its result needs no message.
    guard !isForReport, state.input.wasTouched || state.input.welcome == nil,
      state.host.status != .none || !isNew
    else { return }
    var message = words(for: fork)
    if let remark = state.forks.remark { message.text = "\(remark). \(message.text)" }
    state.forks.remark = nil
    state.forks.stepOfAnswer = nil
    state.message = message
  }

  private func words(for fork: Branch) -> Message {
    var lines = fork.outcome(in: state.branches, settling: { state.words(settling: $0) })
    if fork.progress == .complete, lines.count < 3, state.mayBeTest(fork) {
      lines.append(":test keeps it as a test.")
    }
    if let step = state.forks.stepOfAnswer {
      lines.insert("With the answer of step \(grouped(step)); \(state.key("=")) changes it.", at: 0)
    }
    let text = lines.joined(separator: "\n")
    return switch fork.progress {
    case .ended: Message(text, .failure)
    case .stopped: Message(text, .warning)
    case .complete, .running, .notRun: Message(text)
    }
  }
}

extension DebuggerState {
  /// Only Swift and JavaScript have tests, and no action sets a part of the state.
  fileprivate func mayBeTest(_ fork: Branch) -> Bool {
    let sets = fork.script?.edits.contains { if case .set = $0 { true } else { false } }
    return sets != true && (session.isOfJavaScript || !session.isForeign)
  }

  /// The key that settles an assumption: `Press a to answer it.`
  func words(settling assumption: Assumption) -> String {
    switch assumption.subject {
    case .effect: "Press \(key("a")) to answer it."
    case .read: "Press \(key("=")) on the read to give it a value."
    case .state, .action: assumption.settling + "."
    }
  }
}

extension Branch {
  /// `“fork 1” runs, step 120`.
  package var runningWords: String { "“\(name)” runs, step \(grouped(steps.upperBound))" }

  /// The result of a run, in one line.
  package func outcomeWords(in branches: [Branch]) -> String {
    outcome(in: branches).joined(separator: ". ")
  }

  /// The result of a run, in at most three lines: the first difference, the first doubt and how to
  /// settle it, and the step after which it equals its parent again.
  package func outcome(
    in branches: [Branch], settling: (Assumption) -> String = { $0.settling + "." }
  ) -> [String] {
    switch progress {
    case .ended(let reason): return ["“\(name)” \(reason)"]
    case .stopped: return ["“\(name)” was stopped."]
    case .complete, .running, .notRun: break
    }
    let last = report?.rejoining?.step ?? steps.upperBound
    let count = last - (script?.leavesAt ?? 0)
    let ran =
      count > 0
      ? "“\(name)” ran \(counted(count, "step"))" : "“\(name)” ran no step of its own"
    let parent = branches.name(of: script?.parent ?? .main)
    let first = firstDifference(from: parent)
    let start = first.isEmpty ? ran : "\(ran); \(first)"
    return [start, unknown(settling), ending(parent)].filter { !$0.isEmpty }
  }

  func firstDifference(from parent: String) -> String {
    guard let first = firstDifferent, first.step <= steps.upperBound else { return "" }
    // The steps that it lacks are named below, and all else is equal.
    if let sameFrom, sameFrom <= first.step {
      return first.lacksSteps
        ? "" : "only the action of \(grouped(first.step)) differs from \(parent)"
    }
    return first.isEnd
      ? "it ends at step \(grouped(steps.upperBound)), and \(parent) goes on"
      : "first difference from \(parent) at \(grouped(first.step))"
  }

  private func unknown(_ settling: (Assumption) -> String) -> String {
    if let doubt = report?.doubt(settling) { return doubt }
    let pending = report?.pending.filter(\.isUnanswered).count ?? 0
    return pending > 0 ? "\(counted(pending, "effect")) unanswered" : ""
  }

  private func ending(_ parent: String) -> String {
    var parts: [String] = []
    let remarks = report?.remarks.filter(isNews) ?? []
    if let first = remarks.first {
      parts.append(first + more(remarks))
    }
    if let out = report?.leftOut, let first = out.first {
      let label = StepLabels.shortened(first.label, to: 24)
      let rest = out.count > 1 ? " and \(counted(out.count - 1, "more step"))" : ""
      parts.append("without step \(first.recordedStep) \(label)\(rest) of \(parent)")
    }
    if let sameFrom {
      let states = firstDifferent.map { !$0.lacksSteps && sameFrom <= $0.step } == true
      parts.append(
        "the \(states ? "states are the " : "")same as \(parent) from \(grouped(sameFrom))"
          + (endsInDoubt ? ", assumed" : ""))
    } else if let rejoining = report?.rejoining {
      parts.append("the same as \(parent) after \(grouped(rejoining.step))")
    }
    let text = parts.joined(separator: "; ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Whether the first doubt does not tell of this effect already.
  private func isNews(_ remark: String) -> Bool {
    let doubt = report?.assumptions.first { !$0.kind.values.areKnown }?.sentence ?? ""
    return remark.firstRange(of: " was cancelled at step").map {
      !doubt.hasPrefix(remark[..<$0.lowerBound])
    } ?? true
  }

  private func more(_ list: [some Any]) -> String {
    list.count > 1 ? " (and \(grouped(list.count - 1)) more)" : ""
  }

  /// The first step that differs from the parent's; nil until there is one.
  var firstOwnStep: Int? {
    guard let script, steps.upperBound > script.leavesAt else { return nil }
    return script.leavesAt + 1
  }
}
