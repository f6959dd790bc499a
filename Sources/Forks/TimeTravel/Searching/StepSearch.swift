import SessionFile
import SessionWords
import ValueTree

/// A text to find in labels and actions. Lowercase text ignores case.
package struct StepText: Sendable, Hashable {
  package var text: String
  private let ignoresCase: Bool

  package init(_ text: String) {
    self.text = text
    ignoresCase = text == text.lowercased()
  }

  /// The bytes to search a file for; nil if bytes cannot decide.
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
  /// Like ``search(_:from:for:report:)``, for a text: parses only recorded steps whose lines may
  /// contain it.
  package func search(
    _ branch: BranchID, from start: Int, wraps: Bool = true, for text: StepText,
    report: @Sendable (SearchBatch) async -> Void
  ) async throws {
    try await search(
      branch, from: start, wraps: wraps,
      answers: { StepAnswers(hits: try hits(of: text, in: $0, of: branch)) }, report)
  }

  private func hits(
    of text: StepText, in steps: ClosedRange<Int>, of branch: BranchID
  ) throws -> [Int] {
    var hits: [Int] = []
    for part in parts(of: steps, on: branch) {
      guard let recorded = part.recorded else {
        let position = Position(branch: branch, step: part.step)
        if text.matches(try step(at: position).step) { hits.append(part.step) }
        continue
      }
      if let needle = text.needle {
        hits += try recorded.holding(needle).filter {
          text.matches(try recording.step($0 - recorded.shift))
        }
      } else {
        let parts = StepPreview.Parts([.label, .error], actionPlaces: [[]])
        try recorded.walk(nil) {
          if text.matches(try $0.step(parts)) { hits.append($0.number + recorded.shift) }
          return true
        }
      }
    }
    return hits
  }
}

extension ClosedRange<Int> {
  /// From a step to the end, then from the beginning.
  package func parts(from start: Int) -> [ClosedRange] {
    let start = Swift.min(Swift.max(start, lowerBound), upperBound)
    return [start...upperBound] + (start > lowerBound ? [lowerBound...start - 1] : [])
  }
}

package struct SearchBatch: Sendable, Equatable {
  package var hits: [Int]
  /// The steps whose answer is unknown.
  package var unknown: [Int] = []
  package var searched: Int
  package var total: Int

  package init(hits: [Int], unknown: [Int] = [], searched: Int, total: Int) {
    (self.hits, self.unknown, self.searched, self.total) = (hits, unknown, searched, total)
  }
}

extension OpenSession {
  /// Searches a branch from a step to its end, then from its start (unless `wraps` is false), and
  /// reports hits on the way. Cancelling ends it without an error.
  package func search(
    _ branch: BranchID, from start: Int, wraps: Bool = true,
    answers: (ClosedRange<Int>) async throws -> StepAnswers, _ report: (SearchBatch) async -> Void
  ) async throws {
    guard let steps = self.branch(branch)?.steps else { return }
    let parts = steps.parts(from: start)
    var searched = 0
    try await goThrough(wraps ? parts : [parts[0]]) { part in
      let found = try await answers(part)
      searched += part.count
      await report(
        SearchBatch(
          hits: found.hits, unknown: found.unknown, searched: searched, total: steps.count))
      return true
    }
  }
}
