import Platform
import SessionWords
import TimeTravel
import ValueTree

/// An edit of a fork in one line: `sends couponApplied {code: "A"} after 12`.
struct EditWords {
  var branch: Branch
  var branches: [Branch]
  var label: (Int) -> String?

  func spans(ofEdits range: Range<Int>) -> [Span] {
    guard range.count > 1, case .skip(let first)? = branch.script?.edits[range.lowerBound] else {
      return spans(ofEdit: range.lowerBound)
    }
    let steps = "\(grouped(first))–\(grouped(first + range.count - 1))"
    return [Span("skips "), Span(steps, .place), ofParent]
  }

  /// Uses the fork's step numbers; for steps it lacks, the parent's.
  func spans(ofEdit index: Int) -> [Span] {
    guard let edit = branch.script?.edits[index] else {
      return impossible("only a fork has edits", [])
    }
    let own = branch.editSteps.indices.contains(index) ? branch.editSteps[index] : nil
    switch edit {
    case .skip(let step): return [Span("skips ")] + named(nil, step)
    case .replace(let step, let action):
      return [Span("replaces ")] + named(own, step) + [Span(" by ")] + self.action(action)
    case .insert(let after, let action):
      return [Span("sends ")] + self.action(action) + [Span(" after ")] + place(before: own, after)
    case .move(let step, let after):
      return [Span("moves ")] + named(nil, step) + [Span(" after ")] + place(before: own, after)
    case .read(let step, let key, let index, let outcome):
      let times = index == 0 ? "" : " (\(index &+ 1).)"
      return [Span("gives "), Span(key, .key), Span(times, .quiet), Span(" ")]
        + given(outcome) + [Span(" at ")] + place(own, step)
    case .set(let step, let pointer, let value):
      return [
        Span("sets "), Span(pointer.isRoot ? "the state" : "\(pointer)", .key), Span(" to "),
        preview(value), Span(" after "),
      ] + place(before: own, step)
    case .reply(let reply):
      return [Span(reply.question.text, .key), Span(" answers ")] + given(reply.outcome)
        + (reply.took == nil ? [] : [Span(" (asked live)", .quiet)])
    case .answer(let answer):
      let name = branch.effectNames[answer.effect] ?? answer.effect.words
      var place = place(own, answer.after)
      if case .emit = answer.outcome { place = self.place(before: own, answer.after) }
      return [Span(name, .key)] + outcome(answer.outcome) + [Span(" after ")] + place
    }
  }

  func leftOut(_ index: Int) -> [Span] {
    guard let step = branch.report?.leftOut[index] else {
      return impossible("a row of a step that was left out comes from the report", [])
    }
    return [
      Span("leaves out ", .quiet), Span("\(grouped(step.recordedStep)) \(step.label)", .place),
      Span(" of \(BranchID.main.text): \(step.reason.rawValue)", .quiet),
    ]
  }

  private func outcome(_ outcome: EffectAnswer.Outcome) -> [Span] {
    switch outcome {
    case .emit(let action): [Span(" sends ")] + self.action(action)
    case .finish: [Span(" finishes")]
    case .fail(let message): [Span(" fails: "), Span(message, .failure)]
    case .cancel: [Span(" is cancelled")]
    }
  }

  private func given(_ outcome: Read.Outcome) -> [Span] {
    (outcome.isError ? [Span("✗ ", .failure)] : []) + [preview(outcome.content)]
  }

  private func action(_ action: Value) -> [Span] {
    let label = action.caseNames
    let payload = ValuePreview.payload(of: action, label: label, limit: 60)
    return [Span(label, .heading), Span(payload.isEmpty ? "" : " \(payload)", .quiet)]
  }

  private func preview(_ value: Value) -> Span {
    Span(ValuePreview.text(value, limit: 60), .string)
  }

  private func place(_ own: Int?, _ parents: Int) -> [Span] {
    if let own { return [Span(grouped(own), .place)] }
    return [Span(grouped(parents), .place), ofParent]
  }

  private func place(before own: Int?, _ parents: Int) -> [Span] {
    place(own.map { $0 - 1 }, parents)
  }

  private func named(_ own: Int?, _ parents: Int) -> [Span] {
    let label = label(parents).map { " \($0)" } ?? ""
    let place = Span(grouped(own ?? parents) + label, .place)
    return own == nil ? [place, ofParent] : [place]
  }

  private var ofParent: Span {
    Span(" of \(branches.name(of: branch.script?.parent ?? .main))", .quiet)
  }
}

extension Standing {
  var role: Span.Role {
    switch outcome {
    case .crashed, .timedOut, .undecodable: .failure
    case .different: .warning
    case .new: .added
    case .equal: values == .recorded ? .quiet : values.areKnown ? .plain : .warning
    }
  }
}

extension Assumption {
  /// The sign and the word of its kind, the same everywhere: `? assumed from step 5`.
  var heading: String {
    "\(kind.values.glyph) \(kind.values.words) from step \(grouped(step))"
  }

  var effect: EffectID? { if case .effect(let effect) = subject { effect } else { nil } }
}

extension DebuggerState {
  /// The doubt about all steps of this fork's own, if there is one: the title says it once.
  var doubtOfAll: Standing.Values? {
    guard let first = branch.firstOwnStep, branch.endsInDoubt,
      let values = reading.pages[branch.id, first]?.standing?.values, !values.areKnown
    else { return nil }
    return values
  }
}

extension BranchReport {
  /// The first thing that is unknown, and how to settle it; nil when all is known.
  func doubt(_ settling: (Assumption) -> String) -> String? {
    let unknown = assumptions.filter { !$0.kind.values.areKnown }
    guard let first = unknown.first else { return nil }
    let more = unknown.count > 1 ? " (and \(grouped(unknown.count - 1)) more)" : ""
    var reason = first.sentence[...]
    // The open effect's possible steps are behind a colon. They are known here.
    let cuts = [": it may ", ": what it ", ": whether "].compactMap { reason.firstRange(of: $0) }
    if first.kind == .open, let cut = cuts.first { reason = reason[..<cut.lowerBound] }
    return "\(first.heading): \(Self.short(reason))\(more). \(Self.short(settling(first)[...]))"
  }

  /// A question may be a whole conversation.
  private static func short(_ words: Substring) -> String {
    words.count > 240 ? words.prefix(239) + "…" : String(words)
  }
}

extension DebuggerUpdate {
  /// Lists what is not known; Enter goes to the first step that depends on it.
  mutating func showDoubts() {
    let branch = state.branch
    let doubts = branch.report?.assumptions.filter { !$0.kind.values.areKnown } ?? []
    guard !branch.isMain, !doubts.isEmpty else {
      return say(
        branch.isMain
          ? "The recording has no doubts; forks may: \(state.key("?")) explains their signs."
          : branch.endsInDoubt
            ? "“\(branch.name)” is assumed, and no key settles that: Action says why at each step."
            : "“\(branch.name)” rests on nothing but your edits and the recording.")
    }
    let lines = doubts.flatMap { doubt in
      let place = Position(branch: branch.id, step: doubt.step)
      return [
        ListLine("\(doubt.heading): \(doubt.sentence)", at: place),
        ListLine("  \(state.words(settling: doubt))", at: place),
      ]
    }
    state.overlay = .list(.text(title: "what is not known", lines))
  }
}
