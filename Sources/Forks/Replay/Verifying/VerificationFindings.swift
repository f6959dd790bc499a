import SessionWords
import StoreCore
import ValueTree

struct VerificationFindings {
  let options: VerifyOptions
  private(set) var divergences: [Divergence] = []
  private(set) var undecodable: [UndecodableStep] = []
  private(set) var passed: [UncheckedSteps] = []
  private(set) var asked: Set<String> = []
  var uncompared = 0
  /// The redacted thing that the step's reducer got, if any, and the state. Nil if nothing was taken
  /// out of the session.
  var redactedInput: (what: String?, before: Value?)?
  /// False for a state with references, which cannot run twice from one place.
  var checksDeterminism: Bool
  var probeDistance: Int?
  var labels: [String: Int] = [:]

  init(_ options: VerifyOptions) {
    self.options = options
    checksDeterminism = options.checksDeterminism
  }

  var isFull: Bool { Set(divergences.map(\.step)).count >= options.limit }

  private var redacted: String? {
    redactedInput?.what
      ?? redactedInput?.before.flatMap { Redaction.place(in: $0) }.map {
        "\($0) of the state before"
      }
  }

  private mutating func add(
    _ kind: Divergence.Kind, at step: Step, recorded: Value? = nil, rerun: Value? = nil,
    hint: String? = nil
  ) {
    if kind != .nondeterministic, let redacted {
      return notCompared("its effects and reads", step, redacted)
    }
    divergences.append(
      Divergence(
        step: step.number, label: step.label, kind: kind, recorded: recorded, rerun: rerun,
        hint: hint, cause: step.cause))
  }

  private mutating func add(
    _ kind: Divergence.Kind, at step: Step, from recorded: Value, to rerun: Value,
    limit: Int? = nil, hint: String? = nil
  ) {
    for difference in differences(from: recorded, to: rerun, limit: limit ?? options.placesOfStep) {
      if kind != .nondeterministic, redactedInput != nil {
        let isHidden = difference.left.flatMap { Redaction.place(in: $0) } != nil
        if let why = isHidden ? "the recorded one" : redacted {
          notCompared("\(difference.path)", step, why)
          continue
        }
      }
      add(kind, at: step, recorded: difference.left, rerun: difference.right, hint: hint)
      divergences[divergences.count - 1].path = difference.path
    }
  }

  mutating func undecodable(_ step: Step, _ reason: String) {
    undecodable.append(UndecodableStep(step: step.number, label: step.label, reason: reason))
  }

  mutating func passed(_ steps: ClosedRange<Int>, because reason: String) {
    if let last = passed.last, last.reason == reason,
      last.steps.upperBound + 1 == steps.lowerBound
    {
      passed[passed.count - 1].steps = last.steps.lowerBound...steps.upperBound
    } else {
      passed.append(UncheckedSteps(steps: steps, reason: reason))
    }
  }

  /// `recordings/redacted`: whether this is as recorded, nobody can tell without the value.
  private mutating func notCompared(_ what: String, _ step: Step, _ why: String) {
    if let last = passed.last, last.steps.upperBound >= step.number { return }
    let what = what.isEmpty ? "the state" : what
    passed(step.number...step.number, because: "\(what) \(UncheckedSteps.redacted) \(why)")
  }

  mutating func differentState(at step: Step, recorded: Value, rerun: Value) {
    guard !isNondeterministic(step.number) else { return }
    add(.state, at: step, from: recorded, to: rerun)
  }

  mutating func endsNoMore(in error: String, at step: Step) {
    add(.state, at: step, hint: "it ended in an error, and does so no more: \(error)")
  }

  mutating func differentOutput(_ step: Step, rerun: Value, hint: String) {
    add(.effect, at: step, from: step.action, to: rerun, hint: hint)
  }

  mutating func missingStep(_ step: Step, _ reason: LeftOutStep.Reason) {
    guard reason != .skipped else { return }
    add(.missingStep, at: step, recorded: step.action, hint: reason.rawValue)
  }

  mutating func extraStep(_ label: String, sentBy step: Int, action: Value) {
    guard redacted == nil else { return }
    divergences.append(
      Divergence(
        step: step, label: label, kind: .extraStep, rerun: action,
        hint: "not in the recording", cause: .output(of: step)))
  }

  mutating func differentEffects(at step: Step, recorded: [EffectActivity], rerun: [EffectActivity])
  {
    let isOrder = recorded.map(\.text).sorted() == rerun.map(\.text).sorted()
    add(
      .effect, at: step, recorded: Self.list(recorded.map(\.text)),
      rerun: Self.list(rerun.map(\.text)), hint: isOrder ? "the same in another order" : nil)
  }

  private static func list(_ texts: [String]) -> Value {
    .array(ValueArray(texts.map(Value.string)))
  }

  /// Unused and missing reads are divergences unless allowed.
  mutating func compare(_ reads: ComparedReads, at step: Step) {
    for read in reads.used { asked.insert(read.key) }
    guard !isNondeterministic(step.number) else { return }
    var missing: [String] = []
    for doubt in reads.doubts {
      switch doubt.reason {
      case .otherwise(let recorded):
        add(
          .read, at: step, recorded: Self.list([recorded.text]),
          rerun: Self.list([doubt.asked.text]), hint: "the reducer asks with other arguments")
      case .refused(let reason, _): add(.read, at: step, hint: "\(doubt.asked.key): \(reason)")
      case .notRecorded, .otherTime: missing.append(doubt.asked.key)
      case .unclear: break
      }
    }
    if options.allowsMissingReads { missing = [] }
    let unused = options.allowsUnusedReads ? [] : reads.unused.map(\.key)
    if !unused.isEmpty, !missing.isEmpty {
      add(
        .read, at: step, recorded: Self.list(unused), rerun: Self.list(missing),
        hint: "the reducer asks other dependencies")
    } else if !unused.isEmpty {
      add(
        .unusedRead, at: step, recorded: Self.list(unused),
        hint: "the reducer does not ask for it any more")
    } else if !missing.isEmpty {
      add(
        .missingRead, at: step, rerun: Self.list(missing),
        hint: "the recording has no value for it")
    }
  }

  /// Whether a nondeterministic reducer explains the step's other findings.
  func isNondeterministic(_ step: Int) -> Bool {
    divergences.contains { $0.step == step && $0.kind == .nondeterministic }
  }

  mutating func nondeterministic(_ step: Step, first: Value, second: Value, hint: String) {
    guard !isNondeterministic(step.number), !first.isExactlyEqual(to: second) else { return }
    divergences.removeAll { $0.step == step.number }
    add(.nondeterministic, at: step, from: first, to: second, limit: 1, hint: hint)
  }

  static let outsideTape =
    "two runs on the same input differ: a date, an id or a random number is read outside the tape"
  static let hashOrder =
    "the result depends on the order of a Set or a Dictionary, which differs in each run"
}

package struct PathDifference {
  package var path: Pointer
  package var left: Value?
  package var right: Value?
}

/// The differences of two values, path by path; does not descend into members that only one side
/// has.
package func differences(
  from left: Value, to right: Value, limit: Int
) -> [PathDifference] {
  var found: [PathDifference] = []
  collect(left, right, { Pointer() }, &found, limit)
  return found
}

private func collect(
  _ left: Value?, _ right: Value?, _ path: () -> Pointer, _ found: inout [PathDifference],
  _ limit: Int
) {
  guard found.count < limit else { return }
  switch (left, right) {
  case (let left?, let right?) where left.isExactlyEqual(to: right): break
  case (.object(let lefts)?, .object(let rights)?):
    for member in lefts {
      collect(member.value, rights[member.key], { path().appending(member.key) }, &found, limit)
    }
    for member in rights where lefts[member.key] == nil {
      collect(nil, member.value, { path().appending(member.key) }, &found, limit)
    }
  case (.array(let lefts)?, .array(let rights)?):
    for index in 0..<max(lefts.count, rights.count) {
      collect(left?[index], right?[index], { path().appending(index) }, &found, limit)
    }
  default: found.append(PathDifference(path: path(), left: left, right: right))
  }
}
