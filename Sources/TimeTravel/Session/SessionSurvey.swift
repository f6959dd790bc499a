/// What can only be said after a look at every step.
package struct SessionSurvey: Sendable, Hashable {
  package var skipped = 0
  /// From the first step with a time to the last one.
  package var duration: Duration?

  package init(skipped: Int = 0, duration: Duration? = nil) {
    self.skipped = skipped
    self.duration = duration
  }
}

extension OpenSession {
  /// Looks at every step of the recording.
  package func survey() async throws -> SessionSurvey {
    var survey = SessionSurvey()
    var first: Duration?
    for number in summary.steps {
      let step = try recording.step(number)
      if step.isSkipped { survey.skipped += 1 }
      if let time = step.time {
        first = first ?? time
        survey.duration = time - (first ?? time)
      }
      if number % 512 == 0 {
        await Task.yield()
        try Task.checkCancellation()
      }
    }
    return survey
  }
}
