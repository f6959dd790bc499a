import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

/// The form of a fork: offers recorded actions, asks the host which effects can be answered, and
/// whether the change is possible. It lasts as long as the form shows.
struct ForkFormFeature: Reducer {
  typealias State = ForkForm

  enum Action: Sendable, Equatable {
    case opened
    case submitted
    case found([ActionTemplate], isDone: Bool)
    case failed(String)
    case pendingFound(
      [PendingEffect], replies: [String: [RecordedReply]] = [:],
      asked: [EffectID: [Question]] = [:],
      failure: String?)
    case checked([Edit], ValueVerdict)
    case foundThere([Edit])
    case heard(Reply?, failure: String?)
  }

  private enum Job: Hashable, Sendable { case host, checking }

  func reduce(into form: inout ForkForm, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      return .merge(
        findTemplates(form.position, answering: form.request ?? form.position.step),
        findPending(form.position))
    case .submitted: return submit(&form)
    case .found(let templates, let isDone):
      form.add(templates)
      form.isSearching = !isDone
      if form.isReady { return submit(&form) }
    case .failed: break
    case .pendingFound(let pending, let replies, let asked, let failure):
      form.isAsking = false
      if failure == nil { form.add(pending, replies, asked) }
      form.trouble = failure
      if form.wanted != nil, form.isReady { return submit(&form) }
    case .checked(let edits, let verdict):
      guard form.checking == edits else { break }
      form.takeVerdict(verdict, on: edits)
      if form.problem == nil { return submit(&form) }
    case .foundThere(let edits):
      guard form.checking == edits else { break }
      form.checking = nil
      form.problem = "nothing changed: step \(form.position.step) already has this"
      if case .answer = form.change { form.problem = "no change: the effect does this next anyway" }
    case .heard(let reply, let failure):
      form.hear(reply)
      form.problem = failure
    }
    return .none
  }

  private func submit(_ form: inout ForkForm) -> Effect<Action> {
    guard form.checking == nil else { return .none }
    if let (question, effect) = form.wantedQuestion() {
      return form.asking == .now ? askLive(question, effect, form.position) : .none
    }
    form.runsWhenFound = form.field == .template && form.text.text.isEmpty && form.isSearching
    guard !form.runsWhenFound, let edits = form.wantedEdits(), !form.isNew || form.hasFreeName()
    else { return .none }
    guard form.accepted == edits else {
      form.checking = edits
      return check(edits, form.position)
    }
    form.decided = edits
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
    }
  }

  private func findPending(_ position: Position) -> Effect<Action> {
    .doing("find pending effects", orSend: { .pendingFound([], failure: $0) }) {
      session, send in
      let pending = try await session.pendingEffects(at: position)
      var replies: [String: [RecordedReply]] = [:]
      for key in Set(pending.compactMap(\.question?.key)) {
        replies[key] = try session.replies(to: key)
      }
      var asked: [EffectID: [Question]] = [:]
      for effect in Set(pending.flatMap { [$0.effect] + $0.recorded.map(\.effect) }) {
        asked[effect] = try session.questions(of: effect)
      }
      await send(.pendingFound(pending, replies: replies, asked: asked, failure: nil))
    }.cancellable(id: Job.host, cancelInFlight: true)
  }

  private func check(_ edits: [Edit], _ position: Position) -> Effect<Action> {
    .doing("check") { session, send in
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

extension ForkForm {
  /// Rejects changes that the app cannot hold, and asks twice about unknown ones.
  fileprivate mutating func takeVerdict(_ verdict: ValueVerdict, on edits: [Edit]) {
    checking = nil
    switch verdict {
    case .problem(let found):
      problem = words(for: found, in: edits[0])
      field = .text
      text.place(at: textPlace(of: found))
    case .unknown:
      problem = doubt(about: edits[0])
      accepted = edits
    case .fine: accepted = edits
    }
  }
}
