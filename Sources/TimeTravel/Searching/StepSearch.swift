import SessionFile
import SessionWords
import ValueTree

/// A text looked for in labels and actions. All in lower case, it finds upper case too.
package struct StepText: Sendable, Hashable {
  package var text: String
  private let ignoresCase: Bool

  package init(_ text: String) {
    self.text = text
    ignoresCase = text == text.lowercased()
  }

  /// What to look for in the bytes of a file; nil when they do not tell.
  var needle: TextNeedle? { TextNeedle(text, ignoringCase: ignoresCase) }

  package func matches(_ step: Step) -> Bool {
    contains(step.label) || contains(step.action)
      || step.error.map { contains($0) } == true
  }

  private func contains(_ value: Value) -> Bool {
    switch value {
    case .string(let string): contains(string)
    case .number(let number): contains(number.previewText)
    case .bool(let value): contains(value ? "true" : "false")
    case .null: false
    case .array(let array): array.contains { contains($0) }
    case .object(let object): object.contains { contains($0.key) || contains($0.value) }
    }
  }

  private func contains(_ string: String) -> Bool {
    ignoresCase ? string.lowercased().contains(text) : string.contains(text)
  }
}

extension OpenSession {
  /// As ``search(_:from:for:report:)``, for a text: of the recording's own steps only those are
  /// parsed whose lines may hold it.
  package func search(
    _ branch: String, from start: Int, wraps: Bool = true, for text: StepText,
    report: @Sendable (SearchBatch) async -> Void
  ) async throws {
    try await search(
      branch, from: start, wraps: wraps, hits: { try hits(of: text, in: $0, of: branch) }, report)
  }

  private func hits(
    of text: StepText, in steps: ClosedRange<Int>, of branch: String
  ) throws -> [Int] {
    var hits: [Int] = []
    var next = steps.lowerBound
    while next <= steps.upperBound {
      if let recorded = recorded(from: next, of: branch) {
        let last = min(steps.upperBound, recorded.last)
        let own = next - recorded.shift...last - recorded.shift
        try hits += self.hits(of: text, in: own).map { $0 + recorded.shift }
        next = last + 1
      } else {
        let position = Position(branch: branch, step: next)
        if text.matches(try step(at: position).step) { hits.append(next) }
        next += 1
      }
    }
    return hits
  }

  /// Among the recording's own steps.
  private func hits(of text: StepText, in steps: ClosedRange<Int>) throws -> [Int] {
    guard let recording = recording as? any WalkedRecording else { return [] }
    if let needle = text.needle {
      var candidates = try recording.steps(holding: needle, in: steps, limit: .max)
      // The first step has its label from nowhere in the file.
      let first = summary.steps.lowerBound
      if steps.contains(first), candidates.first != first { candidates.insert(first, at: 0) }
      return try candidates.filter { text.matches(try recording.step($0)) }
    }
    let parts = StepGlance.Parts([.label, .error], actionPlaces: [[]])
    var walk = recording.walk(nil, from: steps.lowerBound)
    var hits: [Int] = []
    var failure: (any Error)?
    try walk.advance(through: steps.upperBound) { glance in
      do {
        if text.matches(try glance.step(parts)) { hits.append(glance.number) }
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
    return hits
  }
}

/// What one part of a search found.
package struct SearchBatch: Sendable, Equatable {
  /// The steps that match, in their order.
  package var hits: [Int]
  /// How many steps have been looked at so far, of how many.
  package var searched: Int
  package var total: Int
}

extension OpenSession {
  /// Looks through a branch from a step to its end, then from its start, and reports what it finds
  /// as it goes; without `wraps` only to the end. Ends early, without an error, when the task is cancelled.
  package func search(
    _ branch: String, from start: Int, wraps: Bool = true,
    for matches: @Sendable (Position) async throws -> Bool,
    report: @Sendable (SearchBatch) async -> Void
  ) async throws {
    try await search(
      branch, from: start, wraps: wraps,
      hits: { steps in
        var hits: [Int] = []
        for step in steps where try await matches(Position(branch: branch, step: step)) {
          hits.append(step)
        }
        return hits
      }, report)
  }

  /// The same with a function that finds the hits of many steps at once.
  func search(
    _ branch: String, from start: Int, wraps: Bool = true,
    hits: (ClosedRange<Int>) async throws -> [Int], _ report: (SearchBatch) async -> Void
  ) async throws {
    guard let steps = self.branch(branch)?.steps else { return }
    let start = min(max(start, steps.lowerBound), steps.upperBound)
    var parts = [start...steps.upperBound]
    if wraps, start > steps.lowerBound { parts.append(steps.lowerBound...start - 1) }
    var searched = 0
    try await goThrough(parts) { part in
      let found = try await hits(part)
      searched += part.count
      await report(SearchBatch(hits: found, searched: searched, total: steps.count))
      return true
    }
  }

  /// The state after a step; nil where the recording has lost it, which its notices say.
  package func knownState(at position: Position) async throws -> Value? {
    let owner = table.withLock { $0.owner(of: position) }
    guard owner.branch == Branch.main else { return try await state(at: position) }
    do {
      // A host that computes what the recording does not hold would take long for many steps.
      return try recording.state(after: owner.step)
    } catch let error as SessionError {
      switch error.problem {
      case .stateLost, .stepUnfinished: return nil
      default: throw error
      }
    }
  }

  /// How far the steps of a branch from one on are the recording's own, and what is added to the
  /// recording's numbers to get the branch's. Nil when the recording cannot be walked through.
  func recorded(from step: Int, of branch: String) -> (last: Int, shift: Int)? {
    guard recording is any WalkedRecording else { return nil }
    return table.withLock { $0.recorded(from: step, of: branch) }
  }
}

/// How many steps are looked at between two reports: as many as take a moment that nobody notices.
struct SearchChunk {
  private(set) var size = 512

  mutating func measure<Result>(_ work: () async throws -> Result) async rethrows -> Result {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await work()
    let time = clock.now - start
    if time < .milliseconds(5) { size = min(size * 2, 1 << 16) }
    if time > .milliseconds(40) { size = max(size / 2, 64) }
    return result
  }
}
