import SessionWords
import TimeTravel
import ValueTree

/// What other orders, and other answers, of what was in flight come to.
package struct Exploration: Sendable {
  /// A session that could have been, in which it happens.
  package struct Hit: Sendable {
    /// What is otherwise, in words.
    package var name: String
    package var script: Script
    package var verdict: Verdict
    /// The fewest actions with which it happens in this order; nil where nobody looked.
    package var minimum: Minimum?
    /// What is kept of it.
    package var shortest: Script { minimum?.script ?? script }
  }

  package var hits: [Hit] = []
  /// How many sessions were tried that can differ.
  package var tried = 0
  /// How many events could come in another order.
  package var events = 0
  /// All with so many reversals were tried.
  package var reversals = 0
  package var runs = 0
  package var stopped: Trials.Stopped?
  package var otherFailures: [OtherFailure] = []
}

/// Tries the orders in which a session's answers and actions could have come after a step, the nearest to
/// what was recorded first, and no two that cannot differ.
package actor Explorer {
  private let base: SearchedSession
  private let goal: Goal
  private let trials: Trials
  private let from: Int
  /// What can come at another time: their steps.
  private var events: [Int] = []
  private(set) var orders = Orders([])
  /// By event: the places that its turn changed.
  private var changes: [[Pointer]] = []
  /// By event: whether the goal asks about it, and which parts of what it asks hold there as recorded.
  private var isAsked: [Bool] = []
  private var holding: [[Set<Int>]] = []
  /// What the goal asks about a step, and about those before it, each in its parts.
  private var asked: [[StepQuestion]] = []
  private var goesOn = false
  /// What was tried: whether it came to the same as the session as it is.
  private var isSame: [ScriptKey: Bool] = [:]
  private var end: Value?
  /// By the labels and the changed places of two events: whether both orders came to the same.
  private var commuting: [String: Bool] = [:]
  private var result = Exploration()

  /// More are not taken apart: the pairs grow with the square.
  private static let most = 64
  /// How many of what was found are made smaller.
  private static let minimised = 3
  /// How many orders that turn round several of the nearest pairs are tried before all that there are.
  private static let guesses = 150

  package init(_ base: SearchedSession, _ goal: Goal, _ trials: Trials, from: Int) {
    self.base = base
    self.goal = goal
    self.trials = trials
    self.from = from
  }

  /// Goes on to more reversals until it happens, or with `all` in any case.
  package func explore(reversals: Int = 3, all: Bool = false) async throws -> Exploration {
    goesOn = all
    do {
      try await prepare()
      try await prepareGuesses()
      try await tryNearPairs(reversals)
      try await tryAnswers()
      try await tryOtherPairs()
      for count in stride(from: 1, through: min(reversals, orders.dependent.count), by: 1)
      where isOpen {
        try await tryOut(
          orders.orders(reversals: count).map { (name(of: $0.reversed), script($0.order)) })
        result.reversals = count
      }
      for index in result.hits.indices.prefix(Self.minimised) {
        try await minimise(hit: index)
      }
    } catch let error as Trials.Stopped {
      result.stopped = error
    } catch is CancellationError {
      result.stopped = .cancelled
    }
    result.runs = await trials.runs
    result.otherFailures = await trials.otherFailures
    return result
  }

  /// The fewest actions; where these are enough as they came, no order is to blame.
  private func minimise(hit index: Int) async throws {
    var minimum = try await Minimizer(
      base, goal, trials, fixed: result.hits[index].script.edits
    ).minimum(simplifies: false)
    let plain = base.script(keeping: Set(minimum.actions.map(\.step)))
    if try await trials.happens(plain), let verdict = try await trials.verdicts(on: [plain]).first {
      result.hits[index].name = "\(counted(minimum.actions.count, "action")) as they came"
      (minimum.script, minimum.verdict) = (plain, verdict)
    }
    result.hits[index].minimum = minimum
  }

  private var isOpen: Bool { goesOn || result.hits.isEmpty }

  // MARK: What can come otherwise

  private func prepare() async throws {
    end = try await base.open.state(at: Position(branch: base.branch, step: base.last))
    let touched = try await base.touchedPlaces() ?? [:]
    var turns: [Int: Int] = [:]
    for entry in base.entries where entry.step.number > from {
      let step = entry.step.number
      if case .output(let sender) = entry.step.cause {
        turns[step] = turns[sender] ?? sender
      } else if events.count < Self.most {
        events.append(step)
      }
    }
    let places = Dictionary(uniqueKeysWithValues: events.enumerated().map { ($1, $0) })
    var causes: [Set<Int>] = []
    var lastUser: Int?
    var lastOfEffect: [Int: Int] = [:]
    for (index, step) in events.enumerated() {
      var before: Set<Int> = []
      switch base[step]?.step.cause {
      case .effect(let number):
        let origin = base.origins[number]
        if let start = origin.map({ turns[$0.step] ?? $0.step }), let place = places[start] {
          before.insert(place)
        }
        // A pause ends by the clock, and nobody who started before the session can be asked.
        if origin?.pause != nil { before.formUnion(0..<index) }
        if let last = lastOfEffect[number] { before.insert(last) }
        lastOfEffect[number] = index
      default:
        if let lastUser { before.insert(lastUser) }
        lastUser = index
      }
      before.formUnion(fixed(before: index))
      causes.append(before)
    }
    orders = Orders(causes)
    result.events = events.count
    changes = events.map { touched[$0] ?? [] }
    for (output, starter) in turns {
      if let place = places[starter] { changes[place] += touched[output] ?? [] }
    }
  }

  /// What the goal asks about, and which of its parts hold where, in the session as it is.
  private func prepareGuesses() async throws {
    var labels: [String] = []
    if case .holds(let question) = goal {
      let conditions = [question.condition] + question.condition.neighbours.map(\.condition)
      labels = conditions.flatMap { $0.texts(comparedWith: ["label"]) }
      asked = conditions.map { $0.parts.map { StepQuestion($0) } }
    }
    for (event, step) in events.enumerated() {
      guard let recorded = base[step]?.step else { continue }
      isAsked.append(
        labels.contains(recorded.label)
          || changes[event].contains { place in goal.places.contains { $0.overlaps(place) } })
      let told = try base.open.step(at: Position(branch: base.branch, step: step))
      let judge = StepJudge(
        goal, of: base, from: step - 1,
        state: try await base.open.state(at: Position(branch: base.branch, step: step)))
      holding.append(
        try asked.map { parts in
          Set(try parts.indices.filter { try judge.couldHold(parts[$0], after: told) })
        })
    }
  }

  /// The smaller, the sooner: how many parts of what is asked hold at neither of the two, whether the goal
  /// asks about them, whether they touch the same, how far they are apart.
  private func distance(_ pair: Orders.Pair) -> [Int] {
    let (one, other) = (pair.first, pair.second)
    let about = [one, other].count { isAsked[$0] }
    let isNear = about == 2 || overlap(pair)
    let missing = asked.indices.map { place in
      asked[place].count - holding[one][place].union(holding[other][place]).count
    }
    return [
      isNear ? 0 : 1, missing.min() ?? 0, -about, overlap(pair) ? 0 : 1, other - one,
    ]
  }

  private func sorted(_ pairs: [Orders.Pair]) -> [Orders.Pair] {
    pairs.map { (pair: $0, distance: distance($0)) }
      .sorted { $0.distance.lexicographicallyPrecedes($1.distance) }.map(\.pair)
  }

  /// Pairs that touch the same, or that the goal asks about, the other way round: each alone, in both ways
  /// in which that can be, then several at once of those that the goal asks about. Those at which all parts
  /// of what is asked hold come before all others. Their order matters as long as it was not seen to come
  /// to the same.
  private func tryNearPairs(_ reversals: Int) async throws {
    orders.dependent = orders.free.filter(overlap)
    let near = sorted(orders.free.filter { distance($0)[0] == 0 })
    for pairs in [near.filter { distance($0)[1] == 0 }, near] {
      try await tryOut(variations(pairs.map { [$0] }) { orders.swapped($0[0]) })
      try await tryOut(variations(pairs.map { [$0] }, by: orders.nearest))
      let about = pairs.filter { isAsked[$0.first] && isAsked[$0.second] }
      for count in stride(from: 2, through: min(reversals, about.count), by: 1) {
        let sets = combinations(count, of: about.count, most: Self.guesses)
        try await tryOut(variations(sets.map { $0.map { about[$0] } }, by: orders.nearest))
      }
    }
  }

  private func variations(
    _ sets: [[Orders.Pair]], by order: ([Orders.Pair]) -> [Int]?
  ) -> [(name: String, script: Script)] {
    sets.compactMap { set in order(set).map { (name(of: Set(set)), script($0)) } }
  }

  /// The pairs that touch other places, each alone. Only what was seen to come to the same both ways
  /// commutes; so do others with the same labels and changed places.
  func tryOtherPairs() async throws {
    for pair in sorted(orders.free.filter { !overlap($0) }) {
      guard isOpen else { return }
      guard let order = orders.swapped(pair) else {
        orders.dependent.append(pair)
        continue
      }
      let key = [pair.first, pair.second].map { place in
        "\(base[events[place]]?.step.label ?? "") \(changes[place].map(\.description).sorted())"
      }.joined(separator: " | ")
      if commuting[key] == nil {
        let script = script(order)
        try await tryOut([(name(of: [pair]), script)])
        commuting[key] = isSame[ScriptKey(script)] ?? false
      }
      if commuting[key] == false { orders.dependent.append(pair) }
    }
  }

  private func overlap(_ pair: Orders.Pair) -> Bool {
    changes[pair.first].contains { place in
      changes[pair.second].contains { $0.overlaps(place) }
    }
  }

  /// What ended by the clock stays where it is for all that comes later.
  private func fixed(before index: Int) -> Set<Int> {
    Set(
      (0..<index).filter { place in
        guard case .effect(let number)? = base[events[place]]?.step.cause else { return false }
        return base.origins[number]?.pause != nil
      })
  }

  func script(_ order: [Int]) -> Script {
    base.script(
      Orders.moves(to: order).map { move in
        .move(step: events[move.event], after: move.after.map { events[$0] } ?? from)
      })
  }

  // MARK: Trying

  /// Each that was not tried yet.
  private func tryOut(_ variations: [(name: String, script: Script)]) async throws {
    var new: [(name: String, script: Script)] = []
    var keys: Set<ScriptKey> = []
    for variation in variations where !variation.script.edits.isEmpty {
      let key = ScriptKey(variation.script)
      if isSame[key] == nil, keys.insert(key).inserted { new.append(variation) }
    }
    let lanes = trials.lanes
    for start in stride(from: 0, to: new.count, by: lanes) where isOpen {
      let window = new[start..<min(start + lanes, new.count)]
      let verdicts = try await trials.verdicts(on: window.map(\.script))
      result.tried += window.count
      for (variation, verdict) in zip(window, verdicts) {
        isSame[ScriptKey(variation.script)] =
          verdict.answer == .doesNot
          && end.map { verdict.state?.isExactlyEqual(to: $0) == true } == true
        guard verdict.happens, isOpen else { continue }
        result.hits.append(
          Exploration.Hit(name: variation.name, script: variation.script, verdict: verdict))
      }
    }
  }

  /// Answers that never come, and those that came another time.
  private func tryAnswers() async throws {
    var variations: [(String, Script)] = []
    func add(_ name: String, _ edits: [Edit]) { variations.append((name, base.script(edits))) }
    let ends: [(String, EffectAnswer.Outcome)] = [
      ("is cancelled", .cancel), ("fails", .fail(message: "It fails instead of answering.")),
    ]
    for step in events {
      guard let entry = base[step], case .effect(let effect) = entry.step.cause else { continue }
      let name = answer(of: step)
      let later = base.entries.filter { $0.step.cause == .effect(effect) && $0.step.number >= step }
      add("\(name) never comes", later.map { .skip(step: $0.step.number) })
      for (end, outcome) in ends {
        add(
          "\(base.effectNames[effect] ?? "the effect") \(end) before it answers",
          [.answer(EffectAnswer(effect: effect, after: step - 1, outcome: outcome))])
      }
      for other in otherAnswers(than: entry.step, of: effect) {
        add(
          "\(name) is that of step \(other.number)",
          [.replace(step: step, action: other.action)])
      }
    }
    try await tryOut(variations)
  }

  /// What effects of the same name sent under another label: a failure for an answer.
  private func otherAnswers(than step: Step, of effect: Int) -> [Step] {
    base.entries.lazy.map(\.step).filter { [base] other in
      guard case .effect(let number) = other.cause, number != effect else { return false }
      return base.effectNames[number] == base.effectNames[effect] && other.action != step.action
    }.prefix(3).map(\.self)
  }

  // MARK: Words

  private func name(of reversed: Set<Orders.Pair>) -> String {
    reversed.sorted { ($0.first, $0.second) < ($1.first, $1.second) }.map { pair in
      let (early, late) = (events[pair.first], events[pair.second])
      if case .effect? = base[late]?.step.cause {
        return "\(answer(of: late)) comes before \(words(of: early))"
      }
      return "\(answer(of: early)) comes after \(words(of: late))"
    }.joined(separator: ", and ")
  }

  private func words(of step: Int) -> String {
    if case .effect? = base[step]?.step.cause { return answer(of: step) }
    return "\(step) \(base[step]?.step.label ?? "")"
  }

  private func answer(of step: Int) -> String {
    guard case .effect(let number)? = base[step]?.step.cause else { return words(of: step) }
    return "answer \(step) of \(base.effectNames[number] ?? "effect \(number)")"
  }
}

/// Some of the numbers below `end`, each set once, those first that are near the beginning.
private func combinations(_ count: Int, of end: Int, most: Int) -> [[Int]] {
  guard count > 0 else { return [[]] }
  var found: [[Int]] = []
  for last in stride(from: count - 1, to: end, by: 1) where found.count < most {
    found += combinations(count - 1, of: last, most: most - found.count).map { $0 + [last] }
  }
  return found
}

extension Exploration {
  package var sentence: String {
    var parts = [
      "\(counted(tried, "session")) tried (\(counted(runs, "run"))): it happens in \(grouped(hits.count))"
    ]
    if let stopped {
      parts.append("the search was stopped (\(stopped)): not all is tried")
    } else if reversals == 0 {
      parts.append("\(counted(events, "event")) could come otherwise")
    } else {
      parts.append("all with \(counted(reversals, "reversal")) among \(counted(events, "event"))")
    }
    return parts.joined(separator: "; ")
  }
}
