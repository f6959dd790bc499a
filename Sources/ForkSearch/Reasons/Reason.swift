import SessionFile
import SessionWords
import TimeTravel
import ValueTree

/// The reason for an outcome: related steps, each tested, and the last chance to avoid it.
package struct Reason: Sendable {
  package struct Link: Sendable {
    package var step: Int
    package var label: String
    package var sender: String
    /// The link that led here: the step that it sent, or whose value it had set.
    package var parent: Int?
    package var mark: Mark
  }

  package enum Mark: Sendable, Hashable {
    case necessary
    /// The goal is reached without it alone, but the smallest session lacks the goal without it.
    case contributing
    case noPart
    case notTested(String)
  }

  package var links: [Link]
  /// The nearest session without the outcome: the changed step, and the change in words.
  package var avoided: (step: Int, words: String, script: Script)?
  package var curve: [CurvePoint]
  /// Whether the curve is of forks without some actions: there were no answers and reads to change.
  var variesActions = false
  package var verdict: Verdict
  /// The step that today's reducer takes differently, if this is the outcome. What the old one would
  /// do with other values, no recording says.
  var different: (step: Int, label: String)?
  /// The smallest session, which decided what contributes.
  var minimum: Minimum?
  package var runs = 0
  package var stopped: Trials.Stopped?
}

/// The share of variations after a step that still reach the goal.
package struct CurvePoint: Sendable, Hashable {
  package var after: Int
  package var label = ""
  package var happened: Int
  package var tried: Int

  package var share: Double { tried == 0 ? 1 : Double(happened) / Double(tried) }
}

/// Finds the reason for the outcome at a session's end.
package actor Reasoner {
  private let base: SearchedSession
  private let goal: Goal
  private let trials: Trials
  /// As trusted as all forks that the reason builds on.
  private var trust = Verdict(.happens)
  private var random: UInt64
  private var variesActions = false
  /// A step without which it does not happen, also if no link.
  private var lacking: Int?
  private var links: [Reason.Link] = []
  /// A session with the same actions and one changed value: nearer than one that lacks actions.
  private var other: (step: Int, words: String, script: Script)?

  /// The number of variations from one step, and of such steps.
  private static let variations = 16
  private static let points = 24

  package init(_ base: SearchedSession, _ goal: Goal, _ trials: Trials, seed: UInt64 = 7) {
    self.base = base
    self.goal = goal
    self.trials = trials
    random = seed
  }

  package func reason() async throws -> Reason {
    let minimum = try await Minimizer(base, goal, trials).minimum(.untried)
    var reason = Reason(
      links: [], curve: [], verdict: minimum.verdict, minimum: minimum, stopped: minimum.stopped)
    if case .differs(let different) = goal {
      reason.different = (different.step, base[different.step]?.step.label ?? "")
    }
    let stopped = try await Trials.stopping {
      try await findLinks(minimum.actions.map(\.step))
      for index in links.indices {
        links[index].mark = try await mark(of: links[index].step, minimum)
      }
      if let link = links.first(where: { $0.mark == .necessary }) {
        reason.avoided = try without(link.step)
      }
      reason.curve = try await curve()
      reason.variesActions = variesActions
      reason.avoided = try other ?? reason.avoided ?? lacking.map(without)
    }
    reason.stopped = stopped ?? reason.stopped
    for link in links where link.mark == .noPart {
      for index in links.indices where links[index].parent == link.step {
        links[index].parent = link.parent
      }
    }
    reason.links = links.filter { $0.mark != .noPart }
    reason.verdict.limitTrust(to: trust)
    reason.runs = await trials.runs
    return reason
  }

  // MARK: The chain

  /// Walks back from the end: senders, then writers of their values, then other needed steps.
  private func findLinks(_ smallest: [Int]) async throws {
    try join(base.last, to: nil)
    if let touched = try await base.touchedPlaces() {
      for place in goal.places {
        if let writer = base.writers(of: place, touched).last { try join(writer, to: base.last) }
      }
    }
    for step in smallest.reversed() { try join(step, to: base.last) }
    // What changes the same places may be needed by a step that adds to them.
    let relations = try await ActionRelation.all(in: base, goal)
    let related = base.userSteps.filter { (relations[$0] ?? .none) <= .neighbour }
    for step in related.suffix(Self.points) where !links.contains(where: { $0.step == step }) {
      let verdict = try await trials.wholeVerdict(on: base.script([.skip(step: step)]))
      if verdict.answer == .doesNot { try join(step, to: base.last) }
    }
  }

  private func join(_ step: Int, to parent: Int?) throws {
    var parent = parent
    for cause in try base.open.causes(of: Position(branch: base.branch, step: step)) {
      guard !links.contains(where: { $0.step == cause.step }), cause.step > base.first else {
        return
      }
      links.append(
        Reason.Link(
          step: cause.step, label: cause.label, sender: cause.sender, parent: parent,
          mark: .notTested("the search was stopped before")))
      parent = cause.step
    }
  }

  // MARK: Its links

  private func mark(of step: Int, _ minimum: Minimum) async throws -> Reason.Mark {
    guard base[step]?.isOutput == false else {
      if case .output(let sender)? = base[step]?.step.cause,
        try await mark(of: sender, minimum) == .noPart
      {
        return .noPart
      }
      return .notTested("the reducer sends it itself, so it cannot be skipped")
    }
    let verdict = try await trials.wholeVerdict(on: base.script([.skip(step: step)]))
    guard trials.accepts(verdict) else { return .notTested("without it, \(verdict.standingWords)") }
    trust.limitTrust(to: verdict)
    switch verdict.answer {
    case .doesNot: return .necessary
    case .otherFailure(let words): return .notTested("without it, something else fails: \(words)")
    case .happens:
      return minimum.actions.contains { $0.step == step } ? .contributing : .noPart
    }
  }

  private func without(_ step: Int) throws -> (step: Int, words: String, script: Script) {
    (
      step, "Without \(step) \(base[step]?.step.label ?? "") it does not happen.",
      try base.cut(base.script([.skip(step: step)]))
    )
  }

  // MARK: The last chance to avoid it

  private struct Choice {
    var step: Int
    var others: [[Edit]]
  }

  private func curve() async throws -> [CurvePoint] {
    var choices = chances()
    if choices.isEmpty {
      variesActions = true
      choices = base.userSteps.map { step in
        Choice(step: step, others: [[.skip(step: step)]])
      }
    }
    var places = [base.first] + choices.map(\.step)
    if places.count > Self.points {
      let all = places
      places = (0..<Self.points).map { all[$0 * (all.count - 1) / (Self.points - 1)] }
    }
    var curve: [CurvePoint] = []
    for place in places where place != curve.last?.after {
      let scripts = variations(of: choices.filter { $0.step > place })
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
          "If \(key) gives \(ValuePreview.text(value)) at \(step) \(base[step]?.step.label ?? "") "
          + "it does not happen."
        other = (step, words, try base.cut(script))
      }
      // One of several is the unchanged session, which says nothing alone.
      guard tried > 1 || scripts.count == 1 else { continue }
      curve.append(
        CurvePoint(
          after: place, label: base[place]?.step.label ?? "", happened: happened, tried: tried))
    }
    return curve
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

  private func variations(of choices: [Choice]) -> [Script] {
    var count = 1
    for choice in choices where count <= Self.variations { count *= choice.others.count + 1 }
    return (0..<min(count, Self.variations)).map { number in
      var rest = number
      var edits: [Edit] = []
      for choice in choices {
        let ways = choice.others.count + 1
        let way = count <= Self.variations ? rest % ways : draw(ways)
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

extension Reason {
  package var sealed: CurvePoint? {
    guard let last = curve.lastIndex(where: { $0.share < 1 }) else { return nil }
    return curve.indices.contains(last + 1) ? curve[last + 1] : nil
  }

  package var lines: [String] {
    links.map { link in
      let depth = depth(of: link)
      return String(repeating: "  ", count: depth) + (depth > 0 ? "← " : "")
        + "\(link.step) \(link.label)  \(link.sender): \(link.mark.words)"
    }
  }

  private func depth(of link: Link) -> Int {
    var depth = 0
    var next = link.parent
    while let parent = next, depth < 20 {
      depth += 1
      next = links.first { $0.step == parent }?.parent
    }
    return depth
  }

  private func names(_ words: String, _ mark: Reason.Mark) -> String? {
    let names = links.filter { $0.mark == mark }.map { "\($0.step) \($0.label)" }
    return names.isEmpty ? nil : "\(words): \(names.joined(separator: ", "))."
  }

  /// A step is compared only where it finds the values that it changes.
  private var needed: String? {
    guard let different else { return nil }
    let steps = links.filter { $0.mark == .necessary && $0.step < different.step }
    let names = steps.sorted { $0.step < $1.step }.map { "\($0.step) \($0.label)" }
    guard !names.isEmpty else { return nil }
    return "\(different.step) \(different.label) meets the same values only if "
      + "\(names.count > 1 ? "all of these" : names[0]) came before it"
      + (names.count > 1 ? ": \(names.joined(separator: ", "))." : ".")
  }

  package var sentences: [String] {
    let chain = [
      different != nil ? needed : names("Necessary", .necessary),
      names("Contributing", .contributing),
    ].compactMap(\.self)
    var lines = chain.isEmpty ? [] : [chain.joined(separator: " ")]
    if let avoided {
      lines.append(avoided.words)
    } else if stopped == nil {
      lines.append("No single change that was tried avoids it, so there is no fork.")
    }
    if !curve.isEmpty {
      lines.append(
        "Retcon \(variesActions ? "left out some of the actions" : "changed answers or reads") after a step. "
          + "It still happened in this share of the forks: \(curve.words).")
    }
    if let jump = curve.jump, curve.count > 2 {
      lines.append(
        "The turning point is \(jump.to.after) \(jump.to.label): \(jump.from.percent) before, "
          + "\(jump.to.percent) after it.")
    }
    if let sealed {
      lines.append("After step \(sealed.after), none of them avoids it.")
    }
    if let stopped { lines.append("The search was stopped (\(stopped)) before it tested all.") }
    return lines + ["\(counted(runs, "run")); \(verdict.standingWords)"]
  }
}

extension CurvePoint {
  package var percent: String { "\(Int((share * 100).rounded())) %" }
}

extension [CurvePoint] {
  package var jump: (from: CurvePoint, to: CurvePoint)? {
    zip(self, dropFirst()).max { $0.1.share - $0.0.share < $1.1.share - $1.0.share }
      .flatMap { $0.1.share > $0.0.share ? (from: $0.0, to: $0.1) : nil }
  }

  /// Neighbours with equal shares are merged; of many, the first and the last are shown.
  fileprivate var words: String {
    var stretches: [(first: CurvePoint, last: CurvePoint)] = []
    for point in self {
      if let before = stretches.last, before.first.percent == point.percent {
        stretches[stretches.count - 1].last = point
      } else {
        stretches.append((point, point))
      }
    }
    var words = stretches.map { first, last in
      first.after == last.after
        ? "\(first.percent) after step \(first.after)"
        : "\(first.percent) after steps \(first.after) to \(last.after)"
    }
    if words.count > 6 { words.replaceSubrange(3..<words.count - 2, with: ["…"]) }
    return words.joined(separator: ", ")
  }
}

extension Reason.Mark {
  package var words: String {
    switch self {
    case .necessary: "necessary"
    case .contributing: "contributing"
    case .noPart: "plays no part"
    case .notTested(let reason): "not tested: \(reason)"
    }
  }
}
