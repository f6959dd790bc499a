import StoreCore

extension TestStore {
  /// Waits until no effect runs any more, and fails for effects that still do when the time is up,
  /// and for actions that were not received.
  public nonisolated(nonsending) func finish(
    timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    recorder.withTimeline { $0.statement = SourcePlace(fileID, filePath, line) }
    await wait(for: timeout) { $0.inFlight.isEmpty }
    await settle()
    recorder.checkAtEnd()
  }

  /// Takes the received actions as if they were asserted. Where `strict`, there must be some.
  public nonisolated(nonsending) func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    let place = SourcePlace(fileID, filePath, line)
    await settle()
    let (received, exhaustivity) = recorder.withTimeline { timeline in
      timeline.statement = place
      return (timeline.takeReceived().map(\.action), timeline.exhaustivity)
    }
    if received.isEmpty {
      if strict { recorder.report("There were no received actions to skip.", at: place) }
    } else if exhaustivity == .off(showSkippedAssertions: true) {
      recorder.report(TestStoreText.skipped(received), kind: .skipped, at: place)
    }
  }

  /// Goes on without the effects that run: nobody waits for their end, and none is told of. What
  /// they send is received all the same. Where `strict`, there must be some.
  public nonisolated(nonsending) func skipInFlightEffects(
    strict: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    let place = SourcePlace(fileID, filePath, line)
    await settle()
    let (running, exhaustivity) = recorder.withTimeline { timeline in
      timeline.statement = place
      return (timeline.running, timeline.exhaustivity)
    }
    if running.isEmpty {
      if strict { recorder.report("There were no running effects to skip.", at: place) }
    } else if exhaustivity == .off(showSkippedAssertions: true) {
      let names = running.map { "• \(TestStoreText.name($0))" }.joined(separator: "\n")
      recorder.report("Running effects were skipped:\n\n" + names, kind: .skipped, at: place)
    }
    recorder.withTimeline { $0.skipRunning() }
  }

  /// Runs `operation` with another exhaustivity.
  public func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity, operation: () throws -> Result
  ) rethrows -> Result {
    let before = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = before }
    return try operation()
  }

  /// Runs `operation` with another exhaustivity.
  public nonisolated(nonsending) func withExhaustivity<Result>(
    _ exhaustivity: Exhaustivity,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    let before = self.exhaustivity
    self.exhaustivity = exhaustivity
    defer { self.exhaustivity = before }
    return try await operation()
  }
}
