import StoreCore
import TextCanvas
import TimeTravel

extension DebuggerUpdate {
  mutating func receiveRecording(_ news: RecordingChange, _ effects: [EffectSpan]) {
    defer {
      if let remark = news.remark {
        say(state.isFileChanged ? "\(remark) \(state.key("R")) does that." : remark, .warning)
      }
    }
    switch news.change {
    case .notices: state.session = news.summary
    case .computed:
      state.session = news.summary
      forgetStates()
    case .ended:
      state.session = news.summary
      state.reading.life = .ended
    case .grew:
      let last = state.session.steps.upperBound
      state.session = news.summary
      if state.timeline.zoom == nil, state.branch.isMain { state.timeline.effects = effects }
      state.reading.life = news.summary.isFinished ? .resting : .growing
      grow(from: last)
    }
  }

  private mutating func forgetStates() {
    state.reading.pages.renew(.main, from: state.session.steps.lowerBound)
    state.reading.renewMoments(of: .main)
    state.paneSet.forget()
    send(.searches(.putAway(.errors)))
    lookForErrors()
    if let search = state.searches.asked { look(for: search.question) }
    // A fork is asked once it has run again.
    if !state.searches.rules.isEmpty { lookAtRules(isSilent: !state.branch.isMain) }
  }

  private mutating func grow(from last: Int) {
    let steps = state.session.steps
    state.branches[0].steps = steps
    state.reading.pages.renew(.main, from: last)
    state.reading.moments.forgetUnended(.main, from: last)
    if state.moment == nil { state.paneSet.forget() }
    if state.reading.awaited == state.here { state.reading.awaited = nil }
    state.reading.lookedAheadFrom = nil
    // The message at the opening is outdated, unless the file is only read on.
    if !state.session.isFinished, !state.input.wasTouched, state.message?.kind == .news {
      state.message = nil
    }
    if let end = state.next(behind: last) { state.go(to: Position(step: end), isJump: false) }
    let asked = state.timeline.askedSteps
    if steps.count - asked > asked / 64 { state.timeline.asked = nil }
  }

  /// Asks again about a fork that has run again, and goes on where the recording has grown. Rules
  /// are about the branch that you see.
  mutating func renewSearches() {
    let branch = state.branch
    if branch.progress != .running, !branch.isNotRun,
      state.forks.asked?.branch != branch.id || state.forks.asked?.run != branch.run
    {
      state.forks.asked = (branch.id, branch.run)
      askAgain(about: branch)
    }
    guard let main = state.branches.first,
      Searches.Kind.allCases.contains(where: {
        state.searches[keyPath: $0.path]?.canGoOn(to: main) == true
      })
    else { return }
    send(.searches(.grown(main)))
  }

  private mutating func askAgain(about branch: Branch) {
    let tellsOutcome = state.forks.asksAgain == branch.id
    if tellsOutcome { state.forks.asksAgain = nil }
    let bug = tellsOutcome ? state.searches.question(shownBy: branch.id) : nil
    if let broken = state.searches.broken, broken.branch != branch.id || broken.run != branch.run {
      state.searches.named = nil
      lookAtRules(isSilent: broken.branch != branch.id || bug != nil)
    }
    var asked = bug.map(Search.Question.condition)
    if asked == nil, state.searches.before == nil, let old = state.searches.asked,
      old.branch == branch.id, old.run != branch.run
    {
      asked = old.question
    }
    guard let asked else { return }
    var search = Search(asked, in: branch, from: state.here.step)
    search.tellsOutcome = tellsOutcome && (bug != nil || state.searches.rules.isEmpty)
    send(.searches(.started(.asked, search)))
  }
}

extension DebuggerState {
  /// Whether the file holds something else than what is shown.
  var isFileChanged: Bool { reading.life == .ended || session.isOutdated }

  /// The new end if the user watches the end. Until a key is pressed, the step where a file's author
  /// was, once it is found.
  fileprivate func next(behind last: Int) -> Int? {
    guard isWatching(last) else { return nil }
    let author = input.wasTouched ? nil : session.position
    return author.map { min($0, session.steps.upperBound) } ?? session.steps.upperBound
  }
}

extension DebuggerState {
  /// Whether the user watches the end, and does nothing that the next step would disturb.
  func isWatching(_ last: Int) -> Bool {
    here == Position(step: last) && prompt == nil && overlay == nil && searches.finding == nil
      && input.waiting.isEmpty && input.drag == nil
  }
}

extension Effect<DebuggerAction> {
  static func follow(every interval: Duration) -> Effect {
    .doing("follow") { session, send in
      @Dependency(\.continuousClock) var clock
      @Dependency(\.background?.app) var app
      @Dependency(\.background?.sessions) var sessions
      var listed: [AppSession] = []
      // The looks since the file grew.
      var quietLooks: Int?
      var lastTrouble: String?
      while true {
        if session.isScanned { try await clock.sleep(for: interval) }
        if let all = sessions?.all(), all != listed {
          listed = all
          await send(.sessionsListed(all))
        }
        do {
          let wasScanned = session.isScanned
          let news = try await session.refresh()
          if let news {
            let effects = try session.longestEffects(Timeline.laneLimit)
            await send(.recordingChanged(news, effects: effects))
            if news.change == .ended { return }
          }
          if !wasScanned, session.isScanned { await send(.effectsFound) }
          quietLooks = news?.change == .grew ? 0 : quietLooks.map { $0 + 1 }
          if quietLooks == 10 {
            quietLooks = nil
            await send(.recordingRests)
          }
          let isPlayed = app?.savePlayed() == true
          if let words = session.applyOthersWork() {
            var report = KeepingReport(session)
            report.remarks = isPlayed ? [] : words
            await send(.othersWorked(report))
          }
        } catch {
          let sentence = Trouble.sentence(for: error)
          if sentence != lastTrouble { await send(.said(Message(sentence, .warning))) }
          lastTrouble = sentence
        }
      }
    }.cancellable(id: Background.Job.following, cancelInFlight: true)
  }
}

enum RecordingLife: Sendable, Hashable {
  case resting
  case growing
  /// Its file was replaced or shortened: the screen shows what was read before.
  case ended
}
