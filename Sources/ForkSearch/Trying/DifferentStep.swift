import Platform
import SessionWords
import TimeTravel
import ValueTree

/// A step that today's reducer takes otherwise than it was recorded.
///
/// What an older reducer would have done in another session nobody can ask any more. So it happens there
/// where the step finds the places that it changes as they were recorded, and does today's part again.
package struct DifferentStep: Sendable, Hashable {
  /// A place that the step changes, as it was recorded or today.
  package struct Place: Sendable, Hashable {
    package var pointer: Pointer
    var before: Value?
    package var recorded: Value?
    package var rerun: Value?

    package var isDifferent: Bool { !isSame(recorded, rerun) }
  }

  package var step: Int
  package var places: [Place]
  /// The whole state before it.
  var state: Value?
  /// What it does today besides: effects that it starts or cancels, what it asks for.
  var deeds: [String]
  /// The labels of what it sends at once today, where others were recorded.
  var sent: [String]?
  /// What it changed when it was recorded.
  var recorded = Patch()

  /// Whether a step does what this one does today, as far as it has come.
  func isLike(_ told: BranchStep, before: Value?, after: Value?) -> Bool {
    told.deeds == deeds
      && places.allSatisfy {
        isSame(before?[$0.pointer], $0.before) && isSame(after?[$0.pointer], $0.rerun)
      }
  }

  /// What is otherwise, in words.
  package var words: String {
    let texts = places.filter(\.isDifferent).prefix(4).map {
      "\(ValuePath($0.pointer, in: .null).text) \(shown($0.recorded)) → \(shown($0.rerun))"
    }
    return "recorded → today: "
      + (texts.isEmpty ? "what it does besides its state" : texts.joined(separator: ", "))
  }

  private func shown(_ value: Value?) -> String { value.map { ValuePreview.text($0) } ?? "nothing" }

  /// What is not known where the state before it is not the recorded one.
  static func assumption(at step: Int) -> Assumption {
    Assumption(
      .stale, .state(pointer: ""), from: step,
      "before it only the places that it changes are as recorded: that the reducer of then would do here "
        + "what it did there is taken on trust")
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
  /// The first step of the recording that today's reducer does not as it was recorded, as the goal of a
  /// search; nil where there is none. What is another thing each time it runs is no goal.
  package func difference(
    on hosts: [any BranchHost]
  ) async throws -> (step: Int, goal: Goal)? {
    guard let first = hosts.first, let last = hosts.last,
      let found = try await difference(on: first)
    else { return nil }
    let again = try await difference(on: last)
    guard again?.step == found.step, again?.goal == found.goal else {
      throw Trouble(
        "step \(found.step) is another thing each time it runs, and nothing can be searched for there",
        next: "retcon verify says where")
    }
    return found
  }

  private func difference(on host: any BranchHost) async throws -> (step: Int, goal: Goal)? {
    let first = summary.steps.lowerBound
    let finder = Locked(DifferenceFinder(session: self, next: first + 1))
    let report = try await HostTrials.run(.main, from: first, on: host) { told in
      finder.withLock { $0.hear(told) }
    }
    if case .crashed(let step, let words)? = report?.ending {
      return (step, .crash(words: words))
    }
    let found = finder.withLock { $0 }
    if let failure = found.failure { throw failure }
    guard let told = found.told else { return nil }
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

/// Compares the steps of a re-run with the recorded ones, up to the first that differs.
private struct DifferenceFinder {
  let session: OpenSession
  /// The recorded step that comes next.
  var next: Int
  private(set) var told: BranchStep?
  private(set) var sent: [String] = []
  private(set) var failure: (any Error)?
  /// The step before, in case of what comes after it that was not recorded.
  private var before: BranchStep?

  init(session: OpenSession, next: Int) {
    self.session = session
    self.next = next
  }

  var isSentOtherwise: Bool {
    guard let told else { return false }
    return sent != recorded(of: told.step.number)
  }

  /// True when enough is known.
  mutating func hear(_ new: BranchStep) -> Bool {
    if let told {
      guard case .output(let sender) = new.step.cause else { return true }
      if sender == told.step.number { sent.append(new.step.label) }
      return false
    }
    do {
      let isExpected = new.descendsFrom == next
      if !isExpected, let before {
        // It sends what was not recorded, or not what was.
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
