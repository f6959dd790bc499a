import SessionWords
import TimeTravel

/// Conditions that always should hold, and the steps in which one does not.
extension Reaction {
  /// Looks for the steps in which a condition does not hold that always should.
  mutating func addRule(_ text: String) {
    if text.isEmpty {
      return say(
        state.rules.isEmpty
          ? "Write :rule CONDITION, as in :rule state.total >= 0; :rule off forgets them."
          : state.rules.joined(separator: "; "))
    }
    if text == "off" {
      state.rules = []
      state.broken.map { work.append(.stopSearch($0.number)) }
      state.broken = nil
      return say("No rule is looked at.")
    }
    do {
      let rule = try StepQuestion(text)
      if let unknown = whyUnknown(rule) { return say(unknown, .warning) }
      if !state.rules.contains(text) { state.rules.append(text) }
      lookAtRules(nil)
    } catch {
      say(error.line, .warning)
    }
  }

  mutating func lookAtRules(_ direction: Search.Direction?) {
    let words = state.rules.map { "!(\($0))" }.joined(separator: " || ")
    guard var question = try? StepQuestion(words) else { return }
    question.isOfKnownStates = true
    let (search, searching) = startSearch(.condition(question), direction)
    state.broken = search
    state.broken?.isSilent = true
    work.append(searching)
  }

  /// The next step in which a rule begins to be broken.
  func nextBroken(_ direction: Search.Direction) -> (step: Int, wrapped: Bool)? {
    guard let broken = state.broken, broken.branch == state.here.branch else { return nil }
    guard let first = broken.hit(direction, of: state.here.step) else { return nil }
    var (hit, wrapped) = first
    // It goes on being broken for many steps.
    while broken.isHit(hit - 1), let next = broken.hit(direction, of: hit), next.step != first.step
    {
      (hit, wrapped) = (next.step, wrapped || next.wrapped)
    }
    return (hit, wrapped)
  }
}
