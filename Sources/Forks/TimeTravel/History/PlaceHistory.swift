import SessionWords
import ValueTree

package struct PlacePeriod: Sendable, Hashable {
  /// The place at the end of the period: array elements move.
  package var place: Pointer
  package var value: Value?
  package var isKnown: Bool
  package var steps: ClosedRange<Int>

  init(_ place: Pointer, _ value: Value?, _ steps: ClosedRange<Int>, isKnown: Bool = true) {
    (self.place, self.value, self.steps, self.isKnown) = (place, value, steps, isKnown)
  }
}

package struct PlaceHistory: Sendable, Hashable {
  package var periods: [PlacePeriod] = []
  /// False if there are more values, or may be: in a state that is not known.
  package var isWhole = true
}

extension RecordingSummary {
  /// Says that a history has redacted values.
  package func caveats(of history: PlaceHistory) -> [String] {
    history.periods.contains { isRedacted(in: $0.value) } ? [Self.redactedCaveat] : []
  }
}

extension OpenSession {
  /// The values at a place, from the branch's first to its last. Follows an array element as it
  /// moves, until removed. If the place is empty at that step, looks at its last value before. A
  /// limit stops after so many values in each direction.
  package func history(
    of place: Pointer, at position: Position, limit: Int = .max
  ) async throws -> PlaceHistory {
    guard let steps = branch(position.branch)?.steps else { return PlaceHistory() }
    guard steps.contains(position.step) else { throw Trouble.noStep(position.step, in: summary) }
    var here = position
    let place = try await resolved(place, of: here.branch)
    let state = try await state(at: here)
    let candidates = try await changes(of: place.container(in: state), on: here)
    if state?[place] == nil {
      // If it was removed before, that step is among those that touch it.
      var isKnown = state != nil
      var last: Int?
      for step in candidates.reversed()
      where last == nil && step <= here.step && step > steps.lowerBound {
        let before = try await knownState(at: Position(branch: here.branch, step: step - 1))
        isKnown = isKnown && before != nil
        if before?[place] != nil { last = step - 1 }
      }
      guard let last else { return PlaceHistory(isWhole: isKnown) }
      here.step = last
    }
    let before = try await periods(
      of: place, candidates.filter { $0 <= here.step }, at: here, steps, limit)
    // The removal counts as a value.
    let after = here == position ? limit : max(limit, 2)
    return try await later(before, candidates.filter { $0 > here.step }, at: here, steps, after)
  }

  /// Says that a place has no value from a step to a position, and nothing of other steps.
  package func sentence(
    forNoValueAt place: Pointer, from start: Int? = nil, upTo here: Position, areAllKnown: Bool
  ) -> String {
    let steps = branch(here.branch)?.steps ?? here.step...here.step
    let words = areAllKnown ? "there was never a value" : "no known state has a value"
    let range =
      if let start, start > steps.lowerBound { "in steps \(start) to \(here.step) " } else {
        here.step < steps.upperBound ? "up to step \(here.step) " : ""
      }
    return "\(range)\(words) at \(place)"
  }

  /// The step that gave a place the value it has at a position; the first step if none did. It is
  /// the place's value: a step that moves another element there set it.
  package func setter(of place: Pointer, at position: Position) async throws -> Int {
    let first = branch(position.branch)?.steps.lowerBound ?? position.step
    let container = place.container(in: try await state(at: position))
    for step in try await changes(of: container, on: position).reversed()
    where first < step && step <= position.step {
      let pair = try await states(around: step, on: position.branch)
      if pair.old?[place] != pair.new?[place] || pair.old == nil { return step }
    }
    return first
  }

  private func periods(
    of place: Pointer, _ candidates: [Int], at position: Position, _ steps: ClosedRange<Int>,
    _ limit: Int
  ) async throws -> PlaceHistory {
    var place = place
    // The latest first.
    var found: [PlacePeriod] = []
    // The end of the current period: the last step, and the place then.
    var (end, endPlace) = (position.step, place)
    for step in candidates.reversed() where step > steps.lowerBound {
      try Task.checkCancellation()
      guard found.count < limit else { break }
      let pair = try await states(around: step, on: position.branch)
      guard let old = pair.old, let new = pair.new else {
        if pair.old == nil && pair.new == nil { continue }
        found.append(
          PlacePeriod(endPlace, pair.new?[place], step...end, isKnown: pair.new != nil))
        (end, endPlace) = (step - 1, place)
        continue
      }
      let value = new[place]
      let earlier = PlaceTrack(from: old, to: new).back(place)
      guard let earlier else {
        return PlaceHistory(
          periods: (found + [PlacePeriod(endPlace, value, step...end)]).reversed())
      }
      if old[earlier] != value {
        found.append(PlacePeriod(endPlace, value, step...end))
        (end, endPlace) = (step - 1, earlier)
        if old[earlier] == nil, place.isInsideArray(of: new) {
          return PlaceHistory(periods: found.reversed())
        }
      }
      place = earlier
    }
    guard found.count < limit else {
      return PlaceHistory(periods: found.reversed(), isWhole: false)
    }
    let first = try await knownState(at: Position(branch: position.branch, step: end))
    found.append(
      PlacePeriod(endPlace, first?[endPlace], steps.lowerBound...end, isKnown: first != nil))
    return PlaceHistory(periods: found.reversed())
  }

  private func later(
    _ earlier: PlaceHistory, _ candidates: [Int], at position: Position,
    _ steps: ClosedRange<Int>, _ limit: Int
  ) async throws -> PlaceHistory {
    guard var last = earlier.periods.last else { return earlier }
    var found = earlier
    found.periods.removeLast()
    let before = found.periods.count
    var isGone = false
    for step in candidates {
      try Task.checkCancellation()
      let pair = try await states(around: step, on: position.branch)
      if pair.old == nil, pair.new == nil { continue }
      var next = PlacePeriod(
        last.place, pair.new?[last.place], step...step, isKnown: pair.new != nil)
      if let old = pair.old, let new = pair.new {
        if let place = PlaceTrack(from: old, to: new).forward(last.place) {
          next = PlacePeriod(place, new[place], step...step)
        } else {
          next = PlacePeriod(last.place, nil, step...step)
          isGone = true
        }
        // A value that returns to a list is a new element.
        if next.value == nil, last.value != nil, last.place.isInsideArray(of: old) { isGone = true }
      }
      if next.value == last.value, next.isKnown == last.isKnown {
        last.place = next.place
        continue
      }
      last.steps = last.steps.lowerBound...(step - 1)
      found.periods.append(last)
      guard found.periods.count - before < limit else {
        found.isWhole = false
        return found
      }
      last = next
      if isGone { break }
    }
    last.steps = last.steps.lowerBound...steps.upperBound
    found.periods.append(last)
    return found
  }

  private func states(
    around step: Int, on branch: BranchID
  ) async throws -> (old: Value?, new: Value?) {
    (
      try await knownState(at: Position(branch: branch, step: step - 1)),
      try await knownState(at: Position(branch: branch, step: step))
    )
  }

  /// Visits the steps of a range with the states, correct at these places, until `visit` returns
  /// false.
  package func visit(
    _ places: [Pointer], in steps: ClosedRange<Int>, of branch: BranchID,
    visit: (Int, Value?) throws -> Bool
  ) async throws {
    try await walk(steps, of: branch, places: places) { preview, step in
      try visit(step, preview.state)
    } other: {
      try visit($0.step, try await knownState(at: $0))
    }
  }

  func changes(of place: Pointer, on position: Position) async throws -> [Int] {
    guard let steps = branch(position.branch)?.steps else { return [] }
    return try await inParts(of: steps) { part in
      var found: [Int] = []
      try await self.walk(part, of: position.branch, places: [place]) { preview, step in
        if preview.hasChanged { found.append(step) }
        return true
      } other: {
        found.append($0.step)
        return true
      }
      return found
    }.flatMap(\.self)
  }
}

extension Pointer {
  fileprivate func container(in state: Value?) -> Pointer {
    var path = Pointer()
    for token in tokens {
      if case .array? = state?[path] { return path }
      path = path.appending(token)
    }
    return path
  }

  fileprivate func isInsideArray(of value: Value) -> Bool { container(in: value) != self }
}

extension OpenSession {
  /// A value that a place had: from when to when, and who set it, back to what the user did. Below
  /// the name of a place, only another one is named.
  package func lines(
    of period: PlacePeriod, on branch: BranchID, below title: Pointer? = nil
  ) throws -> [String] {
    let (first, last) = (period.steps.lowerBound, period.steps.upperBound)
    let start = Position(branch: branch, step: first)
    let end = min(last + 1, self.branch(branch)?.steps.upperBound ?? last)
    var time = ""
    if let from = try step(at: start).step.time,
      let to = try step(at: Position(branch: branch, step: end)).step.time
    {
      time = ", \((to - from).longText)"
    }
    let value =
      period.isKnown
      ? period.value.map { ValuePreview.text($0, limit: 200) } ?? "not there" : "not known"
    let place = period.place == title ? "" : "\(period.place)  "
    let steps = first == last ? "\(first)" : "\(first)–\(last)"
    let head = "\(place)\(steps)\(time)  \(value)"
    if first == summary.steps.lowerBound { return [head, "  since the start"] }
    let causes = try causes(of: start)
    // In a session without senders, the step says all.
    if let step = causes.first, step.cause == nil, !summary.knowsCauses {
      return [head, "  \(step.step) \(step.label)"]
    }
    return [head] + causes.lines.map { "  " + $0 }
  }
}
