import SessionLog
import TimeTravel
import ValueTree

/// An edit of a fork in one line: `sends couponApplied {code: "A"} after 12`.
struct EditWords {
  var branch: Branch
  /// The label of a step of the parent, where it is known.
  var label: (Int) -> String?

  func spans(_ edit: Edit) -> [Span] {
    switch edit {
    case .skip(let step): return [Span("skips "), named(step)]
    case .replace(let step, let action):
      return [Span("replaces "), named(step), Span(" by ")] + self.action(action)
    case .insert(let after, let action):
      return [Span("sends ")] + self.action(action) + [Span(" after "), place(after)]
    case .move(let step, let after):
      return [Span("moves "), named(step), Span(" after "), place(after)]
    case .read(let step, let key, let index, let outcome):
      let times = index == 0 ? "" : " (\(index &+ 1).)"
      return [Span("gives "), Span(key, .key), Span(times, .quiet), Span(" ")]
        + given(outcome) + [Span(" at "), place(step)]
    case .set(let step, let pointer, let value):
      return [
        Span("sets "), Span(pointer.isEmpty ? "the state" : pointer, .key), Span(" to "),
        preview(value), Span(" after "), place(step),
      ]
    case .answer(let answer):
      let name = branch.effectNames[answer.effect] ?? "effect \(answer.effect)"
      return [Span(name, .key)] + outcome(answer.outcome)
        + [Span(" after "), place(answer.after)]
    }
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
    switch outcome {
    case .value(let value): [preview(value)]
    case .failure(let error): [Span("✗ ", .failure), preview(error)]
    }
  }

  private func action(_ action: Value) -> [Span] {
    let label = ActionTemplate.label(of: action)
    let payload = ValuePreview.payload(of: action, label: label, limit: 60)
    return [Span(label, .heading), Span(payload.isEmpty ? "" : " \(payload)", .quiet)]
  }

  private func preview(_ value: Value) -> Span {
    Span(ValuePreview.text(value, limit: 60), .string)
  }

  private func place(_ step: Int) -> Span { Span(grouped(step), .place) }

  private func named(_ step: Int) -> Span {
    Span(grouped(step) + (label(step).map { " \($0)" } ?? ""), .place)
  }
}
