import TimeTravel
import ValueTree

/// How closely a user action relates to the goal, by causes and values. Only a guess that orders
/// the trials.
enum ActionRelation: Comparable, CaseIterable {
  /// Is the step of the goal, or caused it.
  case cause
  case lastWriter
  case writer
  /// Set something that such a step changes, too.
  case neighbour
  case none
  case idle

  static func all(in base: SearchedSession, _ goal: Goal) async throws -> [Int: ActionRelation] {
    var relations: [Int: ActionRelation] = [:]
    let touched = try await base.touchedPlaces()
    func join(_ step: Int, _ relation: ActionRelation) {
      guard let root = base[step]?.root else { return }
      relations[root] = min(relations[root] ?? .idle, relation)
    }
    for step in base.entries.map(\.step.number) {
      join(step, touched?[step]?.isEmpty == true ? .idle : .none)
    }
    join(base.last, .cause)
    guard let touched else { return relations }
    var waiting = goal.places
    for place in goal.places {
      let writers = base.writers(of: place, touched)
      for writer in writers { join(writer, .writer) }
      if let writer = writers.last { join(writer, .lastWriter) }
    }
    // Backwards: a step may have read what it changes.
    for entry in base.entries.reversed() {
      let own = touched[entry.step.number] ?? []
      let isRelated =
        entry.step.number == base.last || own.overlap(waiting)
      guard isRelated else { continue }
      join(entry.step.number, .neighbour)
      for place in own where !waiting.contains(place) && waiting.count < 256 {
        waiting.append(place)
      }
    }
    return relations
  }
}

extension SearchedSession {
  /// The actions whose changes lead to the goal's places, over places and names that few steps
  /// change: what most steps change would join them all. Nil if the states are unknown.
  func slice(for goal: Goal) async throws -> [Int]? {
    guard let touched = try await touchedPlaces(),
      let end = try await open.knownState(at: Position(branch: branch, step: last - 1))
    else { return nil }
    // An index names another element later, so a list counts as a whole.
    let own = touched.mapValues { places in Set(places.map { $0.withoutIndices(in: end) }) }
    var (places, tokens) = ([Pointer: Int](), [String: Int]())
    for changed in own.values {
      for place in changed { places[place, default: 0] += 1 }
      for token in Set(changed.flatMap(\.tokens)) { tokens[token, default: 0] += 1 }
    }
    let most = max(8, entries.count / 16)
    var wanted = Set(goal.places)
    var above = Set(wanted.flatMap(\.prefixes))
    var (names, roots) = (Set<String>(), Set<Int>())
    func isWanted(_ place: Pointer) -> Bool {
      above.contains(place) || place.prefixes.contains(where: wanted.contains)
    }
    for entry in entries.reversed() {
      let few = own[entry.step.number, default: []].filter {
        places[$0, default: 0] <= most || goal.places.contains($0)
      }
      guard
        entry.step.number == last || few.contains(where: isWanted)
          || few.contains(where: { $0.tokens.contains(where: names.contains) })
      else { continue }
      if let root = entry.root { roots.insert(root) }
      wanted.formUnion(few)
      above.formUnion(few.flatMap(\.prefixes))
      let texts = entry.step.action.scalars.values.compactMap(\.string)
      names.formUnion(texts.filter { tokens[$0, default: .max] <= most })
    }
    return userSteps.filter(roots.contains)
  }
}

extension Pointer {
  fileprivate var prefixes: [Pointer] {
    tokens.indices.map { Pointer(tokens: tokens.prefix($0 + 1)) }
  }

  fileprivate func withoutIndices(in state: Value) -> Pointer {
    var value: Value? = state
    for (index, token) in tokens.enumerated() {
      if case .array? = value { return Pointer(tokens: tokens.prefix(index)) }
      value = value?[[token]]
    }
    return self
  }
}

extension Goal {
  package var places: [Pointer] {
    switch self {
    case .holds(let question):
      question.conditions.flatMap { condition in
        ["state", "previous"].flatMap { condition.likelyPaths(in: $0) }
      }
    case .crash: []
    case .ends(let place, _): [place]
    case .differs(let different): different.places.map(\.pointer)
    }
  }
}

extension StepQuestion {
  /// The condition, and those that it asks of the steps around.
  var conditions: [Condition] { [condition] + condition.neighbours.map(\.condition) }
}

extension [Pointer] {
  func overlap(_ others: [Pointer]) -> Bool {
    contains { place in others.contains { $0.overlaps(place) } }
  }
}

extension SearchedSession {
  /// The steps before the last that touch a place.
  func writers(of place: Pointer, _ touched: [Int: [Pointer]]) -> [Int] {
    entries.map(\.step.number).filter { $0 < last && touched[$0]?.overlap([place]) == true }
  }

  /// The places that each step changed. Nil if the recording holds no states.
  package func touchedPlaces() async throws -> [Int: [Pointer]]? {
    if let known = touches.withLock({ $0 }) { return known }
    let found = try await foundPlaces()
    touches.withLock { $0 = .some(found) }
    return found
  }

  private func foundPlaces() async throws -> [Int: [Pointer]]? {
    guard branch == .main, let start = try? await open.knownState(at: Position(step: first))
    else { return nil }
    var touched: [Int: [Pointer]] = [:]
    var before = start
    for entry in entries {
      let number = entry.step.number
      guard let after = try? await open.knownState(at: Position(step: number)) else {
        // A step that crashed has no state.
        guard number == last else { return nil }
        break
      }
      touched[number] = Patch(from: before, to: after).operations.map(\.path)
      before = after
      if number % 256 == 0 {
        await Task.yield()
        try Task.checkCancellation()
      }
    }
    return touched
  }
}
