import Platform
import SessionWords
import TimeTravel
import ValueTree

/// Finds the reason for the outcome at a session's end.
package actor Reasoner {
  let base: SearchedSession
  private let goal: Goal
  let trials: Trials
  private let looks: HostTrials?
  private let told: @Sendable (String) -> Void
  /// As trusted as all forks that the reason builds on.
  var trust = Verdict(.happens)
  var random: UInt64
  /// A step without which it does not happen, also if no link.
  var lacking: Int?
  var reason: Reason
  /// The steps without which, alone or together, it happens.
  private var unneeded: Set<Int> = []
  private var neighbours: Set<Int> = []
  private var tests = 0
  /// A session with the same actions and one changed value: nearer than one that lacks actions.
  var other: (step: Int, words: String, script: Script)?

  /// How many links are tested before the smallest session is known.
  private static let first = 3
  private static let few = 8
  private static let mostNeighbours = 24
  private static let depth = 3
  /// How many values behind one are followed.
  private static let mostRead = 3
  /// Of a long session, each test takes its time.
  private var mostTests: Int { max(12, 40_000 / max(1, base.entries.count)) }

  /// `told` gets the line of each link that is finished. With `looks`, it finds values behind the
  /// asked one.
  package init(
    _ base: SearchedSession, _ goal: Goal, _ trials: Trials, seed: UInt64 = 7,
    looks: HostTrials? = nil, told: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.base = base
    self.goal = goal
    self.trials = trials
    (self.looks, self.told) = (looks, told)
    random = seed
    reason = Reason(links: [], curve: [], verdict: base.verdict)
  }

  package func reason() async throws -> Reason {
    if case .differs(let different) = goal {
      reason.different = (different.step, base[different.step]?.step.label ?? "")
    }
    let stopped = try await Trials.stopping {
      try await findWriters()
      // Its answer comes before the links that take longer to find.
      for step in testable.prefix(1) { try await test([step]) }
      try await findValues()
      for step in testable.prefix(Self.first) { try await test([step]) }
      let minimum = try await Minimizer(base, goal, trials).minimum(.untried)
      (reason.minimum, reason.verdict, reason.stopped) =
        (minimum, minimum.verdict, minimum.stopped)
      if let stopped = minimum.stopped { throw stopped }
      let smallest = minimum.actions.map(\.step)
      for step in smallest.reversed() { try join(step, to: base.last) }
      settle()
      // If they are few, most are needed.
      let own = testable
      if own.count > Self.few { try await halve(own[...]) }
      for step in own where own.count <= Self.few { try await test([step]) }
      try await findNeighbours()
      try await curve()
    }
    settle(isOver: true)
    reason.links.removeAll { $0.mark == .left && neighbours.contains($0.step) }
    reason.stopped = stopped ?? reason.stopped
    let first = reason.links.first { $0.mark == .necessary }?.step ?? lacking
    reason.avoided = try other ?? first.map(without)
    reason.links.removeAll { $0.mark == .noPart }
    reason.verdict.limitTrust(to: trust)
    reason.runs = await trials.runs
    return reason
  }

  // MARK: The chain

  /// Walks back from the end: senders, then writers of their values.
  private func findWriters() async throws {
    try join(base.last, to: nil)
    guard let touched = try await base.touchedPlaces() else { return }
    for place in goal.places {
      guard let writer = base.writers(of: place, touched).last else { continue }
      try join(writer, to: base.last)
    }
  }

  /// Goes on to the values that these read.
  private func findValues() async throws {
    guard let looks, let touched = try await base.touchedPlaces() else { return }
    for place in goal.places {
      let writer = base.writers(of: place, touched).last
      let isSetHere = touched[base.last]?.overlap([place]) == true
      try await trace(
        place, at: isSetHere ? base.last : writer ?? base.last, looks, touched, Self.depth)
    }
  }

  /// A step that adds to places may need earlier ones that change the same places.
  private func findNeighbours() async throws {
    let relations = try await ActionRelation.all(in: base, goal)
    let related = base.userSteps.filter { (relations[$0] ?? .none) <= .neighbour }
    for step in related.suffix(Self.mostNeighbours)
    where !reason.links.contains(where: { $0.step == step }) {
      neighbours.insert(step)
      try join(step, to: base.last)
    }
    try await halve(testable.filter(neighbours.contains)[...])
  }

  private func join(_ step: Int, to parent: Int?, value: String? = nil) throws {
    var (parent, value) = (parent, value)
    for cause in try base.open.causes(of: Position(branch: base.branch, step: step)) {
      guard !reason.links.contains(where: { $0.step == cause.step }), cause.step > base.first
      else { return }
      reason.links.append(
        Reason.Link(
          step: cause.step, label: cause.label, sender: cause.sender, parent: parent,
          mark: .left, value: value.take()))
      parent = cause.step
    }
  }

  // MARK: Values behind values

  /// A step reads a value if it sets another one where that is put back to what it was.
  private func trace(
    _ place: Pointer, at step: Int, _ looks: HostTrials, _ touched: [Int: [Pointer]], _ depth: Int
  ) async throws {
    func state(_ step: Int) async throws -> Value? {
      try await base.open.knownState(at: Position(branch: base.branch, step: step))
    }
    guard depth > 0, step > base.first, let before = try await state(step - 1),
      let set = try await state(step)?[place]
    else { return }
    typealias Earlier = (place: Pointer, writer: Int, value: Value)
    var written: [(place: Pointer, writer: Int)] = []
    for entry in base.entries.prefix(max(0, step - base.first - 1)).reversed() {
      for part in touched[entry.step.number] ?? []
      where !part.overlaps(place) && written.count < 256
        && !written.contains(where: { $0.place.overlaps(part) })
      {
        written.append((part, entry.step.number))
      }
    }
    // Few elements of a list matter; a total is at the top.
    let order = written.indices.sorted {
      (written[$0].place.tokens.count, $0) < (written[$1].place.tokens.count, $1)
    }
    var earlier: [Earlier] = []
    for (part, writer) in order.map({ written[$0] }) where earlier.count < 24 {
      guard let now = before[part], now.isScalar,
        let value = try await state(writer - 1)?[part], value.isScalar, !isSame(now, value)
      else { continue }
      earlier.append((part, writer, value))
    }
    func isRead(_ parts: ArraySlice<Earlier>) async throws -> Bool {
      let script = Script(
        parent: base.branch, leavesAt: step - 1,
        edits: parts.map { .set(step: step - 1, pointer: $0.place, value: $0.value) })
      let found = try await trials.counting {
        try await looks.value(of: place, after: step, in: script)
      }
      return !isSame(found, set)
    }
    var (waiting, found) = ([earlier[...]], 0)
    while let parts = waiting.popLast(), found < Self.mostRead {
      guard !parts.isEmpty, try await isRead(parts) else { continue }
      guard parts.count == 1, let read = parts.first else {
        let middle = parts.startIndex + parts.count / 2
        waiting += [parts[middle...], parts[..<middle]]
        continue
      }
      found += 1
      let name = ValuePath(read.place, in: before).text
      try join(
        read.writer, to: step,
        value: "\(step) reads \(name), \(ValuePreview.text(before[read.place] ?? .null))")
      try await trace(read.place, at: read.writer, looks, touched, depth - 1)
    }
  }

  // MARK: Its links

  private var testable: [Int] {
    reason.links.filter { link in
      link.mark == .left && base[link.step]?.isOutput == false && !unneeded.contains(link.step)
    }.map(\.step)
  }

  /// Leaves stretches of links out, and halves those without which it does not happen.
  private func halve(_ steps: ArraySlice<Int>) async throws {
    guard !steps.isEmpty, tests < mostTests, try await !test(steps), steps.count > 1 else {
      return
    }
    let middle = steps.startIndex + steps.count / 2
    try await halve(steps[..<middle])
    try await halve(steps[middle...])
  }

  /// Whether it is known that none of them is needed.
  @discardableResult
  private func test(_ steps: ArraySlice<Int>) async throws -> Bool {
    tests += 1
    let verdict = try await trials.wholeVerdict(
      on: base.script(steps.sorted().map { .skip(step: $0) }))
    let isAccepted = trials.accepts(verdict)
    if isAccepted { trust.limitTrust(to: verdict) }
    if isAccepted, verdict.answer == .happens {
      unneeded.formUnion(steps)
      if steps.count == 1, let step = steps.first { report(isNotNeeded: step, verdict) }
      settle()
      return true
    }
    guard steps.count == 1, let step = steps.first else { return false }
    mark(
      step,
      !isAccepted
        ? .notTested("without it, \(verdict.standingWords)")
        : verdict.otherFailure.map { .notTested("without it, something else fails: \($0)") }
          ?? .necessary)
    return false
  }

  /// Marks what follows from the tests so far.
  private func settle(isOver: Bool = false) {
    let minimum = reason.minimum.flatMap { $0.isMinimal ? Set($0.actions.map(\.step)) : nil }
    for link in reason.links where link.mark == .left {
      if unneeded.contains(link.step) {
        if let minimum {
          mark(link.step, minimum.contains(link.step) ? .contributing : .noPart)
        } else if isOver {
          mark(link.step, .notNeeded)
        }
      } else if case .output(let sender)? = base[link.step]?.step.cause {
        let isIdle = reason.links.contains { $0.step == sender && $0.mark == .noPart }
        if isIdle || isOver {
          mark(
            link.step,
            isIdle
              ? .noPart : .notTested("the reducer sends it itself, so it cannot be skipped"))
        }
      }
    }
  }

  private func mark(_ step: Int, _ mark: Reason.Mark) {
    guard let index = reason.links.firstIndex(where: { $0.step == step }) else {
      return impossible("only a step of the chain gets a mark")
    }
    reason.links[index].mark = mark
    guard mark == .noPart else { return report(step, as: mark) }
    for other in reason.links.indices where reason.links[other].parent == step {
      reason.links[other].parent = reason.links[index].parent
    }
  }

  private func report(_ step: Int, as mark: Reason.Mark) {
    guard let index = reason.links.firstIndex(where: { $0.step == step && !$0.isTold }) else {
      return
    }
    reason.links[index].isTold = true
    var link = reason.links[index]
    link.mark = mark
    told(reason.line(of: link))
  }

  /// Says at once what was tested, until a link has its mark: this one's follows with the smallest
  /// session.
  private func report(isNotNeeded step: Int, _ verdict: Verdict) {
    guard reason.minimum == nil, !reason.links.contains(where: \.isTold) else { return }
    let name = "\(step) \(base.label(of: step))"
    told("Without \(name) alone, it also happens, at step \(verdict.step) of that fork.")
  }

  private func without(_ step: Int) throws -> (step: Int, words: String, script: Script) {
    (
      step, "Without \(step) \(base.label(of: step)) it does not happen.",
      try base.cut(base.script([.skip(step: step)]))
    )
  }
}

extension Value {
  fileprivate var isScalar: Bool {
    switch self {
    case .array, .object: false
    case .null, .bool, .number, .string: true
    }
  }
}
