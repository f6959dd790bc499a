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

  /// Goes on without these effects, by the names that ``EffectSource`` has for them, and fails where one
  /// of them does not run or another does. What only waits for a clock is not asked about.
  public nonisolated(nonsending) func skipInFlightEffects(
    _ names: [String],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) async {
    await settle()
    let running = recorder.withTimeline { $0.running }
    var others = running.filter { if case .work = $0.kind { true } else { false } }
    var missing: [String] = []
    for name in names {
      if let index = others.firstIndex(where: { EffectSource(name).names($0) }) {
        others.remove(at: index)
      } else {
        missing.append("− “\(name)” is not")
      }
    }
    let wrong = missing + others.map { "+ \(TestStoreText.name($0)) is" }
    if !wrong.isEmpty {
      recorder.report(
        "Other effects are in flight (− expected, + actual):\n\n" + wrong.joined(separator: "\n"),
        at: SourcePlace(fileID, filePath, line))
    }
    await skipInFlightEffects(strict: false, fileID: fileID, filePath: filePath, line: line)
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
