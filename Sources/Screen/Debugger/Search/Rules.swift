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
      // It may name a file that was not listed.
      if !rule.code.isEmpty { state.searches.functions = nil }
      if !state.searches.rules.contains(text) { state.searches.rules.append(text) }
      lookAtRules()
    } catch {
      say(error.line, .warning)
    }
  }

  /// Lists the functions of the named files once the user begins to type a rule or a watch.
  mutating func renewFunctions() {
    guard let text = state.prompt?.line.text, state.searches.functions == nil,
      ["rule ", "watch "].contains(where: text.hasPrefix)
    else { return }
    state.searches.functions = []
    effects.append(
      .doing("list functions") { session, send in
        await send(.functionsListed(try session.code?.exports() ?? []))
      })
  }

  mutating func receiveFunctions(_ names: [String]) {
    state.searches.functions = names
    guard let prompt = state.prompt else { return }
    let offers = Array(state.completions(of: prompt).words.prefix(6))
    state.prompt?.offers = offers
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
    guard state.areRulesAsked, state.searches.named?.position != state.here,
      state.ofHere(state.searches.broken)?.isHit(state.here.step) == true
    else { return }
    let asked = NamedRules(position: state.here, rules: nil)
    state.searches.named = asked
    effects.append(.nameBroken(state.searches.rules, at: state.here))
  }

  mutating func receiveNamedRules(_ named: NamedRules) {
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
  /// Whether a search says less than a question about one step: which rule, or why.
  fileprivate var areRulesAsked: Bool {
    searches.rules.count > 1 || searches.rules.contains { $0.contains("#") }
  }

  /// The rules that this step breaks, once it is known which of several.
  var brokenRules: [String]? {
    guard ofHere(searches.broken)?.isHit(here.step) == true else { return nil }
    if !areRulesAsked { return searches.rules }
    return searches.named?.position == here ? searches.named?.rules : nil
  }
}
