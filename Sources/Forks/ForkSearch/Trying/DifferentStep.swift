import Platform
import SessionWords
import TimeTravel
import ValueTree

/// A step that today's reducer takes differently.
///
/// The old reducer is gone, so Retcon cannot ask what it would have done in another session. The
/// step counts as reached if it finds the places that it changes as recorded, and does again what
/// it does today.
package struct DifferentStep: Sendable, Hashable {
  package struct Place: Sendable, Hashable {
    package var pointer: Pointer
    var before: Value?
    package var recorded: Value?
    package var rerun: Value?

    package var isDifferent: Bool { !isSame(recorded, rerun) }
  }

  package var step: Int
  package var places: [Place]
  var state: Value?
  /// Its other work today: effects that it starts or cancels, and requests.
  var deeds: [String]
  var sent: [String]?
  var recorded = Patch()

  func isLike(_ told: BranchStep, before: Value?, after: Value?) -> Bool {
    told.deeds == deeds
      && places.allSatisfy {
        isSame(before?[$0.pointer], $0.before) && isSame(after?[$0.pointer], $0.rerun)
      }
  }

  package var words: String {
    let texts = places.filter(\.isDifferent).prefix(4).map {
      "\(ValuePath($0.pointer, in: .null).text) \(shown($0.recorded)) → \(shown($0.rerun))"
    }
    return "recorded → today: "
      + (texts.isEmpty ? "what it does besides its state" : texts.joined(separator: ", "))
  }

  private func shown(_ value: Value?) -> String { value.map { ValuePreview.text($0) } ?? "nothing" }

  /// The assumption if the state before it differs from the recorded one.
  static func assumption(at step: Int) -> Assumption {
    Assumption(
      .stale, .state(pointer: []), from: step,
      "before it, only the values that it changes are as recorded: Retcon assumes that the old reducer "
        + "would do the same here")
  }
}

func isSame(_ one: Value?, _ other: Value?) -> Bool {
  guard let one, let other else { return one == nil && other == nil }
  return one.isExactlyEqual(to: other)
}

extension BranchStep {
  fileprivate var deeds: [String] {
    effects.compactMap { event in
      switch event.kind {
      case .started(let origin):
        "starts \(EffectSpan(number: event.effect, origin: origin).name) \(origin.pause ?? .zero)"
      case .cancelled where !event.isFromOutside: "cancels"
      case .cancelled, .finished, .failed: nil
      }
    } + step.reads.map { Question($0).text }
  }
}

extension OpenSession {
  /// The first step that today's reducer takes differently, as a goal; nil if none. You cannot
  /// search for something nondeterministic.
  package func difference(
    on hosts: [any BranchHost]
  ) async throws -> (step: Int, goal: Goal)? {
    guard let first = hosts.first, let last = hosts.last,
      let found = try await difference(on: first)
    else { return nil }
    let again = try await difference(on: last)
    guard again?.step == found.step, again?.goal == found.goal else {
      throw Trouble(
        "step \(found.step) gives another result each time it runs, so no search can use it",
        next: "retcon verify shows where")
    }
    return found
  }

  private func difference(on host: any BranchHost) async throws -> (step: Int, goal: Goal)? {
    let first = try await firstKnownStep()
    let finder = Locked(DifferentStepFinder(session: self, next: first + 1))
    let report = try await HostTrials.run(.main, from: first, on: host) { told in
      finder.withLock { $0.hear(told) }
    }
    let found = finder.withLock { $0 }
    if let failure = found.failure { throw failure }
    // A run goes on until it hears that it is over, and may end in a later step.
    guard let told = found.told else {
      guard let end = report?.ending, end.outcome != .undecodable else { return nil }
      return (end.step, .crash(words: end.reason))
    }
    let step = told.step.number
    var different = DifferentStep(
      step: step, places: [], state: try await state(at: Position(step: step - 1)),
      deeds: told.deeds, sent: found.isSentOtherwise ? found.sent : nil)
    if let before = different.state, let after = try await state(at: Position(step: step)),
      let patch = try told.patch.map({ try Patch($0) })
    {
      let rerun = try patch.applied(to: before)
      different.recorded = Patch(from: before, to: after)
      for pointer in (different.recorded.operations + patch.operations).map(\.path)
      where !different.places.contains(where: { $0.pointer == pointer }) {
        different.places.append(
          DifferentStep.Place(
            pointer: pointer, before: before[pointer], recorded: after[pointer],
            rerun: rerun[pointer]))
      }
    }
    return (step, .differs(different))
  }
}

private struct DifferentStepFinder {
  let session: OpenSession
  var next: Int
  private(set) var told: BranchStep?
  private(set) var sent: [String] = []
  private(set) var failure: (any Error)?
  /// The previous step, which sends any step that was not recorded.
  var before: BranchStep?

  var isSentOtherwise: Bool {
    guard let told else { return false }
    return sent != recorded(of: told.step.number)
  }

  mutating func hear(_ new: BranchStep) -> Bool {
    if let told {
      guard case .output(let sender) = new.step.cause else { return true }
      if sender == told.step.number { sent.append(new.step.label) }
      return false
    }
    do {
      let isExpected = new.descendsFrom == next
      if !isExpected, let before {
        told = before
        return hear(new)
      }
      if case .output(let sender) = new.step.cause {
        if sender == before?.step.number { sent.append(new.step.label) }
      } else {
        (before, sent) = (new, [])
      }
      let recorded = try session.step(at: Position(step: next)).step
      if !isExpected || new.standing.outcome == .different
        || new.step.reads.map({ Question($0).text }) != recorded.reads.map({ Question($0).text })
      {
        (told, sent) = (new, [])
      }
      next += 1
    } catch {
      failure = error
      return true
    }
    return false
  }

  private func recorded(of sender: Int) -> [String] {
    var labels: [String] = []
    var number = sender + 1
    while let step = try? session.step(at: Position(step: number)).step,
      case .output(let from) = step.cause
    {
      if from == sender { labels.append(step.label) }
      number += 1
    }
    return labels
  }
}
