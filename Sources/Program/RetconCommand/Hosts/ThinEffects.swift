import HostProtocol
import Recorder
import SessionWords
import StoreCore
import ValueTree

/// The effects of a host's reducer, as the store's own.
extension ThinHost {
  /// More in one step are a flood.
  private static var mostEffects: Int { 10_000 }
  private static var longestText: Int { 1_000 }
  private static var largestWork: Int { 1 << 20 }

  /// The host's list of actions and effects that a step sent, started and cancelled, in this order.
  func effect(of told: Value?) throws -> Effect<RemoteAction> {
    guard can.effects, let told, told != .null else { return .none }
    guard case .array(let parts) = told else { throw HostPipes.End("“effects” is no list") }
    guard parts.count <= Self.mostEffects else {
      throw HostPipes.End("the step starts, cancels and sends more than \(Self.mostEffects)")
    }
    return .merge(try parts.map { try part(ValueFields($0, at: "effects")) })
  }

  private func part(_ fields: ValueFields) throws -> Effect<RemoteAction> {
    if let action = fields.member("send") { return .send(RemoteAction(action)) }
    let cancelID = try text("cancel", of: fields).map { NamedID($0) }
    let (work, pause) = (fields.member("work"), try fields.duration("pause"))
    guard work != nil || pause != nil else {
      guard let cancelID else { throw fields.wrong("work", "what the effect works with") }
      return .cancel(id: cancelID)
    }
    var site = EffectSite(
      name: try text("name", of: fields), fileID: try text("file", of: fields) ?? "",
      line: try fields.optionalNumber("line") ?? 0)
    var effect: Effect<RemoteAction>
    if let pause {
      site.kind = .pause(max(.zero, pause))
      site.inputs = AnyID(pause)
      effect = .run(site: site)
    } else {
      let work = work ?? .null
      guard work.weight <= Self.largestWork else {
        throw fields.wrong("work", "at most \(Self.largestWork >> 20) MB")
      }
      site.inputs = AnyID(work)
      effect = .run(site: site) { [self] in try await perform(work, $0) }
    }
    if let then = fields.member("then") {
      effect = effect.concatenate(with: try self.effect(of: then))
    }
    guard let cancelID else { return effect }
    return effect.cancellable(id: cancelID, cancelInFlight: fields.bool("restarts"))
  }

  private func text(_ key: String, of fields: ValueFields) throws -> String? {
    let text = try fields.optionalString(key)
    if let text, text.utf8.count > Self.longestText {
      throw fields.wrong(key, "at most \(Self.longestText) bytes")
    }
    return text
  }
}

/// The bodies of effects, which run in the host up to their next question or wait.
extension ThinHost {
  private static var mostSends: Int { 10_000 }
  private static var mostTurns: Int { 20_000 }
  /// After so many ended the process, no body is run any more.
  private static var mostFaults: Int { 3 }

  /// A body runs on the tape, and one at a time: the host needs to know only the newest.
  private func perform(_ work: Value, _ send: Send<RemoteAction>) async throws {
    guard can.bodies, let tape = TapeContext.source, tape.answersLater else {
      return reportIssue("a body of this host runs only on the tape")
    }
    let clock = DependencyValues.current.continuousClock
    var request: Value = ["ask": "resume", "work": work]
    for _ in 0..<Self.mostTurns {
      let fields: ValueFields
      do { fields = try resume(request, work) } catch { return reportIssue("\(error)".clipped) }
      for action in try fields.list("sends", { value, _ in RemoteAction(value) }) {
        await send(action)
      }
      if let message = try fields.optionalString("failed") {
        throw BodyFailure(description: message.clipped)
      }
      request = ["ask": "resume"]
      if let seconds = try fields.duration("waits") {
        try await clock.sleep(for: max(.zero, seconds))
      } else if let question = fields.optional("asks") {
        var asked = TapeQuestion(try ThinQuestion(question, at: "asks").asked)
        asked.takesAnyError = can.repeats
        switch await tape.answerLater(to: asked) {
        case .recorded(let outcome):
          var members = ValueObject()
          members.add(request)
          members.add(outcome.value)
          request = .object(members)
        case .live where can.live:
          do {
            let read = try askLive(try ThinQuestion(question, at: "asks").asked)
            return tape.record({ read }, askedAt: nil)
          } catch { return reportIssue("\(error)".clipped) }
        case .live, .assumed: throw CancellationError()
        }
      } else {
        return
      }
    }
    reportIssue("the body does not come to an end")
  }

  /// The body waits for this question. The host puts it to the outside, in a second process.
  private func askLive(_ question: Question) throws -> Read {
    let told = try ask(["ask": "resume", "live": true], within: LiveLimits.ofServices.time)
    let fields = try ValueFields(told, at: "resume")
    let failure = fields.optional("error")
    if case .string(let words)? = failure { throw HostPipes.End(words) }
    guard let answer = failure ?? fields.member("value") else {
      throw HostPipes.End("the host gave no answer")
    }
    return Read(
      key: question.key, arguments: question.arguments,
      outcome: failure == nil ? .value(answer) : .failure(answer))
  }

  /// The work of a body up to its next question, its next wait or its end.
  private func resume(_ request: Value, _ work: Value) throws -> ValueFields {
    if let words = faults[work] { throw HostPipes.End(words) }
    guard faults.count < Self.mostFaults else {
      throw HostPipes.End("the host ended in \(Self.mostFaults) bodies, so no other one is run")
    }
    // If it fails, its own run hears of it.
    try? dropSent()
    do {
      let told = try ask(request)
      let fields = try ValueFields(told, at: "resume")
      if let words = try fields.optionalString("error") { throw HostPipes.End(words) }
      // Checks all that is used.
      _ = try (fields.optionalString("failed"), fields.duration("waits"))
      _ = try fields.optional("asks", ThinQuestion.init)
      let sends = try fields.optionalValues("sends") ?? []
      guard sends.count <= Self.mostSends else {
        throw fields.wrong("sends", "at most \(Self.mostSends) actions")
      }
      let ways = ["failed", "waits", "asks", "ends"]
      guard ways.count(where: { fields.optional($0) != nil }) == 1 else {
        throw HostPipes.End("a body must tell one of “asks”, “waits”, “ends” and “failed”")
      }
      return fields
    } catch {
      if process == nil { faults[work] = "\(error)" }
      throw error
    }
  }
}

private struct BodyFailure: Error, CustomStringConvertible { let description: String }
