import SessionWords
import TimeTravel
import ValueTree

/// The last chance to avoid it.
extension Reasoner {
  /// The number of variations from one step, and of such steps.
  private static let variations = 16
  private static let points = 24
  /// About how many steps the forks of a curve run.
  private static let effort = 20_000.0

  private struct Choice {
    var step: Int
    var others: [[Edit]]
  }

  func curve() async throws {
    var choices = chances()
    if choices.isEmpty {
      reason.variesActions = true
      choices = base.userSteps.map { step in
        Choice(step: step, others: [[.skip(step: step)]])
      }
    }
    let steps = Double(base.entries.count * Self.points * Self.variations) / 2
    let share = min(1, Self.effort / max(1, steps)).squareRoot()
    let points = max(6, Int(Double(Self.points) * share))
    let most = max(4, Int(Double(Self.variations) * share))
    var places = [base.first] + choices.map(\.step)
    if places.count > points {
      let all = places
      places = (0..<points).map { all[$0 * (all.count - 1) / (points - 1)] }
    }
    for place in places where place != reason.curve.last?.after {
      let scripts = variations(of: choices.filter { $0.step > place }, most)
      var (happened, tried) = (0, 0)
      for (script, verdict) in zip(scripts, try await trials.verdicts(on: scripts))
      where trials.accepts(verdict) {
        trust.limitTrust(to: verdict)
        tried += 1
        if verdict.happens { happened += 1 }
        guard verdict.answer == .doesNot, script.edits.count == 1,
          try await trials.wholeVerdict(on: script).answer == .doesNot
        else { continue }
        if case .skip(let step) = script.edits[0] { lacking = step }
        guard case .read(let step, let key, _, .value(let value)) = script.edits[0]
        else { continue }
        let words =
          "If \(key) gives \(ValuePreview.text(value)) at \(step) \(base.label(of: step)) "
          + "it does not happen."
        other = (step, words, try base.cut(script))
      }
      // One of several is the unchanged session, which says nothing alone.
      guard tried > 1 || scripts.count == 1 else { continue }
      reason.curve.append(
        CurvePoint(
          after: place, label: base[place]?.step.label ?? "", happened: happened, tried: tried))
    }
  }

  /// Other ways the world could have gone: reads with values from another time or inverted, and
  /// other answers of effects.
  private func chances() -> [Choice] {
    var values: [String: [Value]] = [:]
    for entry in base.entries {
      for (key, _, value) in entry.values where values[key]?.contains(value) != true {
        values[key, default: []].append(value)
      }
    }
    var choices: [Choice] = []
    for entry in base.entries {
      let step = entry.step.number
      if case .effect = entry.step.cause {
        choices.append(Choice(step: step, others: [[.skip(step: step)]]))
      }
      for (key, index, value) in entry.values {
        var others = (values[key] ?? []).filter { $0 != value }.prefix(3)
        if case .bool(let flag) = value { others = [.bool(!flag)] }
        guard !others.isEmpty else { continue }
        let edits = others.map {
          [Edit.read(step: step, key: key, index: index, outcome: .value($0))]
        }
        choices.append(Choice(step: step, others: edits))
      }
    }
    return choices
  }

  private func variations(of choices: [Choice], _ most: Int) -> [Script] {
    var count = 1
    for choice in choices where count <= most { count *= choice.others.count + 1 }
    return (0..<min(count, most)).map { number in
      var rest = number
      var edits: [Edit] = []
      for choice in choices {
        let ways = choice.others.count + 1
        let way = count <= most ? rest % ways : draw(ways)
        rest /= ways
        if way > 0 { edits += choice.others[way - 1] }
      }
      return base.script(edits)
    }
  }

  private func draw(_ count: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((random >> 33) % UInt64(count))
  }
}
