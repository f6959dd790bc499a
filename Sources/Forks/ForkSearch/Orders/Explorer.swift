import SessionWords
import TimeTravel
import ValueTree

/// The outcomes of other orders and other answers of pending effects.
package struct Exploration: Sendable {
  package struct Hit: Sendable {
    package var name: String
    package var script: Script
    package var verdict: Verdict
    /// The fewest actions that reach it in this order; nil if not searched.
    package var minimum: Minimum?
    package var shortest: Script { minimum?.script ?? script }
  }

  package var hits: [Hit] = []
  package var tried = 0
  package var events = 0
  /// All orders with up to this many reversals were tried.
  package var reversals = 0
  package var runs = 0
  package var stopped: Trials.Stopped?
  package var isRunAgain = true
  package var otherFailures: [String] = []
  /// The number of findings rejected for their assumptions.
  package var assumed = 0
}

/// Tries the possible orders of answers and actions after a step, the nearest to the recorded one
/// first. Orders that cannot differ are tried once.
package actor Explorer {
  private let base: SearchedSession
  private let goal: Goal
  private let trials: Trials
  private let from: Int
  private var events: [Int] = []
  private(set) var orders = Orders([])
  private var changes: [[Pointer]] = []
  /// By event: whether the goal asks about it, and which parts of the goal hold there as recorded.
  private var isAsked: [Bool] = []
  private var holding: [[Set<Int>]] = []
  private var asked: [[StepQuestion]] = []
  private var goesOn = false
  /// By tried script: whether it ended like the unchanged session.
  private var isSame: [ScriptKey: Bool] = [:]
  private var end: Value?
  /// By the kinds of two events: whether both orders ended alike.
  private var commuting: [[EventKind]: Bool] = [:]
  private var result = Exploration()
  /// The reversed pairs of each finding: with others beside them it is the same one.
  private var found: [Set<Orders.Pair>] = []

  /// The most events; pairs grow with the square.
  private static let most = 64
  private static let minimised = 3
  /// The number of orders with several near pairs that are tried first.
  private static let guesses = 150

  package init(_ base: SearchedSession, _ goal: Goal, _ trials: Trials, from: Int) {
    self.base = base
    self.goal = goal
    self.trials = trials
    self.from = from
  }

  /// Tries more reversals until the goal is reached; with `all`, to the end.
  package func explore(reversals: Int = 3, all: Bool = false) async throws -> Exploration {
    goesOn = all
    result.stopped = try await Trials.stopping {
      try await prepare()
      try await prepareGuesses()
      try await tryNearPairs(reversals)
      try await tryAnswers()
      try await tryOtherPairs()
      for count in stride(from: 1, through: min(reversals, orders.dependent.count), by: 1)
      where isOpen {
        try await tryOut(
          orders.orders(reversals: count).map {
            (name(of: $0.reversed), $0.reversed, script($0.order))
          })
        result.reversals = count
      }
      try await tryRepeats()
      for index in result.hits.indices.prefix(Self.minimised) {
        try await minimise(hit: index)
      }
    }
    var scripts: Set<ScriptKey> = []
    result.hits.removeAll { !scripts.insert(ScriptKey($0.shortest)).inserted }
    result.assumed = await trials.assumed
    result.runs = await trials.runs
    result.otherFailures = await trials.otherFailures
    return result
  }

  /// Minimises a finding as far as its order stays needed. Only a certain session in recorded order
  /// replaces it, because that proves more than a guess.
  private func minimise(hit index: Int) async throws {
    func minimum(needsFixed: Bool) async throws -> Minimum {
      try await Minimizer(
        base, goal, trials, fixed: result.hits[index].script.edits, needsFixed: needsFixed
      ).minimum(.untried)
    }
    var smallest = try await minimum(needsFixed: true)
    if smallest.stopped == nil, !smallest.verdict.isKnown {
      var other = try await minimum(needsFixed: false)
      let plain = base.script(keeping: Set(other.actions.map(\.step)))
      let verdict = try await trials.verdict(on: plain)
      if verdict.happens, verdict.isKnown {
        result.hits[index].name = "\(counted(other.actions.count, "action")) in recorded order"
        (other.script, other.verdict) = (plain, verdict)
        smallest = other
      }
    }
    (result.hits[index].minimum, result.hits[index].verdict) = (smallest, smallest.verdict)
  }

  private var isOpen: Bool { goesOn || result.hits.isEmpty }

  // MARK: Reorderable events

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
    var lastOfEffect: [EffectID: Int] = [:]
    // They end by the clock, and stay before all later events.
    var timed: Set<Int> = []
    for (index, step) in events.enumerated() {
      var before = timed
      if let number = effect(of: step) {
        let origin = base.origins[number]
        if let start = origin.map({ turns[$0.step] ?? $0.step }), let place = places[start] {
          before.insert(place)
        }
        // Effects started before the session cannot be asked.
        if origin?.pause != nil {
          before.formUnion(0..<index)
          timed.insert(index)
        }
        if let last = lastOfEffect[number] { before.insert(last) }
        lastOfEffect[number] = index
      } else {
        if let lastUser { before.insert(lastUser) }
        lastUser = index
      }
      causes.append(before)
    }
    orders = Orders(causes)
    result.events = Set(orders.free.flatMap { [$0.first, $0.second] }).count
    changes = events.map { touched[$0] ?? [] }
    for (output, starter) in turns {
      if let place = places[starter] { changes[place] += touched[output] ?? [] }
    }
  }

  /// Computes which parts of the goal hold where in the unchanged session.
  private func prepareGuesses() async throws {
    var labels: [String] = []
    if case .holds(let question) = goal {
      labels = question.conditions.flatMap { $0.texts(comparedWith: ["label"]) }
      asked = question.conditions.map { $0.parts.map { StepQuestion($0) } }
    }
    for (event, step) in events.enumerated() {
      isAsked.append(
        labels.contains(base.label(of: step)) || changes[event].overlap(goal.places))
      let told = try base.open.step(at: Position(branch: base.branch, step: step))
      let classifier = StepClassifier(
        goal, of: base, from: step - 1,
        state: try await base.open.state(at: Position(branch: base.branch, step: step)))
      holding.append(
        try asked.map { parts in
          Set(try parts.indices.filter { try classifier.couldHold(parts[$0], after: told) })
        })
    }
  }

  /// The rank of a pair, smallest first: goal parts that hold at neither, whether the goal asks
  /// about them, whether they touch the same places, how far apart they are.
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

  /// Reverses pairs that touch the same places or that the goal asks about: each alone, in both
  /// ways, then several of the goal's at once. Pairs where all parts of the goal hold come first. A
  /// pair counts as dependent until both orders ended alike.
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
  ) -> [Variation] {
    sets.compactMap { set in order(set).map { (name(of: Set(set)), Set(set), script($0)) } }
  }

  /// Reverses the other pairs, each alone. A pair commutes only if both orders ended alike; so do
  /// pairs with the same labels and places.
  func tryOtherPairs() async throws {
    for pair in sorted(orders.free.filter { !overlap($0) }) {
      guard isOpen else { return }
      guard let order = orders.swapped(pair) else {
        orders.dependent.append(pair)
        continue
      }
      let kinds = [pair.first, pair.second].map { place in
        EventKind(
          label: base.label(of: events[place]), places: changes[place].map(\.description).sorted())
      }
      if commuting[kinds] == nil {
        let script = script(order)
        try await tryOut([(name(of: [pair]), [pair], script)])
        commuting[kinds] = isSame[ScriptKey(script)] ?? false
      }
      if commuting[kinds] == false { orders.dependent.append(pair) }
    }
  }

  private func overlap(_ pair: Orders.Pair) -> Bool {
    changes[pair.first].overlap(changes[pair.second])
  }

  func script(_ order: [Int]) -> Script {
    base.script(
      Orders.moves(to: order).map { move in
        .move(step: events[move.event], after: move.after.map { events[$0] } ?? from)
      })
  }

  // MARK: Trying

  private typealias Variation = (name: String, reversed: Set<Orders.Pair>, script: Script)

  private func tryOut(_ variations: [Variation]) async throws {
    var new: [Variation] = []
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
        guard verdict.happens, trials.accepts(verdict), isOpen,
          !found.contains(where: variation.reversed.isStrictSuperset)
        else { continue }
        if !variation.reversed.isEmpty { found.append(variation.reversed) }
        result.hits.append(
          Exploration.Hit(name: variation.name, script: variation.script, verdict: verdict))
      }
    }
  }

  /// Answers that never come, and answers recorded at another time.
  private func tryAnswers() async throws {
    var variations: [Variation] = []
    func add(_ name: String, _ edits: [Edit]) { variations.append((name, [], base.script(edits))) }
    let ends: [(String, EffectAnswer.Outcome)] = [
      ("is cancelled", .cancel), ("fails", .fail(message: "It fails instead of answering.")),
    ]
    for step in events {
      guard let entry = base[step], case .effect(let effect) = entry.step.cause else { continue }
      let name = words(of: step)
      let later = base.entries.filter { $0.step.cause == .effect(effect) && $0.step.number >= step }
      add("\(name) never comes", later.map { .skip(step: $0.step.number) })
      let changes = try base.open.outsideChanges(at: Position(branch: base.branch, step: step))
      for change in changes where [.fails, .lost].contains(change.kind) {
        add("\(name) \(change.words)", change.edits)
      }
      // An app that runs whole cancels its requests itself, and hears only what comes from outside.
      for (end, outcome) in ends where entry.step.action["retcon"] == nil {
        add(
          "\(base.effectNames[effect] ?? "the effect") \(end) before it answers",
          [.answer(EffectAnswer(effect: effect, after: step - 1, outcome: outcome))])
      }
      for other in otherAnswers(than: entry.step, of: effect) {
        add(
          "\(name) is that of step \(other.number)",
          [.replace(step: step, action: entry.step.action.telling(other.action))])
      }
    }
    try await tryOut(variations)
  }

  /// Actions of the user that come twice while what they started is in flight.
  private func tryRepeats() async throws {
    var variations: [Variation] = []
    for step in events where effect(of: step) == nil {
      let changes = try base.open.outsideChanges(at: Position(branch: base.branch, step: step))
      for change in changes where change.kind == .twice {
        variations.append(("\(words(of: step)) \(change.words)", [], base.script(change.edits)))
      }
    }
    try await tryOut(variations)
  }

  /// Answers of effects of the same name with another label, such as a failure.
  private func otherAnswers(than step: Step, of effect: EffectID) -> [Step] {
    base.entries.lazy.map(\.step).filter { [base] other in
      guard case .effect(let number) = other.cause, number != effect else { return false }
      return base.effectNames[number] == base.effectNames[effect] && other.action != step.action
    }.prefix(3).map(\.self)
  }

  // MARK: Words

  private func name(of reversed: Set<Orders.Pair>) -> String {
    reversed.sorted { ($0.first, $0.second) < ($1.first, $1.second) }.map { pair in
      let (early, late) = (events[pair.first], events[pair.second])
      if effect(of: late) != nil {
        return "\(words(of: late)) comes before \(words(of: early))"
      }
      return "\(words(of: early)) comes after \(words(of: late))"
    }.joined(separator: ", and ")
  }

  private func words(of step: Int) -> String {
    guard let number = effect(of: step) else { return "\(step) \(base.label(of: step))" }
    return "answer \(step) of \(base.effectNames[number] ?? "effect \(number)")"
  }

  private func effect(of step: Int) -> EffectID? {
    if case .effect(let number)? = base[step]?.step.cause { number } else { nil }
  }
}

/// Some sets of numbers below `end`, those near the beginning first.
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
      "\(counted(tried, "session")) tried (\(counted(runs, "run"))): the rule breaks in \(grouped(hits.count))"
    ]
    if let stopped {
      parts.append("not complete: the search was stopped (\(stopped)) before it tried all")
    } else if tried == 0 {
      parts.append("no event could come in another order")
    } else if reversals == 0 {
      parts.append("\(counted(events, "event")) could come in another order")
    } else {
      parts.append(
        "every order with \(grouped(reversals)) of \(counted(events, "event")) swapped was tried")
    }
    if assumed > 0 {
      parts.append("\(counted(assumed, "session")) would break it, but only as a guess")
    }
    return parts.joined(separator: "; ")
  }
}
