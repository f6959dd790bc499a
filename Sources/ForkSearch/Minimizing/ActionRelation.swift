import TimeTravel
import ValueTree

/// How closely a user action relates to the goal, by causes and values. Only a guess that orders
/// the trials.
enum ActionRelation: Int, Comparable, CaseIterable {
  /// Is the step of the goal, or caused it.
  case cause
  case lastWriter
  case writer
  /// Set something that such a step changes, too.
  case neighbour
  case none
  case idle

  static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

  static func all(in base: SearchedSession, _ goal: Goal) async throws -> [Int: ActionRelation] {
    var relations: [Int: ActionRelation] = [:]
    let touched = try await base.touchedPlaces()
    for entry in base.entries {
      guard let root = entry.root else { continue }
      let isIdle = touched?[entry.step.number].map(\.isEmpty) ?? false
      relations[root] = min(relations[root] ?? .idle, isIdle ? .idle : .none)
    }
    func join(_ step: Int, _ relation: ActionRelation) {
      guard let root = base[step]?.root else { return }
      relations[root] = min(relations[root] ?? .idle, relation)
    }
    join(base.last, .cause)
    guard let touched else { return relations }
    var waiting = goal.places
    for place in goal.places {
      let writers = base.entries.map(\.step.number).filter { step in
        step < base.last && touched[step]?.contains { $0.overlaps(place) } == true
      }
      for writer in writers { join(writer, .writer) }
      if let writer = writers.last { join(writer, .lastWriter) }
    }
    // Backwards: a step may have read what it changes.
    for entry in base.entries.reversed() {
      let own = touched[entry.step.number] ?? []
      let isRelated =
        entry.step.number == base.last
        || own.contains { place in waiting.contains { place.overlaps($0) } }
      guard isRelated else { continue }
      join(entry.step.number, .neighbour)
      for place in own where !waiting.contains(place) && waiting.count < 256 {
        waiting.append(place)
      }
    }
    return relations
  }
}

extension Goal {
  package var places: [Pointer] {
    switch self {
    case .holds(let question):
      ([question.condition] + question.condition.neighbours.map(\.condition)).flatMap { condition in
        ["state", "previous"].flatMap { condition.likelyPaths(in: $0) }
      }
    case .crash: []
    case .ends(let place, _): [place]
    case .differs(let different): different.places.map(\.pointer)
    }
  }
}

extension SearchedSession {
  /// The places that each step changed. Nil if the recording holds no states.
  package func touchedPlaces() async throws -> [Int: [Pointer]]? {
    guard branch == Branch.main, let start = try? await open.knownState(at: Position(step: first))
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
