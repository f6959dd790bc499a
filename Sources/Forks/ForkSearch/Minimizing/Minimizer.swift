import Platform
import SessionWords
import TimeTravel
import ValueTree

package struct Minimum: Sendable {
  package struct Action: Sendable {
    package var step: Int
    package var label: String
    package var action: Value
    package var payload: [PayloadNote] = []
    package var comesAfter: Int?
    package var reads: [(key: String, index: Int, note: PayloadNote)] = []
  }

  package var actions: [Action]
  package var script: Script
  package var verdict: Verdict
  package var userSteps: Int
  /// Whether a last pass found no action that can go alone.
  package var isMinimal = false
  /// The last step that decided, if the session goes on behind it.
  package var upTo: Int?
  /// Whether a new process gives it the same state as the one that the search used.
  package var isSameAgain = true
  package var isRunAgain = true
  package var stopped: Trials.Stopped?
  package var runs = 0
  package var time = Duration.zero
  package var otherFailures: [String] = []
  /// The texts that the recording has in several actions, and the result in one.
  package var lostEqualities: [LostEquality] = []
  /// The number of smaller sessions rejected for their assumptions.
  package var assumed = 0
}

package struct LostEquality: Sendable {
  var step: Int
  var place: Pointer
  var value: Value
  var others: [Int]
}

package actor Minimizer {
  /// How a search treats payloads and the values that reducers read.
  package enum Values: Sendable {
    case untried
    /// Simpler ones are tried, each alone. The result keeps the recorded ones.
    case tried
    /// The result has the simplest ones.
    case simplified
  }

  private let base: SearchedSession
  private let goal: Goal
  let trials: Trials
  private let progress: @Sendable (_ kept: [Int], _ best: Script) -> Void
  private let fixed: [Edit]
  /// Whether the goal must not be reached without the fixed edits.
  private let needsFixed: Bool
  private var keepsSimpler = false
  private var kept: [Int]
  private var edits: [Int: Edit] = [:]
  private var readEdits: [String: Edit] = [:]
  private var notes: [Int: Minimum.Action] = [:]
  private var isMinimal = false
  /// Whether a whole round made no value simpler.
  private var isSettled = false
  /// The verdict on the best so far; a stopped search asks no more.
  private var best: Verdict

  package init(
    _ base: SearchedSession, _ goal: Goal, _ trials: Trials, fixed: [Edit] = [],
    needsFixed: Bool = false,
    progress: @escaping @Sendable (_ kept: [Int], _ best: Script) -> Void = { _, _ in }
  ) {
    self.base = base
    self.goal = goal
    self.trials = trials
    self.progress = progress
    self.fixed = fixed
    self.needsFixed = needsFixed
    kept = base.userSteps
    best = base.verdict
  }

  /// Unless values are `untried`, also tests whether the places of actions matter.
  package func minimum(_ values: Values = .tried) async throws -> Minimum {
    keepsSimpler = values == .simplified
    let stopped = try await Trials.stopping {
      if !fixed.isEmpty { best = try await trials.verdict(on: script()) }
      try await reduce()
      try await restoreEqualities()
      if values != .untried { try await simplify() }
    }
    var minimum = Minimum(
      actions: kept.compactMap(settled), script: script(), verdict: best,
      userSteps: base.userSteps.count, isMinimal: isMinimal, stopped: stopped)
    minimum.upTo = base.whole == nil ? nil : base.last
    minimum.runs = await trials.runs
    minimum.time = await trials.time
    minimum.otherFailures = await trials.otherFailures
    minimum.assumed = await trials.assumed
    minimum.lostEqualities = lostEqualities()
    return minimum
  }

  // MARK: Fewer actions

  private func reduce() async throws {
    let relations = try await ActionRelation.all(in: base, goal)
    let all = base.userSteps
    func relation(_ step: Int) -> ActionRelation { relations[step] ?? .none }
    var guesses = [try await base.slice(for: goal)].compactMap(\.self)
      .filter { $0.count < all.count }
    for degree in ActionRelation.allCases.dropLast() {
      let guess = all.filter { relation($0) <= degree }
      if guess.count < all.count, guess != guesses.last { guesses.append(guess) }
    }
    guesses.sort { $0.count < $1.count }
    var start = all
    var decided = 0
    if let index = try await first(of: guesses) {
      start = guesses[index]
      decided = index > 0 ? guesses[index - 1].count : 0
      await accept(start)
    } else if let largest = guesses.last {
      decided = largest.count
    }
    let ordered = start.sorted { (relation($1), $0) < (relation($0), $1) }
    // Together, the more distant actions are known to be needed.
    let sweepStart = decided > 0 ? max(1, (ordered.count - decided) / 2) : nil
    try await sweep(ordered, from: sweepStart)
    try await pass()
    let starts = otherStarts()
    if let index = try await first(of: starts) {
      await accept(starts[index])
      try await pass()
    }
    // If many are needed, a sweep from the first may be shorter. Of a long session, it costs more than
    // all before.
    guard kept.count >= Self.pairedSizes.lowerBound, kept.count * all.count < Self.mostSwept
    else { return }
    try await sweep(all, below: kept.count)
    try await pass()
  }

  private static let mostSwept = 20_000
  /// How many actions may be left where their equal texts are kept by trials.
  private static let mostCompared = 16

  /// The failure may be about a text that two actions share. Where the other one was left out, it
  /// takes the place of an action that is kept; the last one stays.
  private func restoreEqualities() async throws {
    guard kept.count <= Self.mostCompared else { return }
    for lost in lostEqualities().reversed() where kept.contains(lost.step) {
      let sets = lost.others.reversed().flatMap { other in
        kept.dropLast().filter { $0 != lost.step }.map { gone in
          (kept.filter { $0 != gone } + [other]).sorted()
        }
      }
      guard let index = try await first(of: Array(sets.prefix(64))) else { continue }
      (kept, isMinimal) = (sets[index], false)
      await reportProgress()
      try await pass()
    }
  }

  private func lostEqualities() -> [LostEquality] {
    func texts(_ step: Int) -> [(place: Pointer, value: Value)] {
      (base[step]?.step.action.scalars ?? [:]).filter { place, value in
        let name = place.tokens.last ?? ""
        return value.string?.isEmpty == false || name == "id" || name.hasSuffix("Id")
      }.map { (place: $0.key, value: $0.value) }.sorted { "\($0.place)" < "\($1.place)" }
    }
    let all = base.userSteps.map { (step: $0, texts: texts($0)) }
    return kept.flatMap { step in
      texts(step).compactMap { place, value in
        let others = all.filter { other in
          other.step != step
            && other.texts.contains { text in
              text.value == value && text.place.tokens.last == place.tokens.last
            }
        }.map(\.step)
        guard !others.isEmpty, !others.contains(where: kept.contains) else { return nil }
        return LostEquality(step: step, place: place, value: value, others: others)
      }
    }
  }

  private func pass() async throws {
    guard !isMinimal else { return }
    try await lastPass(kept.reversed())
    isMinimal = true
  }

  /// Sets that the sweep misses. An action may resume what the first of its label began, so that
  /// one is tried alone with the goal's cause. Two actions may undo each other, so each is tried
  /// alone beside that cause.
  private func otherStarts() -> [[Int]] {
    guard kept.count > 1, let root = base[base.last]?.root, let label = base[root]?.step.label
    else { return [] }
    let first = base.userSteps.first { base[$0]?.step.label == label }.map { [[$0]] } ?? []
    guard Self.pairedSizes.contains(kept.count) else { return first }
    return first + kept.filter { $0 != root }.map { [$0, root].sorted() }
  }

  func first(of sets: [[Int]]) async throws -> Int? {
    let scripts = sets.map { script(keeping: $0) }
    guard needsFixed else { return try await trials.first(of: scripts) }
    for (index, script) in scripts.enumerated() where try await trials.happens(script) {
      let plain = base.script(keeping: Set(sets[index]))
      if try await !trials.verdict(on: plain).happens { return index }
    }
    return nil
  }

  func accept(_ steps: [Int]) async {
    guard steps.count < kept.count else { return }
    (kept, isMinimal) = (steps.sorted(), false)
    await reportProgress()
  }

  private func reportProgress() async {
    let script = script()
    if let verdict = try? await trials.verdict(on: script) { best = verdict }
    progress(kept, script)
  }

  private func script(keeping steps: [Int]) -> Script {
    base.script(keeping: Set(steps), changes)
  }

  private func script() -> Script { script(keeping: kept) }

  private var changes: [Edit] {
    fixed + edits.keys.sorted().compactMap { edits[$0] }
      + readEdits.keys.sorted().compactMap { readEdits[$0] }
  }

  private func action(_ step: Int) -> Minimum.Action? {
    guard let entry = base[step] else { return nil }
    var action =
      notes[step]
      ?? Minimum.Action(step: step, label: entry.step.label, action: entry.step.action)
    if case .replace(_, let simpler)? = edits[step] { action.action = simpler }
    return action
  }

  /// The action with what is certain about its values.
  private func settled(_ step: Int) -> Minimum.Action? {
    guard var action = action(step) else { return nil }
    action.payload = action.payload.compactMap { note in
      guard let value = action.action[note.place] else { return nil }
      if keepsSimpler, note.isNeeded, value != note.value {
        return PayloadNote(place: note.place, value: value, alsoIn: note.alsoIn)
      }
      return isSettled || !note.isNeeded ? note : nil
    }
    if !isSettled { action.reads.removeAll { $0.note.isNeeded } }
    return action
  }

  // MARK: Simpler ones

  /// A value depends on the others, so only a round in which none changed proves what is said of it.
  private func simplify() async throws {
    if !keepsSimpler { isSettled = true }
    for round in 0..<Self.mostRounds where round == 0 || !isSettled {
      let before = (edits, readEdits)
      for step in kept { try await simplify(step) }
      isSettled = (edits, readEdits) == before
    }
    try await findOrders()
  }

  private static let mostRounds = 6

  private func simplify(_ step: Int) async throws {
    guard let entry = base[step], let now = action(step) else {
      return impossible("a kept action is a step of the session")
    }
    var simplifier = ValueSimplifier(keepsSimpler: keepsSimpler) { value, swap in
      try await self.attempt(with: { $0.replace(step, value, swap) })
    }
    let others = kept.filter { $0 != step }.compactMap { other in
      action(other).map { (step: other, scalars: $0.action.scalars) }
    }
    for (place, value) in others.flatMap(\.scalars) {
      simplifier.named[place.tokens.last ?? "", default: []].insert(value)
    }
    simplifier.others = Set(others.flatMap(\.scalars.values))
    simplifier.fixed = Set(
      base.entries.flatMap { entry in
        entry.root.map(kept.contains) == true
          ? (entry.step.cause == .user ? [] : [entry.step.action]) + entry.values.map(\.value)
          : []
      }.flatMap(\.scalars.values))
    _ = try await simplifier.simplify(now.action)
    let equal = simplifier.notes.map { note in
      var note = note
      let old = now.action[note.place]
      note.alsoIn = others.filter { old.map($0.scalars.values.contains) == true }.map(\.step)
      return note
    }
    notes[step, default: now].payload = now.payload.merged(with: equal)
    for (key, index, value) in entry.values {
      try await simplify(value, read: key, index, of: step)
    }
  }

  /// Replaces an action, and swaps a value in the others.
  private func replace(_ step: Int, _ value: Value, _ swap: ValueSimplifier.Swap?) {
    edits[step] = .replace(step: step, action: value)
    guard let swap else { return }
    for other in kept where other != step {
      guard let old = action(other)?.action, case let new = old.swapping(swap), new != old
      else { continue }
      edits[other] = .replace(step: other, action: new)
    }
  }

  private func simplify(_ value: Value, read key: String, _ index: Int, of step: Int) async throws {
    var simplifier = ValueSimplifier(keepsSimpler: keepsSimpler) { value, _ in
      try await self.attempt(with: {
        $0.readEdits["\(step) \(key) \(index)"] = .read(
          step: step, key: key, index: index, outcome: .value(value))
      })
    }
    simplifier.fixed = Set(kept.compactMap { action($0) }.flatMap(\.action.scalars.values))
    var now = value
    if case .read(_, _, _, .value(let simpler))? = readEdits["\(step) \(key) \(index)"] {
      now = simpler
    }
    _ = try await simplifier.simplify(now)
    let old = notes[step]?.reads.filter { $0.key == key && $0.index == index } ?? []
    notes[step]?.reads.removeAll { $0.key == key && $0.index == index }
    notes[step]?.reads += old.map(\.note).merged(with: simplifier.notes).map { (key, index, $0) }
  }

  private func attempt(
    with change: @Sendable (isolated Minimizer) -> Void
  ) async throws -> Trials.Attempt {
    let (edits, readEdits) = (edits, readEdits)
    change(self)
    let script = script()
    let new = (self.edits, self.readEdits)
    // A stopped search keeps the earlier edits.
    (self.edits, self.readEdits) = (edits, readEdits)
    let attempt = try await trials.attempt(script)
    guard attempt == .works else { return attempt }
    (self.edits, self.readEdits) = new
    let isAnother = try await !isStillMinimal()
    if isAnother || !keepsSimpler { (self.edits, self.readEdits) = (edits, readEdits) }
    if isAnother { return .fewer }
    if keepsSimpler { await reportProgress() }
    return attempt
  }

  /// Whether each action is still needed. If not, the simpler values lead to another failure.
  private func isStillMinimal() async throws -> Bool {
    guard isMinimal, kept.count > 1 else { return true }
    let scripts = kept.map { step in
      base.script(
        keeping: Set(kept).subtracting([step]), changes.filter { $0.step != step })
    }
    return try await trials.first(of: scripts) == nil
  }

  private func findOrders() async throws {
    for (earlier, later) in zip(kept, kept.dropFirst()) {
      let moved = base.script(
        keeping: Set(kept), changes + [.move(step: later, after: earlier - 1)])
      guard try await trials.attempt(moved) == .fails else { continue }
      notes[later]?.comesAfter = earlier
    }
  }
}
