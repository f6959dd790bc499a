import SessionWords

extension OpenSession {
  /// Writes some steps of the recording as a session of their own, without what is to be taken out.
  package func trim(
    _ steps: ClosedRange<Int>, to path: String, without redaction: Redaction = Redaction()
  ) throws {
    guard steps.lowerBound >= summary.steps.lowerBound,
      steps.upperBound <= summary.steps.upperBound
    else {
      throw Trouble(
        "steps \(steps.lowerBound) to \(steps.upperBound) are not all here", place: summary.name,
        next: "It has \(summary.steps.lowerBound) to \(summary.steps.upperBound)")
    }
    try recording.trim(steps, to: path, without: redaction)
  }

  /// Finds all effects of the recording; see ``Recording/findEffects()``.
  package func findEffects() async throws { try await recording.findEffects() }

  /// The effects that lasted longest, as far as they are known.
  package func longestEffects(_ count: Int) throws -> [EffectSpan] {
    try recording.longestEffects(count)
  }
}
