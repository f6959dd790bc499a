import SessionWords
import TextCanvas
import TimeTravel

extension DebuggerUpdate {
  mutating func addRule(_ text: String) {
    if text.isEmpty, state.searches.rules.isEmpty {
      state.prompt = Prompt(.command, "rule ", ghost: "what must always hold: state.total >= 0")
      return
    }
    if text.isEmpty { return say(state.searches.rules.joined(separator: "; ")) }
    if text == "off" {
      state.searches.rules = []
      send(.searches(.putAway(.broken)))
      return say("No rule is set.")
    }
    do {
      let rule = try question(text)
      let text = rule.condition.text
      if !state.searches.rules.contains(text) { state.searches.rules.append(text) }
      lookAtRules()
    } catch {
      say(error.line, .warning)
    }
  }

  mutating func lookAtRules(isSilent: Bool = false) {
    let words = state.searches.rules.map { "!(\($0))" }.joined(separator: " || ")
    // All of them together may be too long for one condition.
    do {
      look(for: .condition(try StepQuestion(words)), as: .broken, isSilent: isSilent)
    } catch {
      say(error.line, .warning)
    }
  }

  func nextBroken(_ direction: Search.Direction) -> (step: Int, wrapped: Bool)? {
    guard let broken = state.searches.broken, broken.branch == state.here.branch else { return nil }
    guard let first = broken.hit(direction, of: state.here.step) else { return nil }
    var (hit, wrapped) = first
    // It stays broken for many steps.
    while broken.isHit(hit - 1), let next = broken.hit(direction, of: hit), next.step != first.step
    {
      (hit, wrapped) = (next.step, wrapped || next.wrapped)
    }
    return (hit, wrapped)
  }

  /// Asks which of several rules this step breaks.
  mutating func renewBroken() {
    guard state.searches.rules.count > 1, state.searches.named?.position != state.here,
      state.ofHere(state.searches.broken)?.isHit(state.here.step) == true
    else { return }
    let asked = NamedRules(position: state.here, rules: nil)
    state.searches.named = asked
    effects.append(.nameBroken(state.searches.rules, at: state.here))
  }

  mutating func takeNamed(_ named: NamedRules) {
    guard state.searches.named?.position == named.position else { return }
    state.searches.named = named
    sayBroken()
  }

  /// Once it is known which.
  mutating func sayBroken() {
    guard let rules = state.brokenRules, let rest = state.searches.broken?.wordsOfName else {
      return
    }
    state.searches.broken?.wordsOfName = nil
    say("broken: \(rules.joined(separator: "; "))\(rest)", .warning)
  }
}

extension DebuggerState {
  /// The rules that this step breaks, once it is known which of several.
  var brokenRules: [String]? {
    guard ofHere(searches.broken)?.isHit(here.step) == true else { return nil }
    if searches.rules.count == 1 { return searches.rules }
    return searches.named?.position == here ? searches.named?.rules : nil
  }
}
