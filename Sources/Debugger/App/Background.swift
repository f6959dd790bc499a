import Platform
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

extension Effect {
  /// Work that stops between two small pieces if cancelled. If it fails, it sends an action with
  /// the reason, or just ends.
  static func doing(
    _ name: String, orSend failure: (@Sendable (String) -> Action)? = nil,
    _ body: @escaping @Sendable (Send<Action>) async throws -> Void
  ) -> Effect {
    .run(name: name) { send in
      do {
        try await Interruption.heeding { try await body(send) }
      } catch {
        if let failure { await send(failure(Trouble.sentence(for: error))) }
      }
    }
  }
}

extension Effect<DebuggerAction> {
  /// Searches for a step and replaces the search before it; on failure it just ends.
  static func finding(
    _ name: String, _ body: @escaping @Sendable (Send<Action>) async throws -> Void
  ) -> Effect {
    .doing(name, orSend: { .said(Message($0, .failure)) }) { send in
      do {
        try await body(send)
      } catch {
        await send(.stepFound(nil, words: nil))
        throw error
      }
    }.cancellable(id: Background.Job.finding, cancelInFlight: true)
  }
}

struct Background: Sendable {
  let session: OpenSession
  /// The folder for files, instead of where they were asked for.
  let folder: String?
  var app: RunningApp?
  let output: @Sendable (DebuggerOutput) -> Void
  let keeping = KeepingQueue()

  enum Job: Hashable, Sendable {
    case moment, ahead, timeline, span, align
    case finding, fork, exporting, following
  }

  private static func format(of path: String) -> String {
    path.hasSuffix(".json") ? " It is in Retcon's own format." : ""
  }

  private func place(_ path: String) -> String {
    folder.map { "\($0)/\(path.split(separator: "/").last ?? "file")" } ?? path
  }

  func effect(for work: Work) -> Effect<DebuggerAction> {
    let session = session
    switch work {
    case .readSteps(let pages):
      return .doing("read steps", orSend: { .said(Message($0, .failure)) }) { send in
        for page in pages {
          let rows = try session.rows(page.steps, of: page.branch)
          await send(.stepsRead(page, rows))
        }
      }
    case .readMoment(let position, let branch): return readMoment(position, branch)
    case .readAhead(let positions, let branch):
      return .doing("read ahead") { send in
        for position in positions {
          guard !Task.isCancelled else { return }
          // An unreadable step reports itself when you look at it.
          guard let moment = try? await session.moment(at: position, comparedWith: branch)
          else { continue }
          await send(.momentRead(moment))
        }
      }.cancellable(id: Job.ahead, cancelInFlight: true)
    case .readTimeline(let extent):
      return .doing("read timeline") { send in
        let density = try session.density(parts: 256, in: extent.zoom)
        let effects = try session.longestEffects(Self.laneLimit, in: extent.zoom, of: extent.branch)
        await send(.timelineRead(extent, density, effects))
      }.cancellable(id: Job.timeline, cancelInFlight: true)
    case .readSpan(let span):
      return .doing("read span") { send in
        await send(.spanRead(span, try await session.moment(at: span.last, since: span.first)))
      }.cancellable(id: Job.span, cancelInFlight: true)
    case .findEffects:
      return .doing("find effects", orSend: { .said(Message($0, .warning)) }) { send in
        // Else following tells it, once the file is read whole.
        let isWhole = session.isScanned
        try await session.findEffects()
        if isWhole { await send(.effectsFound) }
      }
    case .follow(let interval): return follow(every: interval)
    case .survey:
      return .doing("survey") { send in
        await send(.surveyed(try await session.survey()))
      }
    case .align(let branch, let other, let steps): return align(branch, other, steps)
    case .find(let finder, let position, let direction): return find(finder, position, direction)
    case .findDifference(let branch, let other): return findDifference(branch, other)
    case .seek(let forkSearch): return seek(forkSearch)
    case .stop(let job): return .cancel(id: job)
    case .fork(let name, let script): return keep(fork: name) { try $0.addFork(name, script) }
    case .refork(let name, let script): return keep(fork: name) { try $0.changeFork(name, script) }
    case .runFork(let name): return run(name)
    case .change(let change, let position, let name): return self.change(change, position, name)
    case .restartHost:
      return .doing("restart host", orSend: { .hostRestarted(nil, failure: $0) }) { send in
        await send(.hostRestarted(try await session.restartHost(), failure: nil))
      }
    case .runAgain(let name):
      return .doing("forget runs") { send in
        session.forgetRuns()
        await send(.runsForgotten(next: name))
      }
    case .deleteFork(let name): return keepRemark { try $0.deleteFork(name) }
    case .restoreForks(let saved):
      return keep(fork: saved.first?.name ?? "") { $0.restoreForks(saved) }
    case .renameFork(let old, let new):
      // The reads of this turn use the new name; only saving it takes time.
      let isRenamed = session.beginRename(old, to: new)
      return keepRemark {
        try isRenamed ? $0.saveName(new, of: old) : $0.renameFork(old, to: new)
        return nil
      }
    case .noteFork(let name, let note): return keepRemark { $0.setNote(note, ofFork: name) }
    case .saveMark(let position, let note): return keepRemark { $0.setMark(position, note) }
    case .keepRest: return keepRemark { $0.keepRest() }
    case .keepPlace(let place): return keep { session, _ in session.keepPlace(place) }
    case .trim(let steps, let path, let words):
      return write("trim") { session, _ in
        let (place, redaction) = (self.place(path), try words.redaction)
        let written = try session.trim(steps, to: place, without: redaction)
        let marks = try session.copyMarks(
          along: Branch.main, in: written.steps, to: place, without: redaction)
        return
          "Steps \(written.range.words) are in \(path)\(marks.words)\(written.caveat).\(Self.format(of: path))"
      }
    case .exportBranch(let branch, let path, let words):
      return write("export branch") { session, _ in
        let (place, redaction) = (self.place(path), try words.redaction)
        let last = try await session.export(branch, to: place, without: redaction)
        let steps = session.summary.steps.lowerBound...last
        let marks = try session.copyMarks(along: branch, in: steps, to: place, without: redaction)
        return
          "“\(branch)” is in \(path), with \(counted(last, "step"))\(marks.words).\(Self.format(of: path))"
      }
    case .writeTest(let steps, let branch, let path):
      return write("write test") { session, _ in
        try await session.writeTest(of: steps, on: branch, to: place(path))
        return "\(counted(steps.count, "step")) as a test: \(path)"
      }
    case .exportState(let position, let path):
      return write("export state") { session, _ in
        try await session.exportState(at: position, to: place(path))
        return "The state after \(position.text) is in \(path)."
      }
    case .report(let position, let path, let replaces, let words):
      return write("report") { session, send in
        var report = SessionReport(session)
        report.onRun = { await send(.forkGrew($0)) }
        report.position = position
        report.replaces = replaces
        report.redaction = try words.redaction
        try await report.write(to: place(path))
        return "The report is in \(path). It opens at \(position.text)."
      }
    case .drive(let drive):
      return .doing("drive the app", orSend: { .said(Message($0, .failure)) }) { send in
        guard let app else { return }
        await send(.said(Message(try await drive.carryOut(by: app, session))))
      }
    case .findSources(let files): return findSources(files)
    case .output(let request): return .run(name: "output") { [output] _ in output(request) }
    }
  }

  /// Reads a moment; if that takes noticeably long, says so first.
  private func readMoment(_ position: Position, _ branch: String?) -> Effect<DebuggerAction> {
    .doing("read moment", orSend: { .momentFailed(position, $0) }) { [session] send in
      guard !Task.isCancelled else { return }
      // Cancelled and awaited at the end, so that no message comes after the result.
      async let _ = sayThatLate(position, send)
      await send(.momentRead(try await session.moment(at: position, comparedWith: branch)))
    }.cancellable(id: Job.moment, cancelInFlight: true)
  }

  private func sayThatLate(_ position: Position, _ send: Send<DebuggerAction>) async {
    @Dependency(\.continuousClock) var clock
    guard (try? await clock.sleep(for: .milliseconds(120))) != nil, !Task.isCancelled else {
      return
    }
    await send(.momentIsLate(position))
  }

  // MARK: Finding

  private func find(
    _ finder: StepFinder, _ position: Position, _ direction: Search.Direction
  ) -> Effect<DebuggerAction> {
    .finding("find step") { send in
      let step = try await session.nearest(finder, from: position, isForward: direction == .forward)
      await send(.stepFound(step, words: try await words(for: step, finder, from: position)))
    }
  }

  private func findDifference(_ branch: String, _ other: String) -> Effect<DebuggerAction> {
    .finding("find difference") { [session] send in
      let found = try await session.firstDifference(of: branch, with: other)
      let words = found.map { "first difference from “\(other)”: \($0.words)" }
      await send(.stepFound(found?.step, words: words))
    }
  }

  private func words(
    for step: Int?, _ finder: StepFinder, from position: Position
  ) async throws -> String? {
    if let step, finder == .state {
      return "The file has no state before step \(grouped(step)). "
        + "\(session.summary.hostOption) computes the first ones."
    }
    guard let step, case .change(let path) = finder else { return nil }
    let found = Position(branch: position.branch, step: step)
    let moment = try await session.moment(at: found)
    func text(_ state: Value?) -> String {
      state.flatMap(path.value(in:)).map { ValuePreview.text($0, limit: 30) } ?? "nothing"
    }
    let name = path.isRoot ? "the state" : path.shownText
    let new = text(moment.state)
    var words = "\(name)  \(text(moment.previousState)) → \(new)"
    guard step < position.step else { return words }
    words += "; \(new) was held for \(counted(position.step - step, "step"))"
    if let start = moment.step.time, let end = try session.step(at: position).step.time {
      words += ", \((end - start).longText)"
    }
    return words
  }

  /// The timeline asks for at most so many effects.
  private static let laneLimit = 200

  // MARK: Following

  private func follow(every interval: Duration) -> Effect<DebuggerAction> {
    .doing("follow") { [session, app] send in
      @Dependency(\.continuousClock) var clock
      var growth = GrowthWatch()
      var lastTrouble: String?
      while true {
        if session.isScanned { try await clock.sleep(for: interval) }
        do {
          let wasScanned = session.isScanned
          let news = try await session.refresh()
          if let news {
            await send(.recordingChanged(news, effects: try session.longestEffects(Self.laneLimit)))
            if news.change == .ended { return }
          }
          if !wasScanned, session.isScanned { await send(.effectsFound) }
          if growth.rests(after: news) { await send(.recordingRests) }
          let isPlayed = app?.keepPlayed() == true
          if let words = session.takeInOthersWork() {
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
    }.cancellable(id: Job.following, cancelInFlight: true)
  }

  private struct GrowthWatch {
    private var quietLooks: Int?

    mutating func rests(after news: RecordingChange?) -> Bool {
      if news?.change == .grew {
        quietLooks = 0
        return false
      }
      quietLooks = quietLooks.map { $0 + 1 }
      guard quietLooks == 10 else { return false }
      quietLooks = nil
      return true
    }
  }
}
