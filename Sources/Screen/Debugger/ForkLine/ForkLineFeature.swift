import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

/// The line of `:fork`, and the menu of `f`: offers recorded actions, asks the host which effects can
/// be answered, and whether the app can hold what is typed.
struct ForkLineFeature: Reducer {
  typealias State = ForkLine

  enum Action: Sendable, Equatable {
    case opened
    case typed(String)
    case picked(by: Int)
    case submitted
    case found([ActionTemplate], isDone: Bool)
    case failed(String)
    case pendingFound(
      [PendingEffect], replies: [Question: [RecordedReply]] = [:],
      asked: [EffectID: [Question]] = [:],
      failure: String?)
    case checked([Edit], ValueVerdict)
    case foundThere([Edit])
    case heard(Reply?, failure: String?)
  }

  private enum Job: Hashable, Sendable { case templates, host, checking }

  func reduce(into line: inout ForkLine, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      return .merge(
        findTemplates(line.position, answering: line.request ?? line.position.step),
        findPending(line.position))
    case .typed(let text):
      line.type(text)
      return check(&line)
    case .picked(let offset):
      line.pick(by: offset)
      return check(&line)
    case .submitted: return submit(&line)
    case .found(let templates, let isDone):
      line.isSearching = !isDone
      line.add(templates)
      return goOn(&line)
    case .failed: break
    case .pendingFound(let pending, let replies, let asked, let failure):
      line.isAsking = false
      if failure == nil { line.add(pending, replies, asked) }
      line.trouble = failure
      return goOn(&line)
    case .checked(let edits, let verdict):
      guard line.checking == edits else { break }
      line.apply(verdict, on: edits)
      if line.isSubmitted { return submit(&line) }
    case .foundThere(let edits):
      guard line.checking == edits else { break }
      line.checking = nil
      line.checked = ForkLine.Checked(edits: edits, outcome: .isThere)
      if line.isSubmitted { return submit(&line) }
    case .heard(let reply, let failure):
      line.hear(reply)
      line.problem = failure
    }
    return .none
  }

  private func goOn(_ line: inout ForkLine) -> Effect<Action> {
    line.runsWhenFound && !line.mustWait ? submit(&line) : check(&line)
  }

  private func submit(_ line: inout ForkLine) -> Effect<Action> {
    if line.isSubmitted, line.checking != nil { return .none }
    line.isSubmitted = false
    if let (question, effect) = line.wantedQuestion() {
      return line.asking == .now ? askLive(question, effect, line.position) : .none
    }
    line.runsWhenFound = line.mustWait
    guard !line.runsWhenFound, let edits = line.wantedEdits() else { return .none }
    guard line.checked?.edits == edits else {
      line.isSubmitted = true
      return check(edits, &line)
    }
    if line.accepts(edits) { line.decided = edits }
    return .none
  }

  // MARK: Questions to the host

  private func findTemplates(_ position: Position, answering request: Int) -> Effect<Action> {
    .doing("find templates") { session, send in
      do {
        try await session.templates(near: position, answering: request) {
          await send(.found($0, isDone: false))
        }
        // A missing host is reported where it is needed.
        await send(.found((try? await session.exampleActions()) ?? [], isDone: false))
      } catch {
        await send(.failed(Trouble.sentence(for: error)))
      }
      await send(.found([], isDone: true))
    }.cancellable(id: Job.templates, cancelInFlight: true)
  }

  private func findPending(_ position: Position) -> Effect<Action> {
    .doing("find pending effects", orSend: { .pendingFound([], failure: $0) }) {
      session, send in
      let pending = try await session.pendingEffects(at: position)
      var replies: [Question: [RecordedReply]] = [:]
      for question in Set(pending.compactMap(\.question)) {
        replies[question] = try session.replies(to: question)
      }
      var asked: [EffectID: [Question]] = [:]
      for effect in Set(pending.flatMap { [$0.effect] + $0.recorded.map(\.effect) }) {
        asked[effect] = try session.questions(of: effect)
      }
      await send(.pendingFound(pending, replies: replies, asked: asked, failure: nil))
    }.cancellable(id: Job.host, cancelInFlight: true)
  }

  /// Asks while it is typed; the next key cancels it.
  private func check(_ line: inout ForkLine) -> Effect<Action> {
    guard let edits = line.coming, line.checked?.edits != edits, line.wanted == nil else {
      return .none
    }
    return check(edits, &line)
  }

  private func check(_ edits: [Edit], _ line: inout ForkLine) -> Effect<Action> {
    guard line.checking != edits else { return .none }
    line.checking = edits
    let position = line.position
    return .doing("check") { session, send in
      if (try? await session.has(edits, at: position)) == true {
        return await send(.foundThere(edits))
      }
      // If the host cannot be asked, run it; that reports the problem.
      let verdict = (try? await session.verdict(on: edits[0], of: position.branch)) ?? .fine
      await send(.checked(edits, verdict))
    }.cancellable(id: Job.checking, cancelInFlight: true)
  }

  private func askLive(
    _ question: Question, _ effect: EffectID, _ position: Position
  ) -> Effect<Action> {
    .doing("ask live", orSend: { .heard(nil, failure: $0) }) { session, send in
      let reply = try await session.askLive(question, of: effect, at: position)
      await send(.heard(reply, failure: nil))
    }.cancellable(id: Job.host, cancelInFlight: true)
  }
}

extension ForkLine {
  fileprivate mutating func apply(_ verdict: ValueVerdict, on edits: [Edit]) {
    checking = nil
    var outcome = Checked.Outcome.fine
    switch verdict {
    case .problem(let found):
      outcome = .problem
      problem = words(for: found, in: edits[0])
      mistake = choices.isEmpty ? place(of: found, in: edits[0]) : nil
    case .unknown: outcome = doubt(about: edits[0]).map { .doubt($0) } ?? .fine
    case .fine: break
    }
    checked = Checked(edits: edits, outcome: outcome)
  }

  /// Rejects changes that the app cannot hold or has, and asks twice about unknown ones.
  fileprivate mutating func accepts(_ edits: [Edit]) -> Bool {
    isSubmitted = false
    switch checked?.outcome {
    case .fine, nil: return true
    case .problem: break
    case .isThere:
      problem = "nothing changed: step \(position.step) already has this"
      if case .answer? = edits.first { problem = "no change: the effect does this next anyway" }
    case .doubt(let words):
      problem = "\(words). \(enter) again sends it as it is"
      checked?.outcome = .fine
    }
    return false
  }

  fileprivate mutating func wantedEdits() -> [Edit]? {
    if let chosen, !chosen.isWhole {
      newLine = line(taking: chosen)
      return nil
    }
    do {
      let edits = try edits(meant)
      if checked?.edits != edits { (problem, mistake) = (nil, nil) }
      return edits
    } catch {
      mark(error)
      if let wanted {
        self.wanted = nil
        problem =
          "no such \(wanted.isFailure ? "failure" : "result") was recorded: pick an action, or type it"
        mistake = nil
      }
      return nil
    }
  }

  /// The question to ask for real: `asking` is `now` once the user has confirmed.
  fileprivate mutating func wantedQuestion() -> (Question, effect: EffectID)? {
    let meant = meant
    guard meant.known == .answer, let edit = try? TypedEdit(.answer, meant.text),
      let (question, effect) = edit.asked(context)
    else { return nil }
    newLine = meant.start + meant.text
    switch asking {
    case .warned:
      asking = .now
      problem = "\(question.text.clipped()) is asked; Escape stops waiting"
    case .notYet, .now, .heard:
      asking = .warned
      problem =
        "\(enter) again really asks \(question.text.clipped()), once: \(question.price)"
    }
    return (question, effect)
  }

  /// Takes a real answer as if typed, for the user to check.
  fileprivate mutating func hear(_ reply: Reply?) {
    asking = .notYet
    guard let reply, let effect = chosenEffect else { return }
    let word = reply.outcome.isError ? "error" : "value"
    let text = "\(effect.typedName(among: effects)) \(word) \(reply.outcome.content.text())"
    newLine = words.start + text
    type(words.start + text)
    asking = .heard(reply)
  }
}
